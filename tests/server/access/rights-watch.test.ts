import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { storeGrace } from '../../../src/contract/live-socket.ts';
import { rightsInterval, type Watched, watchSessionRights } from '../../../src/server/access/rights-watch.ts';
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
  const held: string[] = [];
  const socket = (sessionHash: string, companyId: number): Watched => ({
    companyId,
    sessionHash,
    clusterIds: new Set(),
    compare: (current) => compared.push(current?.userId),
    hold() {
      held.push(`hold ${sessionHash}`);
      return (current) => held.push(`${sessionHash} ${current?.userId ?? 'ended'}`);
    },
  });
  const sockets = [socket('aa', 2)];
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
    open: () => sockets,
  });
  const away = () => Promise.reject(new Error('The store is away.'));
  return { clock, compared, held, socket, sockets, store, watch, away };
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

describe('a notice that rights may have changed', () => {
  test('holds up what is open of its company, and one statement says what goes on', async () => {
    const { held, socket, sockets, store, watch } = world();
    sockets.push(socket('bb', 2), socket('cc', 3));
    watch.confirm(2);
    expect(held).toEqual(['hold aa', 'hold bb']);
    await settle();
    expect([store.reads, held.slice(2)]).toEqual([1, ['aa 1', 'bb ended']]);
    watch.confirm(undefined);
    expect(held.slice(4)).toEqual(['hold aa', 'hold bb', 'hold cc']);
  });

  test('during a read is answered by the next one alone, which is the only other one', async () => {
    const { held, socket, sockets, store, watch } = world();
    sockets.push(socket('bb', 3));
    const first = Promise.withResolvers<object[]>();
    store.answer = () => first.promise;
    watch.confirm(undefined);
    store.answer = () => Promise.resolve([]);
    for (let notice = 0; notice < 10; notice += 1) watch.confirm(2);
    first.resolve([row, { ...row, hash: 'bb' }]);
    await settle();
    expect([store.reads, held.filter((one) => !one.startsWith('hold'))]).toEqual([2, ['bb 1', 'aa ended']]);
  });

  test('holds up what is open until the rights can be read, and no longer', async () => {
    const { clock, held, store, watch, away } = world();
    store.answer = away;
    watch.confirm(2);
    await clock.advance(rightsInterval - 1);
    expect(held).toEqual(['hold aa']);
    store.answer = () => Promise.resolve([row]);
    await clock.advance(1_000);
    expect(held).toEqual(['hold aa', 'aa 1']);
  });

  test('does nothing after the end', async () => {
    const { clock, held, store, watch, away } = world();
    store.answer = away;
    watch.confirm(2);
    await settle();
    watch.end();
    store.answer = () => Promise.resolve([row]);
    await clock.advance(rightsInterval);
    expect([held, clock.pending]).toEqual([['hold aa'], 0]);
  });
});
