import type { Row } from '../../contract/live.ts';
import { type RowFilter, rowFilter, saysMore } from './filter.ts';
import { keepLatest } from './latest.ts';
import type { PlacedColumn } from './pipeline.ts';

/** Filters of so many texts are remembered. */
const textsKept = 12;

/** The same filter for the same text: its rows are then remembered too. One that is typed on knows what it narrows. */
export function createFilters(): (text: string, columns: readonly PlacedColumn[]) => RowFilter | undefined {
  let of: readonly PlacedColumn[] | undefined;
  const known = new Map<string, RowFilter | undefined>();
  return (text, columns) => {
    if (of !== columns) known.clear();
    of = columns;
    const test = known.has(text) ? known.get(text) : narrowing(text, columns, known);
    keepLatest(known, text, test, textsKept);
    return test;
  };
}

/** A new filter, within the longest of those that are known. */
function narrowing(
  text: string,
  columns: readonly PlacedColumn[],
  known: ReadonlyMap<string, RowFilter | undefined>,
): RowFilter | undefined {
  const test = rowFilter(text, columns);
  const [within] = [...known]
    .filter(([other, one]) => one !== undefined && saysMore(text, other, columns))
    .sort(([a], [b]) => b.length - a.length);
  return test && Object.assign((row: Row) => test(row), { words: test.words, within: within?.[1] });
}
