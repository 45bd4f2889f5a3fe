import type { CSSProperties } from 'react';

/** From which share usage is worth a glance, and from which it is trouble. */
const hot = 0.8;
const critical = 0.95;

/** Tone of a share of what there is; none while it is no trouble. */
export type UsageTone = '' | 'warn' | 'bad';

/** Tone of a share: hatched from 80 %, the other way from 95 %. */
export function usageTone(share: number | undefined): UsageTone {
  if (share === undefined || share < hot) return '';
  return share < critical ? 'warn' : 'bad';
}

/** Look of the figure of a share, by its tone. */
export const figureLook: Readonly<Record<UsageTone, string>> = {
  '': '',
  warn: 'font-semibold text-warn-fg',
  bad: 'font-semibold text-bad-fg',
};

/** Surface of the share, by its tone. */
const fill: Readonly<Record<UsageTone, string>> = {
  '': 'bg-text-3',
  warn: 'bg-[repeating-linear-gradient(115deg,var(--color-warn)_0_3px,color-mix(in_srgb,var(--color-warn)_55%,var(--color-surface))_3px_5px)]',
  bad: 'bg-[repeating-linear-gradient(65deg,var(--color-bad)_0_3px,color-mix(in_srgb,var(--color-bad)_50%,var(--color-surface))_3px_5px)]',
};

interface UsageBarProps {
  /** 0 to 1 and beyond. */
  readonly share: number | undefined;
  /** Where the request stands, 0 to 1. */
  readonly mark?: number | undefined;
  /** A full one is no trouble. */
  readonly isPlain?: boolean | undefined;
  /** The text for screen readers. */
  readonly label: string;
  /** In a row of a list. */
  readonly isThin?: boolean;
  /** Classes that the surroundings add: margin, flex, visibility. */
  readonly className?: string;
}

/** A bar of usage. The figure beside it says the same. */
export function UsageBar({ share, mark, isPlain, label, isThin = false, className = '' }: UsageBarProps) {
  const width = `${Math.round(Math.min(1, Math.max(0, share ?? 0)) * 1000) / 10}%`;
  return (
    <div
      className={[
        'relative my-1 overflow-hidden rounded-[1px] bg-chart-track forced-color-adjust-none',
        isThin ? 'h-1' : 'h-1.25',
        className,
      ].join(' ')}
      role="img"
      aria-label={label}
    >
      <i
        className={`absolute inset-y-0 left-0 w-(--v) ${fill[isPlain === true ? '' : usageTone(share)]}`}
        style={{ '--v': width } as CSSProperties}
      />
      {mark !== undefined && (
        <b
          className="absolute inset-y-0 left-(--v) w-0.5 bg-text"
          style={{ '--v': `${Math.min(1, mark) * 100}%` } as CSSProperties}
        />
      )}
    </div>
  );
}
