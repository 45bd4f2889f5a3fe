import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { storeGrace } from '../../../src/contract/live.ts';
import { rightsInterval, watchSessionRights } from '../../../src/server/access/rights-watch.ts';
import { createFakeClock, settle } from '../live/fake-clock.ts';

const row = {
  hash: 'aa',
  user_id: 1,
  company_id: 2,
  token_id: null,
  org_role: 3,
  id: null,
  grants: [],
};

/** A watch over one open socket, and a store whose answers are the test's. */
function world() {
  const clock = createFakeClock();
  const compared: (number | undefined)[] = [];
  const store = { reads: 0, answer: () => Promise.resolve([row]) as Promise<object[]> };
  const watch = watchSessionRights({
    db: {
      execute: (async () => {
        store.reads += 1;
        return { rows: await store.answer() };
      }) as never,
    },
    log: pino({ level: 'silent' }),
    clock,
    what: 'pages',
    open: () => [
      {
        sessionHash: 'aa',
        clusterIds: new Set<number>(),
        compare: (current) => compared.push(current?.userId),
      },
    ],
  });
  const away = () => Promise.reject(new Error('The store is away.'));
  return { clock, compared, store, watch, away };
}

describe('the rights of what is open', () => {
  test('are read every few seconds, and at once when asked', async () => {
    const { clock, compared, watch } = world();
    await clock.advance(rightsInterval);
    expect(compared).toEqual([1]);
    watch.look();
    await settle();
    expect(compared).toEqual([1, 1]);
    await clock.advance(rightsInterval - 1);
    expect(compared).toEqual([1, 1]);
    await clock.advance(1);
    expect(compared).toEqual([1, 1, 1]);
  });

  test('are read once more when they are asked for during a read', async () => {
    const { clock, compared, store, watch } = world();
    const first = Promise.withResolvers<object[]>();
    store.answer = () => first.promise;
    watch.look();
    watch.look();
    watch.look();
    first.resolve([row]);
    await clock.advance(0);
    expect([store.reads, compared]).toEqual([2, [1, 1]]);
  });

  test('that cannot be read are read again each second, and leave what is open alone', async () => {
    const { clock, compared, store, away } = world();
    store.answer = away;
    await clock.advance(rightsInterval + 3_000);
    expect([store.reads, compared]).toEqual([4, []]);
  });

  test('end what is open, once, when nobody could say for five minutes; and count again after an answer', async () => {
    const { clock, compared, store, away } = world();
    store.answer = away;
    await clock.advance(rightsInterval + storeGrace - 1);
    expect(compared).toEqual([]);
    await clock.advance(2_000);
    expect(compared).toEqual([undefined]);
    store.answer = () => Promise.resolve([row]);
    await clock.advance(1_000);
    expect(compared).toEqual([undefined, 1]);
    store.answer = away;
    await clock.advance(rightsInterval + storeGrace - 2_000);
    expect(compared).toEqual([undefined, 1]);
    await clock.advance(2_000);
    expect(compared).toEqual([undefined, 1, undefined]);
  });

  test('are not compared after the end', async () => {
    const { clock, compared, store, watch } = world();
    const answer = Promise.withResolvers<object[]>();
    store.answer = () => answer.promise;
    watch.look();
    watch.end();
    answer.resolve([row]);
    await clock.advance(2 * rightsInterval);
    expect([compared, clock.pending]).toEqual([[], 0]);
  });
});
