import { useMemo, useState } from 'react';
import type { LiveList } from '../../data/live/rows.ts';
import { HeldOrder } from '../../data/rows/held-order.ts';
import { RowStore } from '../../data/rows/store.ts';
import { type Arranged, RowView, type Wanted } from '../../data/rows/view.ts';

const noRows = new RowStore().rows;

/** The rows of a live list as they are wanted, and anew with each change of them. */
export function useRowView(
  list: LiveList | undefined,
  { columns, filter, sort, aside, isWhole }: Wanted,
  hold?: { readonly order: HeldOrder; readonly basis: string | undefined },
): Arranged {
  const rows = list?.rows ?? noRows;
  const [view] = useState(() => new RowView());
  const { order, basis } = hold ?? {};
  return useMemo(() => {
    if (basis === undefined) order?.release();
    const held = order === undefined || basis === undefined ? undefined : { order, basis };
    return view.arrange(rows, { columns, filter, sort, aside, isWhole }, held);
  }, [view, rows, columns, filter, sort, aside, isWhole, order, basis]);
}

interface Holding {
  /** What it is sorted by came after the rows, and is there now. */
  readonly isTold: boolean;
  /** Pointer or cursor is in the list: nothing moves from under them. */
  readonly isHeld: boolean;
}

/** Filters and sorts; while the order is held, changed rows stay where they are. Another filter or sort settles. */
export function useArranged(
  list: LiveList | undefined,
  wanted: Wanted,
  { isTold, isHeld }: Holding,
): {
  readonly arranged: Arranged;
  /** Sorts again although somebody is looking. */
  readonly settle: () => void;
} {
  const [settled, setSettled] = useState(0);
  const [order] = useState(() => new HeldOrder());
  const basis = isHeld ? `${settled} ${wanted.sort ?? ''} ${isTold} ${wanted.filter ?? ''}` : undefined;
  const arranged = useRowView(list, wanted, { order, basis });
  return { arranged, settle: () => setSettled((count) => count + 1) };
}
