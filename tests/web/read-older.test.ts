import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { readAgain, readOlder } from '../../src/web/kit/read-older.ts';

/** A log whose pages come when the test lets them. */
function openLog() {
  const client = new QueryClient();
  /** Pages that are being read, in the order in which they were asked for. */
  const asked: { page: number; come: (text: string) => void; fail: () => void }[] = [];
  const observer = new InfiniteQueryObserver<string, Error, { pages: string[] }, string[], number>(client, {
    queryKey: ['log'],
    retry: false,
    initialPageParam: 1,
    getNextPageParam: (_last, _all, page) => (page < 3 ? page + 1 : undefined),
    queryFn: ({ pageParam: page }) =>
      new Promise((resolve, reject) => {
        asked.push({ page, come: resolve, fail: () => reject(new Error('It is away.')) });
      }),
  });
  const forget = observer.subscribe(() => undefined);
  const next = async () => {
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    const one = asked.shift();
    if (one === undefined) throw new Error('Nothing is read.');
    return one;
  };
  return { observer, asked, next, now: () => observer.getCurrentResult(), forget };
}

test('older pages come after those that are being read anew, and neither is given up', async () => {
  const { next, now, forget } = openLog();
  (await next()).come('old 1');
  await expect.poll(() => now().isFetching).toBe(false);
  void now().refetch();
  const anew = await next();
  await expect.poll(() => now().isFetching).toBe(true);
  const read = readOlder(now());
  anew.come('new 1');
  const older = await next();
  expect(older.page).toBe(2);
  older.come('new 2');
  await read;
  expect(now().data?.pages).toEqual(['new 1', 'new 2']);
  forget();
});

test('a second press while a page is being read asks for no other', async () => {
  const { asked, next, now, forget } = openLog();
  (await next()).come('1');
  await expect.poll(() => now().isFetching).toBe(false);
  const reads = [readOlder(now())];
  const older = await next();
  await expect.poll(() => now().isFetchingNextPage).toBe(true);
  reads.push(readOlder(now()));
  older.come('2');
  await Promise.all(reads);
  expect(asked).toEqual([]);
  expect(now().data?.pages).toEqual(['1', '2']);
  forget();
});

test('trying again after an older page failed reads that page alone, and what is shown stays', async () => {
  const { next, now, forget } = openLog();
  (await next()).come('1');
  await expect.poll(() => now().isFetching).toBe(false);
  const failed = readOlder(now());
  (await next()).fail();
  await failed;
  expect(now()).toMatchObject({ isFetchNextPageError: true, data: { pages: ['1'] } });
  const again = readAgain(now());
  const older = await next();
  expect(older.page).toBe(2);
  older.come('2');
  await again;
  expect(now()).toMatchObject({ error: null, data: { pages: ['1', '2'] } });
  forget();
});

test('trying again after what is known could not be read anew reads that', async () => {
  const { next, now, forget } = openLog();
  (await next()).come('1');
  await expect.poll(() => now().isFetching).toBe(false);
  const failed = now().refetch();
  (await next()).fail();
  await failed;
  expect(now()).toMatchObject({ isError: true, isFetchNextPageError: false });
  const again = readAgain(now());
  (await next()).come('new 1');
  await again;
  expect(now()).toMatchObject({ error: null, data: { pages: ['new 1'] } });
  forget();
});
