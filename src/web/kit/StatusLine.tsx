import { cva } from 'class-variance-authority';
import type { ReactNode } from 'react';
import type { Tone } from '../../registry/tone.ts';
import { Glyph } from './marks.tsx';

const lineLook = [
  'group/line @container flex h-status flex-none items-center gap-2.5 overflow-hidden border-t border-border bg-raised pr-2',
  'text-(length:--text-xs) whitespace-nowrap text-text-2 data-stale:bg-warn-bg narrow:h-11 low:h-7',
].join(' ');

/** In the focused tile it is the one thing in the line that is filled. */
const modeLook = [
  'flex flex-none items-center self-stretch border-r px-2 text-(length:--text-2xs) font-semibold tracking-[0.06em]',
  'border-border bg-sunken text-text-3 group-data-focused/tile:border-transparent group-data-focused/tile:bg-accent',
  'group-data-focused/tile:text-accent-on forced-color-adjust-none',
].join(' ');

interface StatusLineProps {
  /** The word in the corner: what the keys do here. */
  readonly mode: string;
  /** The view's data is not being updated at the moment. */
  readonly isStale?: boolean;
  readonly children?: ReactNode;
}

/** The line below a view: its mode, how it does, and the keys that work. What does not fit is cut off at its end. */
export function StatusLine({ mode, isStale = false, children }: StatusLineProps) {
  return (
    <div className={lineLook} data-status-line="" data-stale={isStale || undefined}>
      <span className={modeLook}>{mode}</span>
      {children}
    </div>
  );
}

/** How fresh what a view shows is, in a line that is stale or not. */
export const freshLook = cva('inline-flex min-w-0 items-center gap-1.25 overflow-hidden', {
  variants: {
    hasFailed: {
      true: 'text-bad-fg',
      false: 'group-data-stale/line:font-medium group-data-stale/line:text-warn-fg',
    },
    /** The message beside it says as much: narrow windows have room for one of the two. */
    isExplained: { true: 'narrow:sr-only' },
  },
  defaultVariants: { hasFailed: false },
});

/** A message in the line, of any length: it gives way before the word that it explains. */
export const messageLook = 'min-w-0 shrink-1000 truncate';

/** The room between what stands at the left and at the right end; `Hints` take it themselves. */
export function StatusSpace() {
  return <span className="min-w-0 flex-1" />;
}

const hintLook = 'inline-flex flex-none items-center gap-1 whitespace-nowrap text-text-2';

interface StatusHintProps {
  readonly children: ReactNode;
  readonly className?: string;
}

/** A key and what it does. A narrow window, which has seldom a keyboard, has no room for it. */
export function StatusHint({ children, className = '' }: StatusHintProps) {
  return <span className={`${hintLook} narrow:hidden ${className}`}>{children}</span>;
}

interface StatusRetryProps {
  /** Keys that do the same. */
  readonly keys?: ReactNode;
  readonly onRetry: () => void;
}

/** Asks the cluster again at once. */
export function StatusRetry({ keys, onRetry }: StatusRetryProps) {
  return (
    <button type="button" className={`${hintLook} narrow:h-full narrow:px-2`} onClick={onRetry}>
      <span className="contents narrow:hidden">{keys}</span>
      retry now
    </button>
  );
}

/**
 * Narrow windows have room for it beside neither a warning nor what can be done with selected rows, and a tile of less
 * than 18 rem has none beside the word that says whether the view is live.
 */
const tallyLook = cva(
  [
    'inline-flex flex-none items-center gap-1 @max-[18rem]:sr-only',
    'narrow:group-data-stale/line:sr-only narrow:group-has-data-[part=bulk]/line:sr-only',
  ],
  {
    variants: {
      tone: { ok: 'font-medium', warn: 'font-semibold text-warn-fg', bad: 'font-semibold text-bad-fg' },
    },
  },
);

interface TallyProps {
  readonly tone: Extract<Tone, 'ok' | 'warn' | 'bad'>;
  readonly count: number;
  /** The word for the mark, for screen readers. */
  readonly word: string;
}

/** How many of what a view shows are well or not. */
export function Tally({ tone, count, word }: TallyProps) {
  return (
    <span className={tallyLook({ tone })}>
      <Glyph tone={tone} size={11} />
      {count}
      <span className="sr-only"> {word}</span>
    </span>
  );
}
