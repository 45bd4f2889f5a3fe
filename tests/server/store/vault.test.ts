import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKeyFile, loadKeyRing, parseKeyRing, type KeyRing } from '../../../src/server/store/keyring.ts';
import { openVault } from '../../../src/server/store/open-vault.ts';
import { openStore } from '../../../src/server/store/open.ts';
import { clusters, companies } from '../../../src/server/store/schema.ts';
import { createVault, sealedKeyId } from '../../../src/server/store/vault.ts';
import { freshDatabase } from '../postgres.ts';

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
      'The database was sealed with another key than the one in WHEELHOUSE_SECRET_KEY',
    );
    await rm(join(dataDir, 'secret.key'));
    await expect(openVault({ dataDir, secretKey: null }, store)).rejects.toThrow(
      'Restore it from your back-up',
    );
    expect(await readdir(dataDir)).toEqual([]);
    await writeFile(join(dataDir, 'secret.key'), text, { mode: 0o600 });
    await openVault({ dataDir, secretKey: null }, store);
    await store.close();
    await database.drop();
  });

  test('seals stored values anew after a rotation, so that the old key can go', async () => {
    const database = await freshDatabase();
    const store = await openStore({ databaseUrl: database.url, dataDir: folder });
    const [old, next] = [key('k1'), key('k2')];
    const config = (secretKey: string) => ({ dataDir: folder, secretKey });
    const first = await openVault(config(old), store);
    const [company] = await store.db.insert(companies).values({ name: 'Acme' }).returning();
    const [row] = await store.db
      .insert(clusters)
      .values({
        companyId: company?.id ?? 0,
        name: 'a',
        source: 'kubeconfig',
        server: 'https://a',
        colour: 1,
      })
      .returning();
    const context = `clusters/${row?.id}/kubeconfig`;
    await store.db.update(clusters).set({ kubeconfig: first.seal('kubeconfig text', context) });
    await openVault(config(`${old},${next}`), store);
    const last = await openVault(config(next), store);
    const [sealed] = await store.db.select().from(clusters);
    expect(last.open(sealed?.kubeconfig ?? Buffer.alloc(0), context)).toBe('kubeconfig text');
    await store.close();
    await database.drop();
  });
});
