import { sql } from 'drizzle-orm';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/server/kit/clock.ts';
import { StoredQueue, type Try } from '../../../src/server/queue/queue.ts';
import { openStore, type OpenStore } from '../../../src/server/store/open.ts';
import type { FreshDatabase } from '../../test-postgres.ts';
import { freshDatabase } from '../postgres.ts';

let database: FreshDatabase;
let store: OpenStore;
let queue: StoredQueue;
/** Tries that were performed, in order. */
let performed: Try[];

beforeEach(async () => {
  database = await freshDatabase();
  store = await openStore({ databaseUrl: database.url, dataDir: '/nowhere' });
  queue = new StoredQueue({ store, log: pino({ level: 'silent' }), clock: systemClock });
  performed = [];
});
afterEach(async () => {
  await queue.close();
  await store.close();
  await database.drop();
});

const add = (attempt: Try, wait?: number) =>
  store.db.transaction((tx) => queue.add('mail', attempt, tx, wait));

const work = (perform: (attempt: Try) => Promise<void> = () => Promise.resolve()) =>
  queue.work('mail', {
    atOnce: 1,
    overdue: () => Promise.resolve([]),
    async perform(attempt) {
      performed.push(attempt);
      await perform(attempt);
    },
  });

describe('a job of the queue', () => {
  it('is one for each try, however often that is added', async () => {
    await add({ id: 'a', tries: 0 }, 60_000);
    await add({ id: 'a', tries: 0 });
    await add({ id: 'a', tries: 1 }, 60_000);
    await add({ id: 'b', tries: 0 }, 60_000);
    const { rows } = await store.db.execute(
      sql`select singleton_key as key from pgboss.job where name = 'mail' order by singleton_key`,
    );
    expect(rows).toEqual([{ key: 'a/0' }, { key: 'a/1' }, { key: 'b/0' }]);
  });

  it('is done again where doing it failed', async () => {
    await work(() =>
      performed.length === 1 ? Promise.reject(new Error('a fault of ours')) : Promise.resolve(),
    );
    await add({ id: 'a', tries: 0 });
    await expect.poll(() => performed, { timeout: 15_000 }).toHaveLength(2);
    expect(performed[1]).toEqual(performed[0]);
  });

  it('is found within seconds although the notice of it was lost', async () => {
    await work();
    await add({ id: 'first', tries: 0 });
    await expect.poll(() => performed.map(({ id }) => id)).toEqual(['first']);
    // As a server adds it that ends before it tells the others.
    const silent = new StoredQueue({
      store: { pool: store.pool, channel: { ...store.channel, notify: () => Promise.resolve() } },
      log: pino({ level: 'silent' }),
      clock: systemClock,
    });
    try {
      await store.db.transaction((tx) => silent.add('mail', { id: 'unheard', tries: 0 }, tx));
      await expect
        .poll(() => performed.map(({ id }) => id), { timeout: 15_000 })
        .toEqual(['first', 'unheard']);
    } finally {
      await silent.close();
    }
  });
});
