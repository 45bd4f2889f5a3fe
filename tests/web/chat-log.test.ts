import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { placesOf, shiftOf } from '../../src/web/screens/Chat/scroll-place.ts';
import { rereadLog } from '../../src/web/screens/Chat/reread.ts';

describe('turns that are read anew while an earlier page is read', () => {
  /** A log of pages, each of which ends when its reading is let go. */
  async function openLog() {
    const readings: { readonly page: number; readonly end: (failure?: Error) => void }[] = [];
    const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    const queryKey = ['log'];
    const observer = new InfiniteQueryObserver(queryClient, {
      queryKey,
      initialPageParam: 0,
      queryFn: async ({ pageParam, signal }) => {
        const { promise, resolve, reject } = Promise.withResolvers<number>();
        const end = (failure?: Error) => (failure === undefined ? resolve(pageParam) : reject(failure));
        signal.addEventListener('abort', () => reject(new Error('cancelled')));
        readings.push({ page: pageParam, end });
        return await promise;
      },
      getNextPageParam: (page: number) => page + 1,
    });
    const unsubscribe = observer.subscribe(() => undefined);
    const nextReading = async (count: number) => {
      await expect.poll(() => readings.length).toBe(count);
      return readings[count - 1];
    };
    (await nextReading(1))?.end();
    await expect.poll(() => observer.getCurrentResult().isFetching).toBe(false);
    const pages = () => observer.getCurrentResult().data?.pages;
    const close = () => {
      unsubscribe();
      queryClient.clear();
    };
    return { observer, pages, nextReading, reread: () => rereadLog(queryClient, queryKey), close };
  }

  it('are read after that page, which is kept', async () => {
    const { observer, pages, nextReading, reread, close } = await openLog();
    const page = observer.fetchNextPage({ cancelRefetch: false });
    const earlier = await nextReading(2);
    const anew = reread();
    earlier?.end();
    await page;
    expect(pages()).toEqual([0, 1]);
    for (const count of [3, 4]) (await nextReading(count))?.end();
    await anew;
    expect(pages()).toEqual([0, 1]);
    close();
  });

  it('are read after that page failed', async () => {
    const { observer, nextReading, reread, close } = await openLog();
    void observer.fetchNextPage({ cancelRefetch: false });
    const earlier = await nextReading(2);
    const anew = reread();
    earlier?.end(new Error('no'));
    (await nextReading(3))?.end();
    await anew;
    expect(observer.getCurrentResult()).toMatchObject({ isError: false, data: { pages: [0] } });
    close();
  });

  it('are not cancelled by a page that is asked for meanwhile', async () => {
    const { observer, pages, nextReading, reread, close } = await openLog();
    const anew = reread();
    const first = await nextReading(2);
    const page = observer.fetchNextPage({ cancelRefetch: false });
    first?.end();
    await Promise.all([anew, page]);
    expect(pages()).toEqual([0]);
    close();
  });
});

describe('what is on screen', () => {
  /** A list in a scroller whose top is 100 px below that of the window. */
  function scrolled(heights: readonly number[], scrollTop: number, above = 0) {
    const items = heights.map((height, index) => {
      const top = 100 - scrollTop + above + heights.slice(0, index).reduce((sum, one) => sum + one, 0);
      return { isConnected: true, getBoundingClientRect: () => ({ top, bottom: top + height }) };
    });
    const box = { top: 100, bottom: 400 };
    return { items, scroller: { isConnected: true, scrollTop, getBoundingClientRect: () => box } };
  }

  /** How far the items have moved when some are put before them or taken away, or something stands above the list. */
  function shiftBy(change: {
    dropped?: number;
    added?: readonly number[];
    above?: number;
    scrollTop?: number;
  }) {
    const heights = [200, 300, 400];
    const before = scrolled(heights, 250);
    const places = placesOf(before.items, before.scroller);
    const { dropped = 0, added = [], above = 0, scrollTop = 250 } = change;
    const after = scrolled([...added, ...heights.slice(dropped)], scrollTop, above);
    const moved = places.map(({ item, offset }) => {
      const index = before.items.indexOf(item);
      const now = after.items[index - dropped + added.length];
      return { item: index < dropped || now === undefined ? { ...item, isConnected: false } : now, offset };
    });
    return shiftOf(moved, after.scroller);
  }

  it.each([
    ['nothing happens', {}, 0],
    ['earlier items are put before it', { added: [500, 100] }, 600],
    ['an item above it goes', { dropped: 1 }, -200],
    ['it goes itself', { dropped: 2 }, -500],
    ['all of it goes', { dropped: 3 }, 0],
    ['an alert is put above the list', { above: 60 }, 60],
    ['it is scrolled before that is known', { above: 60, scrollTop: 0 }, 60],
  ])('has moved when %s', (_case, change, shift) => {
    expect(shiftBy(change)).toBe(shift);
  });

  it('begins with the topmost item that shows', () => {
    const { items, scroller } = scrolled([200, 300, 400], 250);
    expect(placesOf(items, scroller)).toEqual([
      { item: items[1], offset: 200 },
      { item: items[2], offset: 500 },
    ]);
  });
});
