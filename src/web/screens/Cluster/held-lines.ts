import { useState } from 'react';
import type { AttentionLine } from '../../../contract/dashboard.ts';
import type { JudgedLine } from '../../features/attention/acknowledged.ts';

/** Lines of trouble, and their number including those that are not shown. */
export interface Lines {
  readonly lines: readonly JudgedLine[];
  readonly total: number;
}

/** A line as it is shown to a reader. */
export interface ShownLine extends JudgedLine {
  /** The trouble passed, a moment ago or while somebody read. */
  readonly isOver: boolean;
}

/** The lines of a card: those that are open, in the order of the server, and those that are folded. */
export interface CardLines {
  readonly shown: readonly ShownLine[];
  /** Number of open lines that are not shown. */
  readonly more: number;
  /** Number of open lines that came since the reader began. */
  readonly fresh: number;
  readonly chronic: readonly ShownLine[];
  readonly acknowledged: readonly ShownLine[];
}

const isOpen = ({ line, acknowledgedUntil }: JudgedLine): boolean =>
  line.isChronic !== true && acknowledgedUntil === undefined;

const asShown = (judged: JudgedLine): ShownLine => ({
  ...judged,
  isOver: judged.line.endedAt !== undefined,
});

/** The lines of somebody who does not read them. */
export function foldLines({ lines, total }: Lines): CardLines {
  const of = (isOne: (one: JudgedLine) => boolean) => lines.filter(isOne).map(asShown);
  return {
    shown: of(isOpen),
    more: Math.max(0, total - lines.length),
    fresh: 0,
    chronic: of(({ line, acknowledgedUntil }) => line.isChronic === true && acknowledgedUntil === undefined),
    acknowledged: of(({ acknowledgedUntil }) => acknowledgedUntil !== undefined),
  };
}

/**
 * Lines for somebody who reads them: each open one stays in its place, also once it is over or acknowledged, and what
 * came is counted, so that nothing moves under pointer or cursor.
 */
export function holdLines(held: Lines, now: Lines): CardLines {
  const known = new Map(now.lines.map((one) => [one.line.key, one]));
  const open = held.lines.filter(isOpen);
  const keys = new Set(open.map(({ line }) => line.key));
  const isElsewhere = ({ line }: JudgedLine) => !keys.has(line.key);
  const folded = foldLines(now);
  return {
    shown: open.map((before) => {
      const newest = known.get(before.line.key);
      const isOver = newest === undefined || newest.line.endedAt !== undefined;
      const line = isOver ? whenOver(before.line) : keepAction(newest.line, before.line);
      return { ...(newest ?? before), line, isOver };
    }),
    more: Math.max(0, held.total - held.lines.length),
    fresh: folded.shown.filter((one) => isElsewhere(one) && !one.isOver).length,
    chronic: folded.chronic.filter(isElsewhere),
    acknowledged: folded.acknowledged.filter(isElsewhere),
  };
}

const whenOver = (line: AttentionLine): AttentionLine =>
  line.action === null ? line : { ...line, action: { ...line.action, reason: 'The problem is resolved.' } };

/** A line keeps its button where nothing helps any more: it may have the focus, which would leave the line with it. */
function keepAction(newest: AttentionLine, { action }: AttentionLine): AttentionLine {
  if (newest.action !== null || action === null) return newest;
  return { ...newest, action: { ...action, reason: 'This no longer helps.' } };
}

/** The lines to show, held while somebody reads; `renew` shows what there is now. */
export function useHeldLines(now: Lines, isReading: boolean): CardLines & { readonly renew: () => void } {
  const [held, setHeld] = useState<Lines>();
  if (isReading && held === undefined) setHeld(now);
  if (!isReading && held !== undefined) setHeld(undefined);
  const lines = isReading && held !== undefined ? holdLines(held, now) : foldLines(now);
  return { ...lines, renew: () => setHeld(now) };
}
