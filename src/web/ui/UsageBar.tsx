import type { CSSProperties } from 'react';

/** From which share usage is worth a glance, and from which it is trouble. */
const hot = 0.8;
const critical = 0.95;

/** Class of a share: hatched from 80 %, the other way from 95 %. */
export function usageTone(share: number | undefined): '' | 'warn' | 'bad' {
  if (share === undefined || share < hot) return '';
  return share < critical ? 'warn' : 'bad';
}

interface UsageBarProps {
  /** 0 to 1 and beyond. */
  readonly share: number | undefined;
  /** Where the request stands, 0 to 1. */
  readonly mark?: number | undefined;
  /** A full one is no trouble. */
  readonly isPlain?: boolean | undefined;
  /** What it says to those who do not see it. */
  readonly label: string;
}

/** A bar of usage. The figure beside it says the same. */
export function UsageBar({ share, mark, isPlain, label }: UsageBarProps) {
  const width = `${Math.round(Math.min(1, Math.max(0, share ?? 0)) * 1000) / 10}%`;
  return (
    <div className={`bar ${isPlain === true ? '' : usageTone(share)}`} role="img" aria-label={label}>
      <i style={{ '--v': width } as CSSProperties} />
      {mark !== undefined && <b style={{ '--v': `${Math.min(1, mark) * 100}%` } as CSSProperties} />}
    </div>
  );
}
