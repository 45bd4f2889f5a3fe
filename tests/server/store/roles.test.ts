import { randomBytes } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAudit } from '../../../src/server/audit/audit.ts';
import { linkWaiting } from '../../../src/server/audit/closing.ts';
import { createTriesRetention } from '../../../src/server/audit/retention.ts';
import { verifyAudit } from '../../../src/server/audit/verify.ts';
import { database, role, superuser } from '../../../src/server/store/embedded/names.ts';
import { type OpenStore, openStore } from '../../../src/server/store/open.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import { exportTo } from '../../../src/server/store/transfer/export.ts';
import { importFrom } from '../../../src/server/store/transfer/import.ts';
import { silent } from '../audit/lab.ts';
import { emptyDatabase } from '../postgres.ts';
import { bySuperuser, type DataFolder, dataFolder, withoutRole } from './data-folder.ts';
import { systemClock } from '../../../src/server/kit/clock.ts';

let folder: DataFolder;
beforeAll(async () => {
  folder = await dataFolder();
});
afterAll(() => folder.remove());

/** Does what the console does to a database: writes, seals and checks the audit, exports everything. */
async function use(store: OpenStore, connection: object): Promise<string> {
  const [company] = await store.db.insert(companies).values({ name: 'kept' }).returning();
  const audit = createAudit(store, silent, createTriesRetention(store, silent, systemClock));
  const row = await audit.begin({
    companyId: company?.id ?? 0,
    userId: 7,
    actor: 'ada@example.org',
    action: 'deleteCluster',
    clusterId: null,
    subject: {},
    address: '::1',
    requestId: 'r',
  });
  await row.finish(204);
  expect(await linkWaiting(store)).toBe(2);
  expect((await verifyAudit(store)).chains.filter(({ problem }) => problem !== null)).toEqual([]);
  const file = join(folder.path, `${randomBytes(4).toString('hex')}.gz`);
  await exportTo(file, connection, Date.now());
  return file;
}

/** What a role may do besides with its own database. */
async function powers(store: OpenStore): Promise<unknown> {
  const { rows } = await store.pool.query(
    `select rolname, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
      (select count(*)::int from pg_auth_members where member = r.oid) as member
     from pg_roles r where rolname = current_user`,
  );
  return rows[0];
}

const none = {
  rolsuper: false,
  rolcreaterole: false,
  rolcreatedb: false,
  rolreplication: false,
  rolbypassrls: false,
  member: 0,
};

describe("the embedded database's role", () => {
  const dataDir = (): string => join(folder.path, 'data');
  const open = (): Promise<OpenStore> => openStore({ databaseUrl: null, dataDir: dataDir() });
  const cluster = (): string => join(dataDir(), 'postgres/cluster');

  /** Everything that is not the console's role's, outside of PostgreSQL's own schemas. */
  async function ofOthers(store: OpenStore): Promise<unknown[]> {
    const { rows } = await store.pool.query(`
      with own as (select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')
      select relname as name from pg_class join own n on n.oid = relnamespace where relowner <> current_user::regrole
      union all select proname from pg_proc join own n on n.oid = pronamespace where proowner <> current_user::regrole
      union all select typname from pg_type join own n on n.oid = typnamespace where typowner <> current_user::regrole
      union all select own.nspname from own join pg_namespace n on n.oid = own.oid
        where n.nspowner not in (current_user::regrole, 'pg_database_owner'::regrole)
      union all select datname from pg_database where datname = current_database() and datdba <> current_user::regrole`);
    return rows;
  }

  async function expectNarrow(store: OpenStore): Promise<void> {
    expect(await powers(store)).toEqual({ rolname: role, ...none });
    expect(await ofOthers(store)).toEqual([]);
    for (const statement of [
      `copy (select 1) to program 'true'`,
      `select pg_read_file('pg_hba.conf')`,
      'set session_replication_role = replica',
      `set role ${superuser}`,
      `alter role ${superuser} password 'x'`,
      `alter role ${role} superuser`,
      'create role other',
      'create database other',
      `alter system set log_statement = 'all'`,
    ])
      await expect(store.pool.query(statement), statement).rejects.toMatchObject({ code: '42501' });
  }

  test('owns its database and nothing else, and can do all that the console does', async () => {
    const store = await open();
    await expectNarrow(store);
    const file = await use(store, store.embedded?.connection ?? {});
    await store.pool.query(`drop schema public cascade; create schema public; drop schema drizzle cascade`);
    await importFrom(file, store.embedded?.connection ?? {});
    expect(await store.db.select({ name: companies.name }).from(companies)).toEqual([{ name: 'kept' }]);
    await expectNarrow(store);
    await store.close();
  });

  test('takes over what an earlier version left to the superuser, who can connect no more', async () => {
    await (await open()).close();
    await bySuperuser(dataDir(), [`alter role ${superuser} password 'known'`]);
    await withoutRole(dataDir());
    // The rules of that version, by which the superuser connects.
    await writeFile(join(cluster(), 'pg_hba.conf'), `local all ${superuser} scram-sha-256\n`);
    const store = await open();
    await expectNarrow(store);
    expect(await store.db.select({ name: companies.name }).from(companies)).toEqual([{ name: 'kept' }]);
    const host = store.embedded?.connection.host ?? '';
    for (const name of [database, 'postgres']) {
      const client = new Client({ host, user: superuser, password: 'known', database: name });
      await expect(client.connect()).rejects.toThrow('no pg_hba.conf entry');
    }
    await store.close();
  });
});

describe('a role of an external PostgreSQL', () => {
  test.each([
    ['that owns the database', (name: string, own: string) => [`alter database ${name} owner to ${own}`]],
    [
      'that may connect and create, in the database and in its schema public',
      (name: string, own: string) => [
        `grant connect, create on database ${name} to ${own}`,
        `grant usage, create on schema public to ${own}`,
      ],
    ],
  ])('%s, and nothing else, is enough', async (_name, grants) => {
    const made = await emptyDatabase();
    const own = `console_${randomBytes(4).toString('hex')}`;
    const admin = new Client({ connectionString: made.url });
    await admin.connect();
    const url = new URL(made.url);
    const name = url.pathname.slice(1);
    try {
      await admin.query(`create role ${own} login password 'secret'`);
      await admin.query(`revoke connect, temporary on database ${name} from public`);
      for (const grant of grants(name, own)) await admin.query(grant);
      url.username = own;
      url.password = 'secret';
      const config = { databaseUrl: url.href, dataDir: folder.path };
      const connection = { connectionString: url.href };
      const store = await openStore(config);
      expect(await powers(store)).toEqual({ rolname: own, ...none });
      const file = await use(store, connection);
      await store.close();
      // A second start finds everything as it left it.
      await (await openStore(config)).close();
      expect((await stat(file)).size).toBeGreaterThan(0);
    } finally {
      await admin.query(`drop owned by ${own} cascade`).catch(() => undefined);
      await admin.end();
      await made.drop();
      const after = new Client({ connectionString: made.url.replace(`/${name}`, '/postgres') });
      await after.connect();
      await after.query(`drop role if exists ${own}`);
      await after.end();
    }
  });
});
