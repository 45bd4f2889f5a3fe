import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from 'drizzle-orm';
import { openStore, type OpenStore } from '../../../src/server/store/open.ts';
import type { FreshDatabase } from '../../test-postgres.ts';
import { freshDatabase } from '../postgres.ts';

let database: FreshDatabase;
let store: OpenStore;
const warned: string[] = [];
const note = (warning: Error): void => void warned.push(warning.message);
beforeAll(async () => {
  process.on('warning', note);
  database = await freshDatabase();
  store = await openStore({ databaseUrl: database.url, dataDir: '/nowhere' });
});
afterAll(async () => {
  process.off('warning', note);
  await store.close();
  await database.drop();
});

it('statements that are given to one connection together run one after the other, and pg warns of none', async () => {
  const client = await store.connect('test');
  const answers = await Promise.allSettled(
    ['select 1 as n', 'select no_such_column', 'select 3 as n'].map((text) =>
      client.query<{ n: number }>(text),
    ),
  );
  expect(answers.map((one) => (one.status === 'fulfilled' ? one.value.rows[0]?.n : 'refused'))).toEqual([
    1,
    'refused',
    3,
  ]);
  await client.end();
  const within = await store.db.transaction((tx) =>
    Promise.all([1, 2, 3].map((n) => tx.execute<{ n: number }>(sql`select ${n}::int as n`))),
  );
  expect(within.map(({ rows }) => rows[0]?.n)).toEqual([1, 2, 3]);
  // Warnings are said in a turn of their own.
  await new Promise((resolve) => void setImmediate(resolve));
  expect(warned.filter((message) => message.includes('client.query()'))).toEqual([]);
});
