import type { Row } from '../../contract/live.ts';
import type { CursorAt } from '../state/list-marks.ts';

/**
 * The row of the cursor; -1 in an empty list. A list that is new or newly filtered has it on its first row, so that
 * keys work at once. When its object goes, it is on the row that took its place. A filter that is taken away leaves it
 * on its object.
 * @param placeOf where an object would stand by the order of the list, if it is known; -1 where it is not
 */
export function cursorRow(
  rows: readonly Row[],
  wanted: CursorAt | undefined,
  filter: string,
  placeOf: (uid: string) => number,
): number {
  if (rows.length === 0) return -1;
  if (wanted === undefined || (wanted.filter !== filter && filter !== '')) return 0;
  const { uid } = wanted;
  const near = Math.min(wanted.index, rows.length - 1);
  if (rows[near]?.[0] === uid) return near;
  // A list in order is not searched row by row: in another order the cursor's row is far from where it was.
  const place = placeOf(uid);
  const found = rows[place]?.[0] === uid ? place : nearest(rows, uid, near);
  return found >= 0 ? found : near;
}

/** Where an object is, looked for from where it was: most stay near. -1 where it is not. */
function nearest(rows: readonly Row[], uid: string, from: number): number {
  for (let step = 0; step < rows.length; step += 1) {
    // Past an end there is no row.
    if (rows[from + step]?.[0] === uid) return from + step;
    if (rows[from - step]?.[0] === uid) return from - step;
  }
  return -1;
}
