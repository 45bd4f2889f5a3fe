import { randomBytes } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkWaiting } from '../../../src/server/audit/closing.ts';
import { verifyAudit } from '../../../src/server/audit/verify.ts';
import { openVault, requireKeysFit } from '../../../src/server/store/open-vault.ts';
import { openStore } from '../../../src/server/store/open.ts';
import { schema } from '../../../src/server/store/tables.ts';
import { exportTo } from '../../../src/server/store/transfer/export.ts';
import { importFrom } from '../../../src/server/store/transfer/import.ts';
import { tableNames } from '../../../src/server/store/transfer/tables.ts';
import type { FreshDatabase } from '../../test-postgres.ts';
import { emptyDatabase, freshDatabase } from '../postgres.ts';
import { type DataFolder, dataFolder } from './data-folder.ts';

let folder: DataFolder;
let source: FreshDatabase;
let file: string;
const secretKey = `k1:${randomBytes(32).toString('base64')}`;
const now = Date.parse('2030-01-01T00:00:00Z');

/** Every row of every table, in PostgreSQL's own words. */
async function contents(url: string): Promise<Record<string, string[]>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const found: Record<string, string[]> = {};
  for (const name of tableNames) {
    const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t order by 1`);
    found[name] = rows.map(({ row }) => row);
  }
  await client.end();
  return found;
}

beforeAll(async () => {
  folder = await dataFolder();
  file = join(folder.path, 'installation.gz');
  source = await freshDatabase();
  const store = await openStore({ databaseUrl: source.url, dataDir: folder.path });
  const vault = await openVault({ dataDir: folder.path, secretKey }, store);
  const { db } = store;
  const expiresAt = '2031-02-03T04:05:06.789Z';
  // More than one page of the cursor and one batch of the insert.
  for (let index = 0; index < 12; index++) {
    const [company] = await db
      .insert(schema.companies)
      .values({ name: `Ünï "quoted" \\ ${index}` })
      .returning();
    const companyId = company?.id ?? 0;
    const [user] = await db
      .insert(schema.users)
      .values({ name: 'Ada', email: `ada${index}@acme.example` })
      .returning();
    const userId = user?.id ?? 0;
    await db.insert(schema.memberships).values({ userId, companyId, orgRole: 1, state: 'suspended' });
    await db
      .insert(schema.sessions)
      .values({ tokenHash: randomBytes(32), userId, companyId, idleExpiresAt: expiresAt, expiresAt });
    await db.insert(schema.links).values({ tokenHash: randomBytes(32), purpose: 'setup', userId, expiresAt });
    const [team] = await db.insert(schema.teams).values({ companyId, name: 'ops' }).returning();
    const teamId = team?.id ?? 0;
    const [cluster] = await db
      .insert(schema.clusters)
      .values({
        companyId,
        name: 'prod',
        source: 'kubeconfig',
        server: 'https://203.0.113.7',
        colour: 3,
        namespaces: ['a', 'b"c', 'd,e', '{}', ''],
        createdBy: userId,
      })
      .returning();
    const clusterId = cluster?.id ?? 0;
    await db
      .update(schema.clusters)
      .set({ kubeconfig: vault.seal('credential', `clusters/${clusterId}/kubeconfig`) })
      .where(eq(schema.clusters.id, clusterId));
    await db.insert(schema.teamMembers).values({ companyId, teamId, userId, role: 6 });
    await db.insert(schema.teamClusters).values({ companyId, teamId, clusterId });
    await db.insert(schema.auditRows).values(
      Array.from({ length: 120 }, (_, n) => ({
        companyId,
        userId,
        actor: 'Ada',
        action: 'test',
        subject: { n, text: 'a\nb\u2028 "c" \\d' },
        address: '::1',
        requestId: `r${n}`,
      })),
    );
  }
  // An id that was given and is free again must not be given a second time.
  // Of the audit some rows are in their chains, and others wait.
  await linkWaiting(store, { batch: 700, segment: 100 });
  await db.insert(schema.companies).values({ name: 'gone' });
  await store.pool.query(`delete from companies where id = (select max(id) from companies)`);
  await store.close();
  await exportTo(file, { connectionString: source.url }, now);
});
afterAll(async () => {
  await source.drop();
  await folder.remove();
});

test.each([
  ['without any table', emptyDatabase],
  ['that was started once but that nobody uses', freshDatabase],
])('an installation arrives whole in a database %s', async (_name, make) => {
  const target = await make();
  if (make === freshDatabase) {
    const unused = await openStore({ databaseUrl: target.url, dataDir: folder.path });
    await openVault({ dataDir: folder.path, secretKey: `k9:${randomBytes(32).toString('base64')}` }, unused);
    await unused.close();
  }
  const counts = await importFrom(file, { connectionString: target.url });
  expect(await contents(target.url)).toEqual(await contents(source.url));
  expect(counts).toMatchObject({ companies: 12, users: 12, memberships: 12, clusters: 12, audit: 1440 });

  const store = await openStore({ databaseUrl: target.url, dataDir: folder.path });
  expect(await linkWaiting(store)).toBe(740);
  const { chains, unlinked, hidden } = await verifyAudit(store);
  expect([chains.filter(({ problem }) => problem !== null), unlinked, hidden]).toEqual([[], null, null]);
  const vault = await openVault({ dataDir: folder.path, secretKey }, store);
  const [row] = await store.db.select().from(schema.clusters);
  expect(vault.open(row?.kubeconfig ?? Buffer.alloc(0), `clusters/${row?.id}/kubeconfig`)).toBe('credential');
  const [next] = await store.db.insert(schema.companies).values({ name: 'next' }).returning();
  expect(next?.id).toBe(14);
  await store.close();
  await target.drop();
});

test('every table of the database is one that exports know', async () => {
  const client = new Client({ connectionString: source.url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  await client.end();
  expect(rows.map(({ name }) => name)).toEqual([...tableNames].sort());
});

test('a file of an export is for its owner only, holds no plain secret, and is never written over', async () => {
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(gunzipSync(await readFile(file)).toString()).not.toContain('credential of');
  await expect(exportTo(file, { connectionString: source.url }, now)).rejects.toThrow('already exists');
  await expect(
    exportTo(join(folder.path, 'absent/x.gz'), { connectionString: source.url }, now),
  ).rejects.toThrow('cannot be written');
  expect((await readdir(folder.path)).filter((name) => name.startsWith('installation'))).toHaveLength(1);
});

test('keys that do not fit are refused before anything stays; without any key the file may come', async () => {
  const target = await emptyDatabase();
  const importWith = (key: string | null) =>
    importFrom(file, { connectionString: target.url }, (db) =>
      requireKeysFit({ dataDir: folder.path, secretKey: key }, db),
    );
  await expect(importWith(`k1:${randomBytes(32).toString('base64')}`)).rejects.toThrow(
    'The database was encrypted with another key than the one in WHEELHOUSE_SECRET_KEY',
  );
  expect(await importWith(null)).toMatchObject({ companies: 12 });
  await target.drop();
});

test('an installation in use is never filled', async () => {
  const before = await contents(source.url);
  await expect(importFrom(file, { connectionString: source.url })).rejects.toThrow(
    'This installation is in use: it has people or organisations.',
  );
  expect(await contents(source.url)).toEqual(before);
});

test('a damaged, cut or foreign file is refused, and nothing of it stays', async () => {
  const whole = await readFile(file);
  const lines = gunzipSync(whole).toString().trimEnd().split('\n');
  const flipped = Buffer.from(whole);
  flipped[flipped.length >> 1] = (flipped[flipped.length >> 1] ?? 0) ^ 0xff;
  const [header = ''] = lines;
  const forms: Record<string, Buffer> = {
    cut: whole.subarray(0, whole.length >> 1),
    flipped,
    'without its end': gzipSync(lines.slice(0, -1).join('\n')),
    'without a row': gzipSync(lines.toSpliced(5, 1).join('\n')),
    'a type that is more than a type': gzipSync(
      header.replace('"type":"text"', '"type":"text); drop table x"'),
    ),
    foreign: gzipSync('{"hello":1}\n'),
    'not compressed': Buffer.from('hello'),
    empty: Buffer.alloc(0),
  };
  for (const [name, content] of Object.entries(forms)) {
    const target = await emptyDatabase();
    const damaged = join(folder.path, 'damaged.gz');
    await writeFile(damaged, content);
    await expect(importFrom(damaged, { connectionString: target.url }), name).rejects.toThrow(
      'Nothing was imported',
    );
    const store = await openStore({ databaseUrl: target.url, dataDir: folder.path });
    expect(await store.db.select().from(schema.users), name).toEqual([]);
    await store.close();
    await target.drop();
  }
  await expect(importFrom(join(folder.path, 'absent'), { connectionString: source.url })).rejects.toThrow(
    'cannot be read',
  );
});

test('an export of a newer version is refused', async () => {
  const [header = '', ...rest] = gunzipSync(await readFile(file))
    .toString()
    .split('\n');
  const newer = join(folder.path, 'newer.gz');
  await writeFile(
    newer,
    gzipSync([header.replace(/"migration":\d+/, '"migration":9999999999999'), ...rest].join('\n')),
  );
  await expect(importFrom(newer, { connectionString: source.url })).rejects.toThrow(
    'made by a newer Wheelhouse',
  );
});
