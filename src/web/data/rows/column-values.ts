import type { Row } from '../../../contract/live.ts';
import { textOf } from './cell-test.ts';
import type { PlacedColumn } from './placed.ts';

/** Values counted at most: a column of names has as many as rows. */
const maxValues = 2_000;

/** How often each text of a column occurs in some rows; of a cell with several texts each counts. */
export function columnValues(
  rows: Iterable<Row>,
  { column, index }: PlacedColumn,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const isSeveral = column.format === 'labels' || column.format === 'list' || column.format === 'mono';
  for (const [, cells] of rows) {
    const cell = cells[index];
    const texts = isSeveral && Array.isArray(cell) ? cell.map(String) : [textOf(cell, column.format)];
    for (const text of texts) {
      const count = counts.get(text);
      if (count !== undefined || counts.size < maxValues) counts.set(text, (count ?? 0) + 1);
    }
  }
  return counts;
}
