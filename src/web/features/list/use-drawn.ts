import { useCallback, useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { drawnRange, offsetShowing } from './drawn-rows.ts';

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

/** A row that is drawn. */
interface DrawnRow {
  readonly index: number;
  /** Distance from the first row, px. */
  readonly start: number;
}

/** The rows that are drawn. */
export interface Drawn {
  readonly items: readonly DrawnRow[];
  /** Of all rows, px. */
  readonly height: number;
  /** Scrolls as little as shows a row. */
  readonly scrollTo: (index: number) => void;
  /** Scrolls to the first row, where it is not at the top: asking what scrolls would lay everything out. */
  readonly scrollToTop: () => void;
}

/**
 * The part of the rows that a scroller shows. To ask the browser for it would lay out rows that were drawn a moment before:
 * scrolling and measuring report it once they are laid out anyway.
 * @param step px of scrolling that draw other rows: less draws nothing anew
 * @param initial height before anybody has measured, px
 */
function useShown(scroller: HTMLElement | null, step: number, initial: number) {
  /** How far it is scrolled, px. */
  const offset = useRef(0);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(initial);
  const isMeasured = useRef(false);
  const note = useCallback(
    (next: number) => {
      offset.current = next;
      setTop(Math.floor(next / step) * step);
    },
    [step],
  );
  const scroll = useCallback(
    (element: HTMLElement, to: number) => {
      element.scrollTop = to;
      // Not every row may be laid out yet.
      note(element.scrollTop);
    },
    [note],
  );
  useLayoutEffect(() => {
    if (scroller === null) return undefined;
    // Rows that are shown again are where they were.
    if (offset.current !== 0) scroller.scrollTo(scroller.scrollLeft, offset.current);
    const stop = new AbortController();
    const options = { passive: true, signal: stop.signal };
    scroller.addEventListener('scroll', () => note(scroller.scrollTop), options);
    // The height of a hidden list is 0: it draws nothing.
    const observer = new ResizeObserver(() => {
      isMeasured.current = true;
      setHeight(scroller.clientHeight);
    });
    observer.observe(scroller);
    return () => {
      isMeasured.current = false;
      stop.abort();
      observer.disconnect();
    };
  }, [scroller, note]);
  return { offset, top, height, isMeasured, scroll };
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
  const initial = window.innerHeight - barsAround * rootSize;
  const { offset, top, height, isMeasured, scroll } = useShown(scroller, rowHeight, initial);
  // A list that has just come back is asked for a row before it stands in what scrolls it.
  const awaited = useRef<number>(undefined);
  const scrollTo = useCallback(
    (index: number) => {
      if (scroller === null) {
        awaited.current = index;
        return;
      }
      // A row that has to be shown before the first measurement would stop below the edge by what the guess is wrong.
      const seen = isMeasured.current ? height : scroller.clientHeight;
      const to = offsetShowing(index, { offset: offset.current, height: seen, rowHeight }, headHeight);
      if (to !== undefined) scroll(scroller, to);
    },
    [scroller, offset, height, isMeasured, rowHeight, headHeight, scroll],
  );
  useEffect(() => {
    const index = awaited.current;
    if (scroller === null || index === undefined) return;
    awaited.current = undefined;
    scrollTo(index);
  }, [scroller, scrollTo]);
  const scrollToTop = useCallback(() => {
    if (offset.current !== 0) scrollTo(0);
  }, [offset, scrollTo]);
  const [from, to] = drawnRange({ offset: top, height, rowHeight }, count, isSpread ? rowsBeyond : 0);
  const last = hasBegun ? to : Math.min(to, from + rowsAtFirst);
  const items = useMemo(
    () =>
      Array.from({ length: Math.max(0, last - from) }, (_, at) => ({
        index: from + at,
        start: (from + at) * rowHeight,
      })),
    [from, last, rowHeight],
  );
  return { items, height: count * rowHeight, scrollTo, scrollToTop };
}
