import { useState } from 'react';
import type { LineAt } from './LogLines.tsx';
import { type Found, type Rows, stepMatch } from './matches.ts';

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
  /** Leaves the line that was gone to, for another search. */
  readonly leave: () => void;
}

/** @param log names the log that is read: another one begins at its end, with no line gone to and none opened */
export function useLineCursor(log: string, rows: Rows, found: Found): LineCursor {
  const [isAtEnd, setAtEnd] = useState(true);
  // An object of its own for each step: the same line is gone to again.
  const [at, setAt] = useState<LineAt | undefined>(undefined);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const [lastLog, setLastLog] = useState(log);
  if (lastLog !== log) {
    setLastLog(log);
    setAt(undefined);
    setAtEnd(true);
    setOpened(new Set());
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
    leave: () => setAt(undefined),
  };
}
