import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useLayoutEffect, useState } from 'react';

/** A row with the focus is no longer kept once more rows than these are between it and those in sight. */
const maxBetween = 100;

interface WindowOptions {
  /** The element whose rows they are. */
  readonly body: RefObject<HTMLElement | null>;
  /** Number of rows. */
  readonly count: number;
  /** Height of a row (px) until it was measured. */
  readonly rowHeight: number;
  /** A row that stays drawn when it is scrolled out of sight: it has the focus. -1 for none. */
  readonly kept: number;
}

/** The rows of a long table that are drawn. */
interface DrawnRows {
  /** Indexes of those that are drawn. */
  readonly items: readonly number[];
  /** Height of what is left out above and below them, px. */
  readonly above: number;
  readonly below: number;
  /** The ref of each row, which carries its index in `data-index`. */
  readonly measure: (row: HTMLElement | null) => void;
}

/** Size of a page of which nothing is drawn yet, px: as high as most windows. */
const firstRect = { width: 0, height: 1_000 } as const;

const scrollerOf = (element: HTMLElement | null): HTMLElement | null =>
  element?.closest<HTMLElement>('[data-scroller]') ?? null;

/** The rows of a long table that are in sight or near it, in a page that scrolls. */
export function useWindow({ body, count, rowHeight, kept }: WindowOptions): DrawnRows {
  const [margin, setMargin] = useState(0);
  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = defaultRangeExtractor(range);
      const first = indexes[0] ?? 0;
      const last = indexes.at(-1) ?? 0;
      const [from, to] = [Math.min(first, kept), Math.max(last, kept)];
      // The rows between are drawn as well: what is left out is above and below all of them.
      if (kept < 0 || to - from > last - first + maxBetween) return indexes;
      return Array.from({ length: to - from + 1 }, (_, at) => from + at);
    },
    [kept],
  );
  const virtualizer = useVirtualizer({
    count,
    rangeExtractor,
    getScrollElement: () => scrollerOf(body.current),
    estimateSize: () => rowHeight,
    scrollMargin: margin,
    // Rows are there at once: the focus goes to the first of them.
    initialRect: firstRect,
    overscan: 12,
    useFlushSync: false,
  });
  useLayoutEffect(() => {
    const element = body.current;
    const around = scrollerOf(element);
    if (element === null || around === null) return undefined;
    const place = () => {
      const top = element.getBoundingClientRect().top - around.getBoundingClientRect().top;
      setMargin(Math.round(top + around.scrollTop));
    };
    place();
    // Notes and filters above it come and go.
    const observer = new ResizeObserver(place);
    for (const part of around.children) observer.observe(part);
    return () => observer.disconnect();
  }, [body]);
  const drawn = virtualizer.getVirtualItems();
  return {
    items: drawn.map(({ index }) => index),
    above: (drawn[0]?.start ?? margin) - margin,
    below: virtualizer.getTotalSize() - ((drawn.at(-1)?.end ?? margin) - margin),
    measure: virtualizer.measureElement,
  };
}
