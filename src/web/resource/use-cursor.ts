import { useCallback, useState } from 'react';
import type { Row } from '../../contract/live.ts';

/** The active row of a list, by uid: rows move, the cursor stays on its object. */
export interface Cursor {
  readonly uid: string | undefined;
  readonly set: (uid: string) => void;
  /** By rows; ±Infinity goes to an end. */
  readonly move: (by: number) => void;
}

/** Keeps the cursor; when its object goes, the cursor moves to the row that took its place. */
export function useCursor(rows: readonly Row[], scrollTo: (index: number) => void): Cursor {
  const [wanted, setWanted] = useState<{ readonly uid: string; readonly index: number } | undefined>(
    undefined,
  );
  const found = wanted === undefined ? -1 : rows.findIndex((row) => row[0] === wanted.uid);
  const index = wanted === undefined || found >= 0 ? found : Math.min(wanted.index, rows.length - 1);
  // The row has moved: remember where it is, for when it goes.
  if (wanted !== undefined && found >= 0 && found !== wanted.index)
    setWanted({ uid: wanted.uid, index: found });

  const set = useCallback((uid: string) => setWanted({ uid, index: 0 }), []);
  const move = (by: number) => {
    const from = index < 0 ? (by > 0 ? -1 : rows.length) : index;
    const to = Math.max(0, Math.min(rows.length - 1, from + by));
    const row = rows[to];
    if (row === undefined) return;
    setWanted({ uid: row[0], index: to });
    scrollTo(to);
  };
  return { uid: rows[index]?.[0], set, move };
}
