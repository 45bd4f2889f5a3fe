import { expect, test } from 'vitest';
import { openStore } from '../../../src/server/store/open.ts';
import { queueDatabase } from '../../../src/server/store/queue-database.ts';
import { freshDatabase } from '../postgres.ts';

test('the queue has two connections of the pool at most, however many workers ask at once', async () => {
  const database = await freshDatabase();
  const store = await openStore({ databaseUrl: database.url, dataDir: '' });
  const queue = queueDatabase(store);
  const asked = await Promise.all(
    Array.from({ length: 8 }, (_, index) => queue.executeSql('select $1::int as index', [index])),
  );
  expect(asked.map(({ rows }) => rows[0])).toEqual(asked.map((_, index) => ({ index })));
  expect(store.pool.totalCount).toBe(2);
  await store.close();
  await database.drop();
});
