import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lostKeysCommand } from '../../../src/server/boot/admin/lost-keys.ts';
import { readConfig } from '../../../src/server/kit/config.ts';
import { openKeys } from '../../../src/server/store/open-vault.ts';
import { openStore, type OpenStore } from '../../../src/server/store/open.ts';
import { sealedColumns } from '../../../src/server/store/sealed.ts';
import { schema } from '../../../src/server/store/tables.ts';
import type { Vault } from '../../../src/server/store/vault.ts';
import type { FreshDatabase } from '../../test-postgres.ts';
import { freshDatabase } from '../postgres.ts';

const key = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const [lost, next] = [key('k1'), key('k2')];
const later = new Date(Date.now() + 86_400_000).toISOString();

let database: FreshDatabase;
let store: OpenStore;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wheelhouse-lost-'));
  database = await freshDatabase();
  store = await openStore({ databaseUrl: database.url, dataDir: folder });
});
afterAll(async () => {
  await store.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const config = (secretKey: string) => ({ dataDir: folder, secretKey });

/** Runs the command with a key; returns what it says. */
async function lostKeys(secretKey: string, task?: string, typed = ''): Promise<string> {
  const read = readConfig({ DATABASE_URL: database.url, WHEELHOUSE_SECRET_KEY: secretKey });
  if (read.config === null) throw new Error(read.problems.join(' '));
  const said: string[] = [];
  const context = { config: read.config, say: (sentence: string) => said.push(sentence) };
  await lostKeysCommand(context, task, Readable.from([typed]));
  return said.join('\n');
}

/** A value in every column that the vault seals. */
async function fillAll(vault: Vault): Promise<void> {
  const { db } = store;
  const companyId = 1;
  await db.insert(schema.companies).values({ name: 'Acme' });
  await db.insert(schema.users).values({ name: 'Ada', email: 'ada@acme.example' });
  await db.insert(schema.memberships).values({ userId: 1, companyId, orgRole: 1 });
  await db.insert(schema.clusters).values({
    companyId,
    name: 'prod',
    source: 'kubeconfig',
    server: 'https://a',
    colour: 1,
    metricsSource: {
      from: 'url',
      url: 'https://p',
      ca: '',
      label: null,
      credential: { sort: 'kept', as: 'bearer' },
    },
  });
  const bytes = Buffer.from('-');
  await db.insert(schema.drafts).values({ companyId, userId: 1, place: 'create', text: bytes });
  await db.insert(schema.identityProviders).values({
    companyId,
    key: 'acme',
    name: 'Acme SSO',
    issuer: 'https://sso.example',
    clientId: 'id',
    clientSecret: bytes,
    isEnforced: true,
  });
  await db.insert(schema.shellRecordings).values({
    id: randomUUID(),
    companyId,
    clusterId: 1,
    cluster: 'prod',
    userId: 1,
    actor: 'Ada',
    mode: 'exec',
    namespace: 'shop',
    name: 'web',
    key: bytes,
  });
  await db
    .insert(schema.mails)
    .values({ id: randomUUID(), purpose: 'reset', content: bytes, giveUpAt: later });
  await db.insert(schema.webhooks).values({
    id: randomUUID(),
    companyId,
    userId: 1,
    clusterId: 1,
    url: bytes,
    origin: 'https://hooks.example',
    format: 'standard',
    events: [],
    secret: bytes,
    previousSecret: bytes,
    olderSecret: bytes,
  });
  await db.insert(schema.chatModels).values({ id: randomUUID(), companyId, apiKey: bytes });
  await db
    .insert(schema.auditStreams)
    .values({ id: randomUUID(), sink: 'https', chain: companyId, companyId, url: bytes, secret: bytes });
  await db.execute(sql`update clusters set kubeconfig = '-', metrics_credential = '-'`);
  for (const column of sealedColumns)
    for (const value of await column.values(db))
      await value.replace(bytes, vault.seal('text', value.context));
}

it('what cannot be opened is listed by name and, after a typed sentence, given up: the next start works', async () => {
  const before = await openKeys(config(lost), store);
  await fillAll(before.vault);
  expect(await lostKeys(lost)).toContain('Nothing is lost.');
  await expect(openKeys(config(next), store)).rejects.toThrow('The key "k1" is not in WHEELHOUSE_SECRET_KEY');

  const count = sealedColumns.length;
  const listed = await lostKeys(next);
  expect(listed).toContain(`give up ${count} values`);
  expect(listed).toContain('Acme (1):');
  expect(listed).toContain('The stored credential of a cluster: prod (its key "k1" is missing)');
  expect(listed).toContain('The address of a webhook: https://hooks.example of cluster prod');
  for (const { title } of sealedColumns) expect(listed).toContain(title);

  await expect(lostKeys(next, 'give-up', 'yes\n')).rejects.toThrow('Nothing was given up');
  await store.db.insert(schema.servers).values({ id: 'alive' });
  await expect(lostKeys(next, 'give-up', `give up ${count} values\n`)).rejects.toThrow(
    'Stop all servers, wait 20 seconds',
  );
  await store.db.delete(schema.servers);
  await openKeys(config(lost), store);

  await lostKeys(next, 'give-up', `give up ${count} values\n`);
  const after = await openKeys(config(next), store);
  expect(after.sealing).toMatch(/^k2\./);
  expect(await lostKeys(next)).toContain('Nothing is lost.');
  const { db } = store;
  expect(await db.select().from(schema.clusters)).toMatchObject([
    { kubeconfig: null, metricsCredential: null, metricsSource: { credential: { sort: 'none' } } },
  ]);
  expect(await db.$count(schema.drafts)).toBe(0);
  expect(await db.$count(schema.mails)).toBe(0);
  // Nothing becomes easier to enter by it.
  expect(await db.select().from(schema.identityProviders)).toMatchObject([
    { isEnforced: true, testedAt: null },
  ]);
  expect(await db.select().from(schema.webhooks)).toMatchObject([
    { disabledReason: expect.stringContaining('is lost'), previousSecret: null, olderSecret: null },
  ]);
  expect(await db.select().from(schema.chatModels)).toMatchObject([{ apiKey: null }]);
  const rows = await db.select().from(schema.audit);
  expect(rows.filter(({ action }) => action === 'giveUpLostKeys').map(({ companyId }) => companyId)).toEqual(
    expect.arrayContaining([1, null]),
  );
  expect(JSON.stringify(rows)).toContain('The stored credential of a cluster: 1 (prod).');
});
