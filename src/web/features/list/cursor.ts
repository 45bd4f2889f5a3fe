import type { Arranged } from '../../data/rows/view.ts';
import type { CursorAt } from '../../core/state/list-marks.ts';

/**
 * The row of the cursor; -1 in an empty list. A list that is new or newly filtered has it on its first row, so that
 * keys work at once. When its object goes, it is on the row that took its place. A filter that is taken away leaves it
 * on its object.
 */
export function cursorRow(
  rows: Pick<Arranged, 'size' | 'at' | 'indexOf'>,
  wanted: CursorAt | undefined,
  filter: string,
): number {
  if (rows.size === 0) return -1;
  if (wanted === undefined || (wanted.filter !== filter && filter !== '')) return 0;
  const { uid } = wanted;
  const near = Math.min(wanted.index, rows.size - 1);
  if (rows.at(near)?.[0] === uid) return near;
  const place = rows.indexOf(uid);
  return place >= 0 ? place : near;
}
