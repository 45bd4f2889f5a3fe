import { cva } from 'class-variance-authority';
import type { CSSProperties } from 'react';
import type { Tone } from '../../registry/tone.ts';

/** The one other thing in brass: the plan, beside the product's name. */
export function ProBadge({ className = '' }: { readonly className?: string }) {
  return (
    <span
      className={`rounded-[3px] bg-brass-soft px-1 text-2xs/3.75 font-semibold tracking-[0.02em] text-brass ${className}`}
    >
      Pro
    </span>
  );
}

/** The wheel: the product's mark, and with the Pro badge the only thing in brass. */
export function WheelMark({ size = 18 }: { readonly size?: number }) {
  return (
    <svg
      className="text-brass"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <circle cx="12" cy="12" r="6.7" strokeWidth="1.9" />
      <path
        d="M12 3.4L12 1.1M18.08 5.92L19.71 4.29M20.6 12L22.9 12M18.08 18.08L19.71 19.71M12 20.6L12 22.9M5.92 18.08L4.29 19.71M3.4 12L1.1 12M5.92 5.92L4.29 4.29"
        strokeWidth="2.3"
      />
      <path
        d="M12 10L12 6M13.41 10.59L16.24 7.76M14 12L18 12M13.41 13.41L16.24 16.24M12 14L12 18M10.59 13.41L7.76 16.24M10 12L6 12M10.59 10.59L7.76 7.76"
        strokeWidth="1.1"
      />
      <circle cx="12" cy="12" r="2.1" fill="currentColor" stroke="none" />
    </svg>
  );
}

const flagShapes: readonly ((cloth: string) => React.ReactNode)[] = [
  (cloth) => (
    <>
      <rect width="12" height="12" fill={cloth} />
      <rect x="4" y="4" width="4" height="4" fill="var(--color-surface)" />
    </>
  ),
  (cloth) => <rect width="6" height="12" fill={cloth} />,
  (cloth) => <path d="M0 0h12L0 12Z" fill={cloth} />,
  (cloth) => <path d="M0 0h12v4H0zM0 8h12v4H0z" fill={cloth} />,
  (cloth) => (
    <>
      <rect width="12" height="12" fill={cloth} />
      <path d="M4.7 0h2.6v12H4.7zM0 4.7h12v2.6H0z" fill="var(--color-surface)" />
    </>
  ),
  (cloth) => <path d="M0 0h6v6H0zM6 6h6v6H6z" fill={cloth} />,
  (cloth) => <rect x="3.5" y="3.5" width="5" height="5" fill={cloth} />,
  (cloth) => (
    <>
      <rect width="12" height="12" fill={cloth} />
      <path d="m0 0 12 12M12 0 0 12" stroke="var(--color-surface)" strokeWidth="2.4" />
    </>
  ),
];

/** A cluster's signal flag: colour and pattern, always beside the name. `colour` is 1 to 8. */
export function Flag({
  colour,
  size = 12,
  className = '',
}: {
  readonly colour: number;
  readonly size?: number;
  readonly className?: string;
}) {
  const cloth = `var(--color-cluster-${colour})`;
  return (
    <svg
      data-mark=""
      className={`rounded-xs outline -outline-offset-1 forced-color-adjust-none ${className}`}
      style={{ outlineColor: cloth }}
      width={size}
      height={size}
      viewBox="0 0 12 12"
      aria-hidden="true"
    >
      <rect width="12" height="12" fill="var(--color-surface)" />
      {flagShapes[colour - 1]?.(cloth)}
    </svg>
  );
}

/** The colours of a cluster as custom properties, for tiles and plates. */
export function clusterStyle(colour: number): CSSProperties {
  return {
    '--cl': `var(--color-cluster-${colour})`,
    '--cl-soft': `var(--color-cluster-${colour}-soft)`,
  } as CSSProperties;
}

const glyphs: Readonly<Record<Tone | 'done', React.ReactNode>> = {
  ok: <circle cx="6" cy="6" r="3.5" fill="currentColor" />,
  warn: (
    <>
      <path d="M6 1 11.4 10.6H.6Z" fill="currentColor" />
      <path d="M6 4.4v2.7M6 8.7v.3" stroke="var(--color-surface)" strokeWidth="1.3" strokeLinecap="round" />
    </>
  ),
  bad: (
    <>
      <path d="M3.8.8h4.4l3 3v4.4l-3 3H3.8l-3-3V3.8Z" fill="currentColor" />
      <path
        d="m4.2 4.2 3.6 3.6m0-3.6L4.2 7.8"
        stroke="var(--color-surface)"
        strokeWidth="1.4"
        strokeLinecap="round"
      />
    </>
  ),
  info: (
    <>
      <circle cx="6" cy="6" r="4.2" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M6 1.8a4.2 4.2 0 0 1 0 8.4Z" fill="currentColor" />
    </>
  ),
  idle: <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  done: (
    <path
      d="m2 6.4 2.8 2.8L10.2 3"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
};

const glyphColours: Readonly<Record<Tone, string>> = {
  ok: 'text-ok',
  warn: 'text-warn',
  bad: 'text-bad',
  info: 'text-info',
  idle: 'text-idle',
};

/** The shape of a tone; words and colour come besides. `done` is a finished idle thing. */
export function Glyph({ tone, size = 12 }: { readonly tone: Tone | 'done'; readonly size?: number }) {
  return (
    <svg
      data-mark=""
      className={`forced-color-adjust-none ${glyphColours[tone === 'done' ? 'idle' : tone]}`}
      width={size}
      height={size}
      viewBox="0 0 12 12"
      aria-hidden="true"
    >
      {glyphs[tone]}
    </svg>
  );
}

const box = 'grid size-3.5 place-items-center rounded-[3px] border text-accent-on';
const emptyBox = `${box} border-control bg-surface`;
const fullBox = `${box} border-accent bg-accent forced-color-adjust-none`;

/** The box of a row: empty, a check, or a dash for some of many. Only its look: what holds it says the state. */
export function CheckMark({ state }: { readonly state: 'all' | 'some' | 'none' }) {
  return (
    <span className={state === 'none' ? emptyBox : fullBox} aria-hidden="true">
      {state !== 'none' && (
        <svg width={10} height={10} viewBox="0 0 12 12" fill="none" stroke="currentColor" strokeWidth="2">
          <path d={state === 'all' ? 'm2 6.4 2.8 2.8L10.2 3' : 'M2.5 6h7'} strokeLinecap="round" />
        </svg>
      )}
    </span>
  );
}

/** The words of a status beside its glyph: the worse, the louder. */
export const statusLook = cva('inline-flex max-w-full min-w-0 items-center gap-1.25 whitespace-nowrap', {
  variants: {
    tone: {
      ok: 'text-text-2',
      idle: 'text-text-3',
      warn: 'font-medium text-warn-fg',
      bad: 'font-semibold text-bad-fg',
      info: 'font-medium text-info-fg',
    },
  },
});

/** A status: shape, word, colour, in that order. */
export function StatusText({ tone, label }: { readonly tone: Tone; readonly label: string }) {
  const isDone = tone === 'idle' && /^(Completed|Succeeded|Complete)$/.test(label);
  return (
    <span data-tone={tone} className={statusLook({ tone })}>
      <Glyph tone={isDone ? 'done' : tone} />
      <span className="min-w-0 truncate">{label}</span>
    </span>
  );
}
