import { useMemo, useState } from 'react';
import type { Row } from '../../../contract/live.ts';
import type { LiveList } from '../../data/live/rows.ts';
import { type AsideCell, isAside } from '../../data/rows/aside.ts';
import type { PlacedColumn } from '../../data/rows/placed.ts';
import { Changes, type LiveRows, type RowStore } from '../../data/rows/store.ts';
import { longestChars, sized } from './columns.ts';

/** Rows of some slots, or every row, without those that are left out. */
function* rowsAt(
  rows: RowStore,
  slots: readonly number[] | undefined,
  leftOut: AsideCell | undefined,
): Generator<Row> {
  for (const one of slots ?? rows.values()) {
    const row = typeof one === 'number' ? rows.at(one) : one;
    if (row !== undefined && !isAside(row, leftOut)) yield row;
  }
}

/** Remembers the longest figures and texts, so that a change is measured by the rows that came with it. */
function createMeasurer() {
  const changes = new Changes();
  let known: { columns: readonly PlacedColumn[]; leftOut: AsideCell | undefined } | undefined;
  let chars: readonly number[] = [];
  return (columns: readonly PlacedColumn[], { store }: LiveRows, leftOut: AsideCell | undefined): string => {
    const changed = changes.of(store);
    const isKnown = changed !== undefined && known?.columns === columns && known.leftOut === leftOut;
    const found = longestChars(columns, rowsAt(store, isKnown ? changed : undefined, leftOut));
    chars = isKnown ? found.map((count, at) => Math.max(count, chars[at] ?? 0)) : found;
    known = { columns, leftOut };
    return chars.join(' ');
  };
}

/**
 * The columns by the figures and texts in their rows; the same ones as long as none outgrows them. No column becomes
 * narrower while its list changes.
 * @param leftOut rows that do not count
 */
export function useSized(
  columns: readonly PlacedColumn[],
  list: LiveList | undefined,
  leftOut?: AsideCell,
): readonly PlacedColumn[] {
  const [measure] = useState(createMeasurer);
  const rows = list?.rows;
  const text = useMemo(
    () => (rows === undefined ? '' : measure(columns, rows, leftOut)),
    [measure, columns, rows, leftOut],
  );
  return useMemo(() => sized(columns, text.split(' ').map(Number)), [columns, text]);
}

/** Whether rows pass a test of a list's columns. */
type RowTest = (columns: readonly PlacedColumn[], rows: Iterable<Row>) => boolean;

/** Remembers whether any row passed a test: while none has, only the changed rows are looked at. */
function createTeller(test: RowTest) {
  const changes = new Changes();
  let known: readonly PlacedColumn[] | undefined;
  let tells = false;
  return (columns: readonly PlacedColumn[], { store }: LiveRows): boolean => {
    const changed = changes.of(store);
    const isKnown = changed !== undefined && known === columns && !tells;
    tells = test(columns, rowsAt(store, isKnown ? changed : undefined, undefined));
    known = columns;
    return tells;
  };
}

/** Whether any row of a list passes a test, `tellsUsage` or `hasStatus`, which stays the same. */
export function useTells(
  test: RowTest,
  columns: readonly PlacedColumn[],
  list: LiveList | undefined,
): boolean {
  const [tells] = useState(() => createTeller(test));
  const rows = list?.rows;
  return useMemo(() => rows !== undefined && tells(columns, rows), [tells, columns, rows]);
}
