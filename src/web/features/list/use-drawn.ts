import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { useCallback, useDeferredValue, useEffect, useRef } from 'react';
import { observeRect, scrollUnforced } from '../../kit/unforced.ts';

/** Rows drawn before anything else is. */
const rowsAtFirst = 16;
/** Rows drawn above and below those that are seen: what a quick scroll shows next. */
const rowsBeyond = 12;
/** Height of the bars above and below the rows, rem: about, until it is measured. */
const barsAround = 8;

interface Wanted {
  /** All rows. */
  readonly count: number;
  /** Says what shows. Where that is another, so is every row. */
  readonly what: string;
  /** The element that scrolls the rows; null before it is mounted. */
  readonly scroller: HTMLElement | null;
  /** Of a row, px. */
  readonly rowHeight: number;
  /** Of the headings, which stay above the rows while these scroll, px. */
  readonly headHeight: number;
  /** The root's font size, px. */
  readonly rootSize: number;
}

/** The rows that are drawn. */
export interface Drawn {
  readonly items: readonly VirtualItem[];
  /** Of all rows, px. */
  readonly height: number;
  /** Scrolls as little as shows a row. */
  readonly scrollTo: (index: number) => void;
  /** Scrolls to the first row, where it is not at the top: asking what scrolls would lay everything out. */
  readonly scrollToTop: () => void;
}

/**
 * Which of a list's rows are drawn: what is seen, and some beyond. Drawing a row costs the same wherever it is, so where
 * every row is another (another order, another filter) those that are seen come first, and the others once these are
 * painted; and of the first rows of all, whose code has never run, only some.
 */
export function useDrawn({ count, what, scroller, rowHeight, headHeight, rootSize }: Wanted): Drawn {
  const shown = `${what} ${count > 0}`;
  const isSpread = useDeferredValue(shown, '') === shown;
  const hasBegun = useDeferredValue(count > 0, false);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeight,
    overscan: isSpread ? rowsBeyond : 0,
    // The first rows are drawn before anybody has measured: what it turns out to be comes a frame later.
    initialRect: { width: 0, height: window.innerHeight - barsAround * rootSize },
    // The headings are inside the scrolling element: they reduce the height for rows.
    scrollPaddingEnd: headHeight,
    observeElementRect: observeRect,
    scrollToFn: scrollUnforced,
    useFlushSync: false,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  // A list that has just come back is asked for a row before it stands in what scrolls it.
  const awaited = useRef<number>(undefined);
  const scrollTo = useCallback(
    (index: number) => {
      if (virtualizer.scrollElement === null) awaited.current = index;
      else virtualizer.scrollToIndex(index, { align: 'auto' });
    },
    [virtualizer],
  );
  useEffect(() => {
    const index = awaited.current;
    if (scroller === null || index === undefined) return;
    awaited.current = undefined;
    virtualizer.scrollToIndex(index, { align: 'auto' });
  }, [scroller, virtualizer]);
  const scrollToTop = useCallback(() => {
    if (virtualizer.scrollOffset !== 0) scrollTo(0);
  }, [virtualizer, scrollTo]);
  const items = virtualizer.getVirtualItems();
  return {
    items: hasBegun ? items : items.slice(0, rowsAtFirst),
    height: virtualizer.getTotalSize(),
    scrollTo,
    scrollToTop,
  };
}
