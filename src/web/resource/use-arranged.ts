import { useMemo, useState } from 'react';
import type { Row } from '../../contract/live.ts';
import { createFilters } from './known-filters.ts';
import { type Held, holdOrder, type PlacedColumn, placeIn, rowOrder, type SortKey } from './pipeline.ts';
import { createSorter } from './sorter.ts';

/** The rows as they stand on screen. */
export interface Arranged extends Held {
  /** Rows the filter hides. */
  readonly hidden: number;
  /** Sorts again although somebody is looking. */
  readonly settle: () => void;
  /** Where an object stands unless the order is held; -1 for one that is not in the list. */
  readonly placeOf: (uid: string) => number;
}

interface Wanted {
  readonly rows: ReadonlyMap<string, Row>;
  readonly columns: readonly PlacedColumn[];
  readonly filter: string;
  readonly sort: SortKey;
  /** What it is sorted by came after the rows, and is there now. */
  readonly isTold: boolean;
  /** Pointer or cursor is in the list: nothing moves from under them. */
  readonly isHeld: boolean;
}

/** Remembers the order last shown, so that it can be held. */
function createHolder() {
  let shown: { readonly basis: string; readonly rows: readonly Row[] } = { basis: '', rows: [] };
  return (sorted: readonly Row[], isHeld: boolean, basis: string): Held => {
    const keeps = isHeld && shown.basis === basis && shown.rows.length > 0;
    const held = keeps
      ? holdOrder(
          shown.rows.map((row) => row[0]),
          sorted,
        )
      : { rows: sorted, moved: 0 };
    shown = { basis, rows: held.rows };
    return held;
  };
}

/** Filters and sorts; while the order is held, changed rows stay where they are. Another filter or sort settles. */
export function useArranged({ rows, columns, filter, sort, isTold, isHeld }: Wanted): Arranged {
  const [settled, setSettled] = useState(0);
  const [hold] = useState(createHolder);
  const [inOrder] = useState(createSorter);
  const [filterOf] = useState(createFilters);
  const test = useMemo(() => filterOf(filter, columns), [filterOf, filter, columns]);
  const order = useMemo(() => rowOrder(sort, columns), [sort, columns]);
  const sorted = useMemo(() => inOrder(rows, test, order), [inOrder, rows, test, order]);
  const basis = `${settled} ${sort ?? ''} ${isTold} ${filter}`;
  const held = useMemo(() => hold(sorted, isHeld, basis), [hold, sorted, isHeld, basis]);
  return {
    ...held,
    hidden: rows.size - sorted.length,
    settle: () => setSettled((count) => count + 1),
    placeOf: (uid) => {
      const row = rows.get(uid);
      return row === undefined ? -1 : placeIn(held.rows, row, order);
    },
  };
}
