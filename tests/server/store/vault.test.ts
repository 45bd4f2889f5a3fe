import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, getTableColumns, getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type KeyRing, parseKeyRing } from '../../../src/server/kit/key-ring.ts';
import { createKeyFile, loadKeyRing } from '../../../src/server/store/keyring.ts';
import { openVault } from '../../../src/server/store/open-vault.ts';
import { openStore } from '../../../src/server/store/open.ts';
import { schema } from '../../../src/server/store/tables.ts';
import { credentialContext, draftContext, sealedColumns } from '../../../src/server/store/sealed.ts';
import { createVault, sealedKeyId } from '../../../src/server/store/vault.ts';
import { freshDatabase } from '../postgres.ts';

const { clusters, companies, drafts, users } = schema;
const key = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
function ringOf(text: string): KeyRing {
  const result = parseKeyRing(text);
  if ('problem' in result) throw new Error(result.problem);
  return result.ring;
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wheelhouse-vault-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a sealed value', () => {
  const vault = createVault(ringOf(key('k1')));
  const sealed = vault.seal('apiVersion: v1 – ünïcode', 'clusters/12/kubeconfig');

  test('opens in its own row only', () => {
    expect(vault.open(sealed, 'clusters/12/kubeconfig')).toBe('apiVersion: v1 – ünïcode');
    expect(() => vault.open(sealed, 'clusters/13/kubeconfig')).toThrow('does not belong to clusters/13');
  });

  test('is refused after a change of any single bit', () => {
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => vault.open(changed, 'clusters/12/kubeconfig'), `byte ${index}`).toThrow();
    }
  });

  test('is refused when cut short anywhere, inside the tag as well', () => {
    for (let length = 0; length < sealed.length; length++)
      expect(() => vault.open(sealed.subarray(0, length), 'clusters/12/kubeconfig')).toThrow();
  });

  test('is refused under another key of the same id', () => {
    const other = createVault(ringOf(key('k1')));
    expect(() => other.open(sealed, 'clusters/12/kubeconfig')).toThrow();
  });

  test('never repeats: the same text is sealed differently each time', () => {
    expect(vault.seal('a', 'x').equals(vault.seal('a', 'x'))).toBe(false);
  });
});

test('after rotation the last key seals and older values still open', () => {
  const [old, next] = [key('k1'), key('k2')];
  const before = createVault(ringOf(old)).seal('secret', 'c');
  const rotated = createVault(ringOf(`${old}\n${next}\n`));
  expect(rotated.open(before, 'c')).toBe('secret');
  expect(sealedKeyId(rotated.seal('secret', 'c'))).toBe('k2');
  expect(() => createVault(ringOf(next)).open(before, 'c')).toThrow('"k1"');
});

test.each([
  ['', 'there is no key'],
  ['k1', 'entry 1 is not of the form'],
  ['k1:c2hvcnQ=', 'entry 1 is not of the form'],
  [`${key('k1')},${key('k1')}`, 'the key id "k1" is there twice'],
  [`${key('k1')} ${key('a/b')}`, 'entry 2 is not of the form'],
])('the key ring %j is refused without repeating it', (text, problem) => {
  const result = parseKeyRing(text);
  expect(result).toHaveProperty('problem', expect.stringContaining(problem));
  for (const part of text.match(/[A-Za-z0-9+/]{20,}/g) ?? [])
    expect(JSON.stringify(result)).not.toContain(part);
});

test('the key file is made once, whole, for its owner only; a looser mode is refused', async () => {
  const rings = await Promise.all(Array.from({ length: 5 }, () => createKeyFile(folder)));
  const file = join(folder, 'secret.key');
  const texts = new Set(rings.map((ring) => ring.keys.get('k1')?.toString('hex')));
  expect(texts.size).toBe(1);
  expect(await readdir(folder)).toEqual(['secret.key']);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await chmod(file, 0o640);
  await expect(loadKeyRing({ dataDir: folder, secretKey: null })).rejects.toThrow(`chmod 600 ${file}`);
  await chmod(file, 0o600);
});

describe('the vault of a store', () => {
  test('refuses foreign keys and a missing key file, and makes no new key for a store that has one', async () => {
    const database = await freshDatabase();
    const store = await openStore({ databaseUrl: database.url, dataDir: folder });
    const dataDir = await mkdtemp(join(folder, 'data-'));
    await openVault({ dataDir, secretKey: null }, store);
    const text = await readFile(join(dataDir, 'secret.key'), 'utf8');
    await expect(openVault({ dataDir, secretKey: key('k1') }, store)).rejects.toThrow(
      'The database was encrypted with another key than the one in WHEELHOUSE_SECRET_KEY',
    );
    await rm(join(dataDir, 'secret.key'));
    await expect(openVault({ dataDir, secretKey: null }, store)).rejects.toThrow(
      'Restore it from your backup',
    );
    expect(await readdir(dataDir)).toEqual([]);
    await writeFile(join(dataDir, 'secret.key'), text, { mode: 0o600 });
    await openVault({ dataDir, secretKey: null }, store);
    await store.close();
    await database.drop();
  });

  test('seals stored credentials and drafts anew after a rotation, so that the old key can go', async () => {
    const { store, company, addCluster, close } = await storeWithCompany();
    const [old, next] = [key('k1'), key('k2')];
    const config = (secretKey: string) => ({ dataDir: folder, secretKey });
    const first = await openVault(config(old), store);
    const id = await addCluster('a', (context) => first.seal('kubeconfig text', context));
    const [user] = await store.db
      .insert(users)
      .values({ name: 'Robin', email: 'robin@acme.example' })
      .returning();
    const userId = user?.id ?? 0;
    for (const place of ['create', 'edit 1 pods web'])
      await store.db.insert(drafts).values({
        companyId: company,
        userId,
        place,
        text: first.seal(`draft of ${place}`, draftContext(userId, place)),
      });
    const savedAt = (await store.db.select().from(drafts)).map((draft) => draft.savedAt);
    await openVault(config(`${old},${next}`), store);
    const last = await openVault(config(next), store);
    const [row] = await store.db.select().from(clusters);
    expect(last.open(row?.kubeconfig ?? Buffer.alloc(0), credentialContext(id))).toBe('kubeconfig text');
    const kept = await store.db.select().from(drafts);
    expect(kept.map(({ text, place }) => last.open(text, draftContext(userId, place))).sort()).toEqual([
      'draft of create',
      'draft of edit 1 pods web',
    ]);
    expect(kept.map((draft) => draft.savedAt)).toEqual(savedAt);
    await close();
  });

  test('opens in spite of values that cannot be opened, warns of each, and leaves their bytes alone', async () => {
    const { store, addCluster, close } = await storeWithCompany();
    const [old, next] = [key('k1'), key('k2')];
    const config = (secretKey: string) => ({ dataDir: folder, secretKey });
    const first = await openVault(config(old), store);
    await addCluster('readable', (context) => first.seal('kubeconfig text', context));
    const broken = [
      await addCluster('moved', () => first.seal('other', 'clusters/0/kubeconfig')),
      await addCluster('cut short', (context) => first.seal('other', context).subarray(0, 9)),
      await addCluster('no format', () => Buffer.from('not sealed at all')),
    ];
    // The operator gave it up.
    await addCluster('empty', () => Buffer.alloc(0));
    const bytes = async () =>
      new Map(
        (await store.db.select().from(clusters)).map((row) => [row.id, row.kubeconfig?.toString('hex')]),
      );
    const before = await bytes();
    for (const ring of [old, `${old},${next}`]) {
      const warned: unknown[] = [];
      const vault = await openVault(config(ring), store, {
        warn: (details) => warned.push(details),
        info: () => undefined,
      });
      expect(warned).toEqual(
        broken.map((clusterId) => ({ clusterId, reason: expect.stringMatching(/^(format|key|content)$/) })),
      );
      const after = await bytes();
      for (const id of broken) expect(after.get(id)).toBe(before.get(id));
      const [row] = await store.db.select().from(clusters).where(eq(clusters.name, 'readable'));
      expect(vault.open(row?.kubeconfig ?? Buffer.alloc(0), credentialContext(row?.id ?? 0))).toBe(
        'kubeconfig text',
      );
    }
    // Damaged values name the earlier key, which is needed until they are given up.
    await expect(openVault(config(next), store)).rejects.toThrow('The key "k1" is not in');
    await close();
  });

  test('refuses to open while any value needs a key that is not there, and says which values and which key', async () => {
    const { store, addCluster, close } = await storeWithCompany();
    const [old, other] = [key('k1'), key('k9')];
    const foreign = createVault(ringOf(other));
    await openVault({ dataDir: folder, secretKey: old }, store);
    for (const name of ['prod', 'staging'])
      await addCluster(name, (context) => foreign.seal('kubeconfig text', context));
    await expect(openVault({ dataDir: folder, secretKey: old }, store)).rejects.toThrow(
      'The key "k9" is not in WHEELHOUSE_SECRET_KEY, and stored values need it. ' +
        'The stored credential of a cluster: 2 (prod, staging).',
    );
    await openVault({ dataDir: folder, secretKey: `${other},${old}` }, store);
    await openVault({ dataDir: folder, secretKey: old }, store);
    await close();
  });

  test('goes through every column of bytes that is neither a hash nor a public key', () => {
    const open = [
      'sessions.token_hash',
      'links.token_hash',
      'brakes.key',
      'brakes.network',
      'rate_windows.key',
      'pending_sign_ins.state_hash',
      'pending_sign_ins.browser_hash',
      'pending_sign_ins.session_hash',
      'invitations.link_hash',
      'invitations.mail_hash',
      'mails.invitation_hash',
      'api_tokens.token_hash',
      'audit_links.hash',
      'audit_segments.anchor',
      'audit_segments.hash',
      'audit_streams.hash',
      'passkeys.public_key',
      'passkey_challenges.challenge_hash',
      'passkey_challenges.holder_hash',
      // Sealed with a key of its own, which the vault seals.
      'shell_recording_parts.data',
    ];
    const columns = Object.values(schema)
      .filter((value) => is(value, PgTable))
      .flatMap((table) =>
        Object.values(getTableColumns(table))
          .filter((column) => column.getSQLType() === 'bytea')
          .map((column) => `${getTableName(table)}.${column.name}`),
      );
    expect(columns.sort()).toEqual(
      [...open, ...sealedColumns.map(({ table, column }) => `${table}.${column}`)].sort(),
    );
  });
});

/** A database of the test's own with one company. */
async function storeWithCompany() {
  const database = await freshDatabase();
  const store = await openStore({ databaseUrl: database.url, dataDir: folder });
  const [made] = await store.db.insert(companies).values({ name: 'Acme' }).returning();
  const company = made?.id ?? 0;
  return {
    store,
    company,
    /** Stores a cluster with a sealed credential; returns its id. */
    addCluster: async (name: string, seal: (context: string) => Buffer) => {
      const [row] = await store.db
        .insert(clusters)
        .values({ companyId: company, name, source: 'kubeconfig', server: 'https://a', colour: 1 })
        .returning();
      const id = row?.id ?? 0;
      await store.db
        .update(clusters)
        .set({ kubeconfig: seal(credentialContext(id)) })
        .where(eq(clusters.id, id));
      return id;
    },
    close: async () => {
      await store.close();
      await database.drop();
    },
  };
}
