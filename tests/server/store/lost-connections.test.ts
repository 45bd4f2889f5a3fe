import { sql } from 'drizzle-orm';
import type { PoolClient } from 'pg';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/server/store/open.ts';
import { isStoreUnavailable } from '../../../src/server/store/problem.ts';
import { freshDatabase } from '../postgres.ts';

test('a transaction that finds its connection lost says so, and gives its place in the pool back', async () => {
  const database = await freshDatabase();
  const store = await openStore({ databaseUrl: database.url, dataDir: '/nowhere' });
  const { db, pool } = store;
  const lose = (client: PoolClient) => {
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  };
  try {
    for (let count = 0; count < pool.options.max; count += 1) {
      pool.once('acquire', lose);
      const failure: unknown = await db
        .transaction((tx) => tx.execute(sql`select 1`))
        .catch((error: unknown) => error);
      expect(isStoreUnavailable(failure), String(failure)).toBe(true);
    }
    const { rows } = await db.transaction((tx) => tx.execute(sql`select 1 as one`));
    expect(rows).toEqual([{ one: 1 }]);
    expect(pool.totalCount - pool.idleCount).toBe(0);
  } finally {
    await store.close();
    await database.drop();
  }
});
