import { useState } from 'react';
import type { AttentionLine } from '../../../contract/dashboard.ts';

/** Lines of trouble, and their number including those that are not shown. */
export interface Lines {
  readonly lines: readonly AttentionLine[];
  readonly total: number;
}

/** A line as it is shown to a reader. */
export interface ShownLine {
  readonly line: AttentionLine;
  /** The trouble passed while somebody read. */
  readonly isOver: boolean;
  /** Its action cannot run any more, since somebody reads: the button has the reason, and keeps the focus. */
  readonly isActionOver: boolean;
}

/** The lines that a reader sees unchanged, and how many arrived since. */
export interface HeldLines {
  readonly shown: readonly ShownLine[];
  readonly more: number;
  readonly fresh: number;
}

/**
 * Lines for somebody who reads them: each stays in its place, what is over stays as such, and what came is counted, so
 * that nothing moves under pointer or cursor.
 */
export function holdLines(held: Lines, now: Lines): HeldLines {
  const known = new Map(now.lines.map((line) => [line.key, line]));
  const keys = new Set(held.lines.map(({ key }) => key));
  return {
    shown: held.lines.map((line) => {
      const newest = known.get(line.key);
      const shown = newest === undefined ? whenOver(line) : keepAction(newest, line);
      const isActionOver = canRun(line) && !canRun(shown);
      return { line: shown, isOver: newest === undefined, isActionOver };
    }),
    more: Math.max(0, held.total - held.lines.length),
    fresh: now.lines.filter(({ key }) => !keys.has(key)).length,
  };
}

const canRun = ({ action }: AttentionLine): boolean => action !== null && action.reason === undefined;

const whenOver = (line: AttentionLine): AttentionLine =>
  line.action === null ? line : { ...line, action: { ...line.action, reason: 'The problem is resolved.' } };

/** A line keeps its button where nothing helps any more: it may have the focus, which would leave the line with it. */
function keepAction(newest: AttentionLine, { action }: AttentionLine): AttentionLine {
  if (newest.action !== null || action === null) return newest;
  return { ...newest, action: { ...action, reason: 'This no longer helps.' } };
}

/** The lines to show, held while somebody reads; `renew` shows what there is now. */
export function useHeldLines(now: Lines, isReading: boolean): HeldLines & { readonly renew: () => void } {
  const [held, setHeld] = useState<Lines>();
  if (isReading && held === undefined) setHeld(now);
  if (!isReading && held !== undefined) setHeld(undefined);
  return { ...holdLines((isReading ? held : undefined) ?? now, now), renew: () => setHeld(now) };
}
