import { sql } from 'drizzle-orm';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { superuser } from '../../../src/server/store/embedded/names.ts';
import { openStore } from '../../../src/server/store/open.ts';
import { isStoreUnavailable } from '../../../src/server/store/problem.ts';
import type { FreshDatabase } from '../../test-postgres.ts';
import { emptyDatabase, freshDatabase } from '../postgres.ts';
import { startTransactionPooler } from './transaction-pooler.ts';

let database: FreshDatabase;
let name: string;

beforeEach(async () => {
  database = await freshDatabase();
  name = new URL(database.url).pathname.slice(1);
});
afterEach(() => database.drop());

const open = (databaseUrl: string) => openStore({ databaseUrl, dataDir: '/nowhere' });

/** Does something as the owner of PostgreSQL. */
async function administer(statement: string, on = database.url): Promise<void> {
  const client = new Client({ connectionString: on });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

test.each([1, 2, 3])(
  'a pooler in transaction mode with %i sessions is refused with what to set, and keeps no lock',
  async (count) => {
    const { socket } = inject('postgres');
    const pooler = await startTransactionPooler({ socket, user: superuser, database: name }, count);
    try {
      await expect(open(`postgresql://${superuser}@127.0.0.1:${pooler.port}/${name}`)).rejects.toThrow(
        /^The database at 127\.0\.0\.1 \(DATABASE_URL\) is behind a pooler that gives a session to several connections .* Set pool_mode = session /,
      );
      const client = new Client({ connectionString: database.url });
      await client.connect();
      const { rows } = await client.query(
        `select from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
      );
      await client.end();
      expect(rows).toEqual([]);
    } finally {
      await pooler.close();
    }
  },
);

test('a database that takes no changes is refused with what to do', async () => {
  await administer(`alter database ${name} set default_transaction_read_only = on`);
  await expect(open(database.url)).rejects.toThrow(
    / \(DATABASE_URL\) takes no changes: default_transaction_read_only is on/,
  );
});

test('a role without the right to create is refused with what to grant', async () => {
  const empty = await emptyDatabase();
  const url = new URL(empty.url);
  const role = `${url.pathname.slice(1)}_role`;
  await administer(`create role ${role} login`);
  try {
    url.username = role;
    await expect(open(url.href)).rejects.toThrow(
      new RegExp(
        `^The role ${role} may not create what this version needs in the database .*: permission denied for .*grant it "connect, create on database"`,
      ),
    );
  } finally {
    await empty.drop();
    await administer(`drop role ${role}`);
  }
});

test('while the primary changes, writes say that they may be tried again, and connections to the former one go', async () => {
  const store = await open(database.url);
  try {
    // A session takes the setting when it begins: those of before are as good as on another server.
    await administer(`alter database ${name} set default_transaction_read_only = on`);
    await store.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name = 'wheelhouse'`);
    await store.db.execute(sql`select pg_terminate_backend(pg_backend_pid())`).catch(() => undefined);
    const write = () => store.db.transaction((tx) => tx.execute(sql`create table failed_over (id int)`));
    const refused: unknown = await write().catch((error: unknown) => error);
    expect(isStoreUnavailable(refused), String(refused)).toBe(true);
    const former = new Client({
      connectionString: database.url,
      options: '-c default_transaction_read_only=off',
    });
    await former.connect();
    await former.query(`alter database ${name} reset default_transaction_read_only`);
    await former.end();
    await write();
    const { rows } = await store.pool.query(`select to_regclass('failed_over') is not null as found`);
    expect(rows).toEqual([{ found: true }]);
  } finally {
    await store.close();
  }
});
