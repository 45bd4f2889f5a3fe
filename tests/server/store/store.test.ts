import { sql } from 'drizzle-orm';
import { Client } from 'pg';
import { expect, test, vi } from 'vitest';
import { openStore } from '../../../src/server/store/open.ts';
import { sendingPause } from '../../../src/server/store/outgoing.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { topicSorts } from '../../../src/server/store/store.ts';
import { isStoreUnavailable, storeProblem } from '../../../src/server/store/problem.ts';
import { emptyDatabase, freshDatabase } from '../postgres.ts';
import { sendNotice } from '../notice.ts';

test('six servers that start together on an empty database all come up, and it is migrated once', async () => {
  const database = await emptyDatabase();
  const stores = await Promise.all(
    Array.from({ length: 6 }, () => openStore({ databaseUrl: database.url, dataDir: '/nowhere' })),
  );
  const rows = await stores[0]?.pool.query('select count(*)::int as n from drizzle.__drizzle_migrations');
  const files = await import('../../../src/server/store/migrations/meta/_journal.json', {
    with: { type: 'json' },
  });
  expect(rows?.rows[0]).toEqual({ n: files.default.entries.length });
  await Promise.all(stores.map((store) => store.close()));
  await database.drop();
});

test.each(['/proc/nothing/here', '/proc/self'])(
  'a data folder where there can be none, or nothing can be written, is refused with a sentence: %s',
  async (dataDir) => {
    await expect(openStore({ databaseUrl: null, dataDir })).rejects.toThrow(
      new RegExp(`^The data folder ${dataDir} cannot be used .* Choose another one with WHEELHOUSE_DATA\\.$`),
    );
  },
);

test('a database that a newer version has written is refused with a sentence', async () => {
  const database = await freshDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    `insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', 9999999999999)`,
  );
  await client.end();
  await expect(openStore({ databaseUrl: database.url, dataDir: '/nowhere' })).rejects.toThrow(
    'A newer Wheelhouse has written to this database.',
  );
  await database.drop();
});

test('a database that cannot be reached, or that refuses, is named without its password', async () => {
  const unreachable = 'postgresql://me:hunter2@127.0.0.1:1/wheelhouse';
  const failure = await openStore({ databaseUrl: unreachable, dataDir: '/nowhere' }).then(
    () => '',
    (error: Error) => error.message,
  );
  expect(failure).toContain('The database at 127.0.0.1:1 (DATABASE_URL) cannot be reached');
  expect(failure).not.toContain('hunter2');
  const database = await freshDatabase();
  const missing = database.url.replace(/\/test_\w+/, '/absent');
  await expect(openStore({ databaseUrl: missing, dataDir: '/nowhere' })).rejects.toThrow(
    'Check user, password and database name.',
  );
  await database.drop();
});

test('times come out of the store as ISO strings in UTC', async () => {
  const database = await freshDatabase();
  const store = await openStore({ databaseUrl: database.url, dataDir: '/nowhere' });
  const [company] = await store.db.insert(companies).values({ name: 'Acme' }).returning();
  expect(company?.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const [user] = await store.db.insert(users).values({ name: 'Ada', email: 'ada@acme.example' }).returning();
  const expiresAt = '2031-02-03T04:05:06.789Z';
  await store.db.insert(sessions).values({
    tokenHash: Buffer.alloc(32, 1),
    userId: user?.id ?? 0,
    idleExpiresAt: expiresAt,
    expiresAt,
  });
  const [session] = await store.db.select().from(sessions);
  expect(session?.expiresAt).toBe(expiresAt);
  expect(session?.tokenHash.equals(Buffer.alloc(32, 1))).toBe(true);
  await store.close();
  await database.drop();
});

test('a message reaches every server, and a lost connection is followed by onGap', async () => {
  const database = await freshDatabase();
  const config = { databaseUrl: database.url, dataDir: '/nowhere' };
  const [one, two] = await Promise.all([openStore(config), openStore(config)]);
  const heard: unknown[] = [];
  const both = new Promise<void>((resolve) => {
    const hear = (message: unknown): void => {
      if (heard.push(message) === 2) resolve();
    };
    one.channel.on('grants', hear);
    two.channel.on('grants', hear);
  });
  const dispose = two.channel.on('grants', () => {
    throw new Error('A listener that throws bars no other.');
  });
  await sendNotice(one, 'grants', { companyId: 7 });
  await both;
  expect(heard).toEqual([{ companyId: 7 }, { companyId: 7 }]);
  dispose();

  const gap = new Promise<void>((resolve) => two.channel.onGap(resolve));
  await one.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen wheelhouse' and datname = current_database()`,
  );
  await gap;
  const again = new Promise<unknown>((resolve) => two.channel.on('clusters', resolve));
  await sendNotice(one, 'clusters', { companyId: 7, clusterId: 9 });
  expect(await again).toEqual({ companyId: 7, clusterId: 9 });
  await Promise.all([one.close(), two.close()]);
  await database.drop();
});

test('what no server of the installation wrote is passed over, whoever may write to the database', async () => {
  const database = await freshDatabase();
  const store = await openStore({ databaseUrl: database.url, dataDir: '/nowhere' });
  const heard: unknown[] = [];
  for (const topic of Object.keys(topicSorts) as (keyof typeof topicSorts)[])
    store.channel.on(topic, (message) => heard.push(message));
  const forged = ['', 'null', '7', '"x"', '[]', '{}', '{"topic":{},"message":{}}', '{"topic":"__proto__"}'];
  const unfit = ['null', '7', '"x"'].map((message) => `{"topic":"grants","message":${message}}`);
  for (const payload of [...forged, ...unfit, '{"topic":"toString","message":{}}'])
    await store.pool.query(`select pg_notify('wheelhouse', $1)`, [payload]);
  // An error in reading one would end the process; the next is heard.
  await sendNotice(store, 'grants', { companyId: 7 });
  await expect.poll(() => heard).toEqual([{ companyId: 7 }]);
  await store.close();
  await database.drop();
});

test('what is told often goes at most ten times a second for each topic, and none of it is lost', async () => {
  const database = await freshDatabase();
  const config = { databaseUrl: database.url, dataDir: '/nowhere' };
  const [one, two] = await Promise.all([openStore(config), openStore(config)]);
  const sendings = vi.spyOn(one.pool, 'query');
  const heard: number[] = [];
  two.channel.on('preferences', ({ userId }) => heard.push(userId));
  const rights: number[] = [];
  two.channel.on('grants', ({ companyId }) => rights.push(companyId));
  const began = performance.now();
  const people = Array.from({ length: 200 }, (_, index) => index);
  for (const userId of people) {
    // The last ones of a burst are told as well, and nobody has to wait for that.
    void one.channel.notify('preferences', { userId });
    if (userId % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 30));
  }
  // What may take rights away never waits: each goes with its own commit.
  for (const companyId of [1, 2, 3]) await sendNotice(one, 'grants', { companyId });
  await expect.poll(() => heard.toSorted((a, b) => a - b)).toEqual(people);
  await expect.poll(() => rights).toEqual([1, 2, 3]);
  const most = 2 + (performance.now() - began) / sendingPause;
  expect(sendings.mock.calls.filter(([text]) => text.includes('unnest')).length).toBeLessThan(most);
  const last = one.channel.notify('preferences', { userId: 1_000 });
  await one.close();
  await last;
  await expect.poll(() => heard).toContain(1_000);
  await two.close();
  await database.drop();
});

test('a query that meets a lost connection is a 503 to try again; a wrong query is not', async () => {
  const database = await freshDatabase();
  const store = await openStore({ databaseUrl: database.url, dataDir: '/nowhere' });
  const cut = await store.db
    .execute(sql`select pg_terminate_backend(pg_backend_pid())`)
    .catch((e: Error) => e);
  expect(storeProblem(cut)).toMatchObject({ status: 503, retryable: true });
  const wrong = await store.db.execute(sql`select nothing`).catch((e: Error) => e);
  expect(isStoreUnavailable(wrong)).toBe(false);
  expect(storeProblem(wrong)).toBeNull();
  await store.close();
  await database.drop();
});
