import { sql } from 'drizzle-orm';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LockedDuties } from '../../../src/server/duties/duties.ts';
import { type LiveServer, orders } from '../../../src/server/duties/rendezvous.ts';
import { type Clock, systemClock } from '../../../src/server/kit/clock.ts';
import { openStore, type OpenStore } from '../../../src/server/store/open.ts';
import type { FreshDatabase } from '../../test-postgres.ts';
import { freshDatabase } from '../postgres.ts';
import { noteSteadySigns } from '../steady-signs.ts';

let database: FreshDatabase;
let store: OpenStore;
const open: LockedDuties[] = [];
/** Who does what at this moment. */
let doing: string[];
/** A server whose timers do not fire any more. */
let frozen: string | undefined;
/** Maximum number of servers that did one duty at the same time. */
let most: number;
/** How much the clock of all servers is ahead, ms. */
let passed: number;

/**
 * A server that takes part in some duties, and looks for them a hundred times as often.
 * @param silence time after which a database that does not answer counts as lost, ms
 */
function startServer(server: string, duties: readonly string[], silence = 8_000): LockedDuties {
  const clock: Clock = {
    ...systemClock,
    now: () => systemClock.now() + passed,
    after: (ms, run) =>
      systemClock.after(ms === 2_000 ? 20 : ms === 8_000 ? silence : ms, () => {
        if (frozen !== server) run();
      }),
  };
  const made = new LockedDuties({ store, log: pino({ level: 'silent' }), clock, server });
  for (const key of duties)
    made.add({
      key,
      run: async (signal) => {
        doing.push(`${server} ${key}`);
        most = Math.max(most, doing.filter((one) => one.endsWith(` ${key}`)).length);
        await new Promise<void>((resolve) => {
          if (signal.aborted) resolve();
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
        doing = doing.filter((one) => one !== `${server} ${key}`);
      },
    });
  made.start();
  open.push(made);
  return made;
}

/** Ends the connection that a server's locks are held on, as a killed server's is ended. */
const cut = (server: string) =>
  store.db.execute(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${`wheelhouse duties ${server}`}`,
  );

const holderOf = (key: string) => doing.find((one) => one.endsWith(` ${key}`))?.split(' ')[0];

describe('a duty', () => {
  beforeEach(async () => {
    database = await freshDatabase();
    store = await openStore({ databaseUrl: database.url, dataDir: '/nowhere' });
    doing = [];
    most = 0;
    passed = 0;
    frozen = undefined;
  });
  afterEach(async () => {
    for (let one = open.pop(); one !== undefined; one = open.pop()) await one.close();
    await store.close();
    await database.drop();
  });

  it('is done by one of two servers, and each does some of many', async () => {
    const keys = Array.from({ length: 12 }, (_, index) => `duty/${index}`);
    startServer('a', []);
    startServer('b', []);
    await expect.poll(async () => (await store.db.execute(sql`select id from servers`)).rows).toHaveLength(2);
    startServer('c', keys);
    startServer('d', keys);
    await expect
      .poll(() => new Set(doing.map((one) => one.split(' ')[1])).size, { timeout: 10_000 })
      .toBe(12);
    expect(doing).toHaveLength(12);
    expect(most).toBe(1);
  });

  it('is taken over when its server closes, and when the connection of its lock is cut', async () => {
    const first = startServer('a', ['one']);
    await expect.poll(() => holderOf('one')).toBe('a');
    startServer('b', ['one']);
    open.splice(open.indexOf(first), 1);
    await first.close();
    await expect.poll(() => holderOf('one'), { timeout: 5_000 }).toBe('b');
    startServer('c', ['one']);
    await cut('b');
    // Its own server hears of it at once and ends what it did; whoever comes first has it then.
    await expect.poll(() => doing.length, { timeout: 5_000 }).toBe(1);
  });

  it('of a server that is frozen is another one’s once its signs of life stop', async () => {
    startServer('frozen', ['one']);
    await expect.poll(() => holderOf('one')).toBe('frozen');
    frozen = 'frozen';
    startServer('b', ['one']);
    await expect
      .poll(
        async () => {
          // Its last sign of life was a minute ago.
          await store.db.execute(
            sql`update servers set seen_at = now() - interval '1 minute' where id = 'frozen'`,
          );
          await noteSteadySigns(store.db);
          return holderOf('one');
        },
        { timeout: 5_000 },
      )
      .toBe('b');
  });

  it('returns to servers that have lived for long enough, until each does its share', async () => {
    const keys = Array.from({ length: 9 }, (_, index) => `duty/${index}`);
    const countOf = (server: string) => doing.filter((one) => one.startsWith(`${server} `)).length;
    const settle = () => store.db.execute(sql`update servers set since = now() - interval '1 minute'`);
    startServer('a', keys);
    await expect.poll(() => countOf('a'), { timeout: 5_000 }).toBe(9);
    await settle();
    startServer('b', keys);
    startServer('c', keys);
    await expect.poll(async () => (await store.db.execute(sql`select id from servers`)).rows).toHaveLength(3);
    expect(countOf('a')).toBe(9);
    await settle();
    await expect.poll(() => ['a', 'b', 'c'].map(countOf), { timeout: 10_000 }).toEqual([3, 3, 3]);
    expect(most).toBe(1);
  });

  it('that another server does not take returns to the one that gave it, and stays', async () => {
    const keys = ['duty/0', 'duty/1', 'duty/2', 'duty/3'];
    startServer('a', keys);
    await expect.poll(() => doing.length, { timeout: 5_000 }).toBe(4);
    startServer('b', []);
    await expect.poll(async () => (await store.db.execute(sql`select id from servers`)).rows).toHaveLength(2);
    await store.db.execute(sql`update servers set since = now() - interval '1 minute'`);
    // Both are given away once, and taken back when five seconds have passed.
    const gone = new Set<string>();
    await expect
      .poll(
        () => {
          for (const key of keys) if (holderOf(key) === undefined) gone.add(key);
          passed += 50;
          return gone.size === 2 && doing.length === 4;
        },
        { timeout: 30_000, interval: 5 },
      )
      .toBe(true);
    expect(most).toBe(1);
  });

  it('ends where the database does not answer, and is taken again once it does', async () => {
    startServer('a', ['one'], 500);
    await expect.poll(() => holderOf('one'), { timeout: 10_000 }).toBe('a');
    const holder = await store.connect('holder');
    try {
      // No server can give a sign of life.
      await holder.query('begin; lock table servers');
      await expect.poll(() => doing, { timeout: 10_000 }).toEqual([]);
      await holder.query('rollback');
      await expect.poll(() => holderOf('one'), { timeout: 20_000 }).toBe('a');
      expect(most).toBe(1);
    } finally {
      await holder.end();
    }
  });

  it('ends when the server takes no part in it any more, and begins again where it ended by itself', async () => {
    const server = startServer('a', []);
    let runs = 0;
    const end = server.add({
      key: 'short',
      run: async () => {
        runs += 1;
        throw new Error('It failed.');
      },
    });
    await expect.poll(() => runs).toBe(1);
    passed = 5_000;
    await expect.poll(() => runs).toBe(2);
    end();
    const { rows } = await store.db.execute(sql`select 1 from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`);
    expect(rows).toEqual([]);
  });
});

describe('the order of servers', () => {
  const settled = (...ids: string[]): LiveServer[] => ids.map((id) => ({ id, isSettled: true }));
  const duties = Array.from({ length: 50 }, (_, index) => `detection/${index}`);
  const loadsOf = (servers: readonly LiveServer[]) => {
    const first = [...orders(servers, duties).values()].map(([id]) => id);
    return servers.map(({ id }) => first.filter((one) => one === id).length);
  };

  it('has all of them for each duty, the same whoever asks', () => {
    const servers = settled('a', 'b', 'c', 'd');
    const order = orders(servers, duties);
    for (const one of order.values()) expect(one.toSorted()).toEqual(['a', 'b', 'c', 'd']);
    expect(orders(servers.toReversed(), duties.toReversed())).toEqual(order);
  });

  it.each([1, 2, 3, 4, 7])('gives none of %i servers more than its share, rounded up', (count) => {
    const servers = settled(...Array.from({ length: count }, (_, index) => `server ${index}`));
    expect(Math.max(...loadsOf(servers))).toBeLessThanOrEqual(Math.ceil(duties.length / count));
  });

  it('changes for few duties when a server goes', () => {
    const [before, after] = [settled('a', 'b', 'c', 'd'), settled('a', 'b', 'c')].map((servers) =>
      orders(servers, duties),
    );
    const moved = duties.filter((duty) => {
      const first = before?.get(duty)?.[0];
      return first !== 'd' && first !== after?.get(duty)?.[0];
    });
    expect(moved.length).toBeLessThan(duties.length / 3);
  });

  it('has servers that are not settled last, unless none is', () => {
    const servers = settled('a', 'b').concat({ id: 'new', isSettled: false });
    for (const one of orders(servers, duties).values()) expect(one[2]).toBe('new');
    const fresh = servers.map(({ id }) => ({ id, isSettled: false }));
    expect(Math.max(...loadsOf(fresh))).toBeLessThanOrEqual(17);
  });
});
