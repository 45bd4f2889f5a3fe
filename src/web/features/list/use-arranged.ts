import { useMemo, useState } from 'react';
import type { LiveList } from '../../data/live/rows.ts';
import { HeldOrder } from '../../data/rows/held-order.ts';
import { RowStore } from '../../data/rows/store.ts';
import { type Arranged, RowView, type Wanted } from '../../data/rows/view.ts';

const noRows = new RowStore().rows;

/** What of a list is on screen. */
export interface Viewport {
  /** What the rows are scrolled in; null before it stands. */
  readonly scroller: HTMLElement | null;
  /** Of a row, px. */
  readonly rowHeight: number;
}

interface Hold {
  readonly order: HeldOrder;
  /** Undefined where the order is not held. */
  readonly basis: string | undefined;
  /** Only the rows down to the last one on screen are held. */
  readonly isReading: boolean;
  readonly seen: Viewport;
}

/** How many rows there are down to the last one on screen; undefined before rows stand. */
function countSeen({ scroller, rowHeight }: Viewport): number | undefined {
  return scroller === null ? undefined : Math.ceil((scroller.scrollTop + scroller.clientHeight) / rowHeight);
}

/** The rows of a live list as they are wanted, and anew with each change of them. */
export function useRowView(
  list: LiveList | undefined,
  { columns, filter, sort, aside, isWhole, compile, now }: Wanted,
  hold?: Hold,
): Arranged {
  const rows = list?.rows ?? noRows;
  const [view] = useState(() => new RowView());
  const { order, basis, isReading = false, seen } = hold ?? {};
  const { scroller = null, rowHeight = 1 } = seen ?? {};
  return useMemo(() => {
    if (basis === undefined) order?.release();
    // What is on screen is asked for only while rows come: it lays the page out.
    const most = isReading ? countSeen({ scroller, rowHeight }) : undefined;
    const held = order === undefined || basis === undefined ? undefined : { order, basis, most };
    return view.arrange(rows, { columns, filter, sort, aside, isWhole, compile, now }, held);
  }, [
    view,
    rows,
    columns,
    filter,
    sort,
    aside,
    isWhole,
    compile,
    now,
    order,
    basis,
    isReading,
    scroller,
    rowHeight,
  ]);
}

interface Holding {
  /** The values of the sort column arrived after the rows, and are complete now. */
  readonly isTold: boolean;
  /** Pointer or cursor is in the list: nothing moves from under them. */
  readonly isHeld: boolean;
  /** More rows are to come. */
  readonly isReading: boolean;
  /** Whether somebody works with the rows: points at them, moved the cursor, selected or scrolled. */
  readonly isTouched: () => boolean;
  readonly seen: Viewport;
}

/**
 * What of the order outlasts the reading of a list: `reading` while more rows are to come, then what was seen is `kept`
 * for somebody who worked with it, and for others everything stands where it belongs, as a `whole`.
 */
type Reading = 'reading' | 'kept' | 'whole';

/**
 * Filters and sorts; while the order is held, changed rows stay where they are. Another filter or sort settles. While a
 * list is read, what is on screen stays where it is, and the rows below it stand in their order.
 */
export function useArranged(
  list: LiveList | undefined,
  wanted: Wanted,
  { isTold, isHeld, isReading, isTouched, seen }: Holding,
): {
  readonly arranged: Arranged;
  /** Sorts again although somebody is looking. */
  readonly settle: () => void;
} {
  const [settled, setSettled] = useState(0);
  const [order] = useState(() => new HeldOrder());
  const [before, setReading] = useState<Reading>(isReading ? 'reading' : 'whole');
  const reading = isReading ? 'reading' : before !== 'reading' ? before : isTouched() ? 'kept' : 'whole';
  if (reading !== before) setReading(reading);
  const parts = [settled, wanted.sort, isTold, reading === 'whole', wanted.filter];
  const basis = isReading || isHeld ? JSON.stringify(parts) : undefined;
  const arranged = useRowView(list, wanted, { order, basis, isReading, seen });
  return { arranged, settle: () => setSettled((count) => count + 1) };
}
