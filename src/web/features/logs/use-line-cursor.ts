import { useState } from 'react';
import type { Matcher } from './matcher.ts';
import type { LineAt } from './LogLines.tsx';
import { type Found, type Rows, type SearchOrigin, searchedLine, stepMatch } from './matches.ts';

/** Where somebody is in a log. */
export interface LineCursor {
  /** Whether the log is followed: the newest line shows. */
  readonly isAtEnd: boolean;
  /** The line that was gone to. */
  readonly at: LineAt | undefined;
  /** Lines whose fields show. */
  readonly opened: ReadonlySet<number>;
  readonly setAtEnd: (isAtEnd: boolean) => void;
  /** Goes to the next match; -1 to the one before. */
  readonly step: (by: 1 | -1) => void;
  /** Goes some lines down; negative is up. */
  readonly moveLine: (by: number) => void;
  /** Goes to the newest line and follows. */
  readonly follow: () => void;
  /** Shows the fields of a line, or hides them. */
  readonly toggle: (line: number) => void;
  /**
   * The search becomes another one: a log that is followed goes on to be, its matches are marked. Otherwise it goes to the
   * match nearest above, counted from where somebody was when they began to type, so that a letter more or less does not
   * lead away. Without a text it goes back there.
   * @param bottom the last line in sight
   */
  readonly search: (query: string, bottom: number) => void;
  /** Leaves the line that was gone to, and the search with it. */
  readonly leave: () => void;
  /** Done with typing: the next search begins where this one led. */
  readonly settle: () => void;
}

/** Where somebody was when they began to type. */
interface Origin extends SearchOrigin {
  readonly at: LineAt | undefined;
}

/** @param log names the log that is read: another one begins at its end, with no line gone to and none opened */
export function useLineCursor(log: string, rows: Rows, found: Found): LineCursor {
  const [isAtEnd, setAtEnd] = useState(true);
  // An object of its own for each step: the same line is gone to again.
  const [at, setAt] = useState<LineAt | undefined>(undefined);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const [origin, setOrigin] = useState<Origin | undefined>(undefined);
  // What was looked for when the search became another one: matches of that are not gone to, nor is a part of the next.
  const [sought, setSought] = useState<Matcher | null | undefined>(null);
  const [lastLog, setLastLog] = useState(log);
  if (lastLog !== log) {
    setLastLog(log);
    setAt(undefined);
    setAtEnd(true);
    setOpened(new Set());
    setOrigin(undefined);
    setSought(null);
  }
  const { matcher } = found.look;
  const isNext = sought !== null && matcher !== undefined && matcher !== sought && found.isWhole;
  if (origin !== undefined && isNext) {
    setSought(null);
    const line = searchedLine(found, origin);
    setAt(line === undefined ? undefined : { line });
    if (line !== undefined) setAtEnd(false);
  }
  const goTo = (line: number | undefined) => {
    if (line === undefined) return;
    setAtEnd(false);
    setAt({ line });
  };
  return {
    isAtEnd,
    at,
    opened,
    setAtEnd,
    step: (by) => goTo(stepMatch(found, at?.line, by)),
    moveLine: (by) => {
      if (rows.count === 0) return;
      const index = at === undefined ? rows.count : rows.indexOf(at.line);
      goTo(rows.at(Math.min(Math.max(index + by, 0), rows.count - 1)));
    },
    follow: () => {
      setAt(undefined);
      setAtEnd(true);
    },
    toggle: (line) => {
      setAtEnd(false);
      setOpened((all) => new Set(all.has(line) ? [...all].filter((one) => one !== line) : [...all, line]));
    },
    search: (query, bottom) => {
      const began = origin ?? {
        line: isAtEnd ? Number.POSITIVE_INFINITY : (at?.line ?? bottom),
        at,
        isAtEnd,
      };
      setAt(query === '' ? began.at : undefined);
      if (query === '') setAtEnd(began.isAtEnd);
      setOrigin(query === '' ? undefined : began);
      setSought(query === '' ? null : found.look.matcher);
    },
    leave: () => {
      setAt(undefined);
      setOrigin(undefined);
    },
    settle: () => setOrigin(undefined),
  };
}
