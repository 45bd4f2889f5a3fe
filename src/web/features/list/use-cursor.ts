import { useCallback, useEffect, useEffectEvent, useLayoutEffect } from 'react';
import type { Arranged } from '../../data/rows/view.ts';
import type { ListMarks } from '../../core/state/list-marks.ts';
import { useCell } from '../../core/state/state.ts';
import { cursorRow } from './cursor.ts';
import type { Drawn } from './use-drawn.ts';

/** The active row of a list, by uid: rows move, the cursor stays on its object. */
export interface Cursor {
  readonly uid: string | undefined;
  /** Of its row; -1 in an empty list. */
  readonly index: number;
  readonly set: (uid: string) => void;
  /** By rows; ±Infinity goes to an end. */
  readonly move: (by: number) => void;
}

/**
 * Keeps the cursor in the marks of its list.
 * @param isComplete before that the first row changes, and the cursor with it
 */
export function useCursor(
  marks: ListMarks,
  rows: Arranged,
  filter: string,
  isComplete: boolean,
  { scrollTo, scrollToTop }: Pick<Drawn, 'scrollTo' | 'scrollToTop'>,
): Cursor {
  useCell(marks.cursorPut);
  const wanted = marks.cursor();
  const index = cursorRow(rows, wanted, filter);
  const uid = rows.at(index)?.[0];
  // Where its object is now is remembered, for when it goes. What stands in its place is not chosen by that.
  const isOther = wanted !== undefined && wanted.filter === filter && wanted.uid !== uid;
  useLayoutEffect(() => {
    if (uid !== undefined && isComplete && !isOther) marks.noteCursor({ uid, index, filter });
  });

  // A filter scrolls to the first match; without a filter again, the cursor stays visible.
  const showCursor = useEffectEvent(() => {
    if (index > 0) scrollTo(index);
  });
  useEffect(() => {
    if (filter === '') showCursor();
    else scrollToTop();
  }, [filter, scrollToTop]);

  const set = useCallback(
    (next: string) => marks.putCursor({ uid: next, index: 0, filter }),
    [marks, filter],
  );
  const move = (by: number) => {
    const from = index < 0 ? (by > 0 ? -1 : rows.size) : index;
    const to = Math.max(0, Math.min(rows.size - 1, from + by));
    const row = rows.at(to);
    if (row === undefined) return;
    marks.putCursor({ uid: row[0], index: to, filter });
    scrollTo(to);
  };
  return { uid, index, set, move };
}
