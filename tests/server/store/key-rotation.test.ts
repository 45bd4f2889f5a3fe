import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OpenConsole, openConsole } from '../../../src/server/boot/console.ts';
import { type Config, readConfig } from '../../../src/server/kit/config.ts';
import { keyNames, parseKeyRing } from '../../../src/server/kit/key-ring.ts';
import { createLog } from '../../../src/server/kit/log.ts';
import { openKeys } from '../../../src/server/store/open-vault.ts';
import { type OpenStore, openStore } from '../../../src/server/store/open.ts';
import { servers } from '../../../src/server/store/schema/servers.ts';
import { sealedColumns } from '../../../src/server/store/sealed.ts';
import { newerOfAll, SharedKeys } from '../../../src/server/store/shared-keys.ts';
import { keyIdOf } from '../../../src/server/store/vault.ts';
import { readCheck } from '../../../src/server/store/vault-check.ts';
import { OriginClient } from '../../soak/origin-client.ts';
import type { FreshDatabase } from '../../test-postgres.ts';
import { freshDatabase } from '../postgres.ts';
import { noteSteadySigns } from '../steady-signs.ts';
import { untilWaiting } from '../until-waiting.ts';

const log = createLog({ logLevel: 'silent' });
const url = new URL('http://wheelhouse.example');
const owner = { email: 'ada@acme.example', password: 'correct horse battery' };
const key = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const [old, next] = [key('k1'), key('k2')];

let database: FreshDatabase;
let store: OpenStore;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wheelhouse-rotation-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  database = await freshDatabase();
  store = await openStore({ databaseUrl: database.url, dataDir: folder });
});
afterEach(async () => {
  await store.close();
  await database.drop();
});

/** The ids of all keys that stored values need. */
async function neededKeys(): Promise<string[]> {
  const heads = (await Promise.all(sealedColumns.map((column) => column.values(store.db)))).flat();
  return [...new Set(heads.map(({ head }) => keyIdOf(head) ?? ''))];
}

const sealedBy = async () => keyIdOf((await readCheck(store.db)) ?? Buffer.alloc(0));

describe('two servers', () => {
  const open: OpenConsole[] = [];
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });

  async function start(secretKey: string, more: Partial<Config> = {}): Promise<OpenConsole> {
    const read = readConfig({ PORT: '0', DATABASE_URL: database.url, WHEELHOUSE_SECRET_KEY: secretKey });
    if (read.config === null) throw new Error(read.problems.join('\n'));
    const started = await openConsole(
      { ...read.config, url, setup: owner, ...more },
      { build: 'test', pageDir: null, log, overloadedAt: 0 },
    );
    open.push(started);
    return started;
  }

  async function stop(one: OpenConsole): Promise<void> {
    open.splice(open.indexOf(one), 1);
    await one.close();
  }

  it('rotate a key by the steps of the guide: each reads whatever any of them stored, at every moment', async () => {
    let [a, b] = [await start(old), await start(old)];
    const client = new OriginClient(a.address, url.origin);
    await client.call('signIn', { body: owner });
    const written: string[] = [];
    /** Stores a value at each server, and reads all of them at each. */
    const work = async (): Promise<void> => {
      for (const one of [a, b]) {
        const place = `edit 1 pods web-${written.length % 15}`;
        await client.at(one.address).call('saveDraft', { params: { place }, body: { text: place } });
        if (!written.includes(place)) written.push(place);
      }
      for (const one of [a, b])
        for (const place of written) {
          const { draft } = await client.at(one.address).call('draft', { params: { place } });
          expect(draft?.text, `${place} at ${one === a ? 'a' : 'b'}`).toBe(place);
        }
    };
    await work();

    // A rolling update: the first server knows the new key before the other does.
    const both = `${old},${next}`;
    await stop(a);
    a = await start(both);
    for (let round = 0; round < 3; round += 1) await work();
    expect(await neededKeys()).toEqual(['k1']);
    // While a server lives that does not know it, others with the earlier keys may start.
    const former = b;
    b = await start(old);
    await stop(former);
    await work();

    await stop(b);
    b = await start(both);
    await expect
      .poll(
        async () => {
          await work();
          return [await sealedBy(), ...(await neededKeys())];
        },
        { timeout: 30_000 },
      )
      .toEqual(['k2', 'k2']);

    await expect(start(old)).rejects.toThrow(
      'The key "k2" is not in WHEELHOUSE_SECRET_KEY, and stored values need it. A draft: ',
    );
    for (const last of [next, next]) {
      await stop(a);
      [a, b] = [b, await start(last)];
      await work();
    }
    expect(await neededKeys()).toEqual(['k2']);
  });
});

describe('the keys of servers', () => {
  const ring = (text: string) => {
    const read = parseKeyRing(text);
    if ('problem' in read) throw new Error(read.problem);
    return read.ring;
  };
  const names = (text: string) => keyNames(ring(text));
  const config = (secretKey: string) => ({ dataDir: folder, secretKey });
  const living = () => store.db.select({ keys: servers.keys, sealing: servers.sealing }).from(servers);

  it('move to the newest one that all know in the same order, told apart by more than their ids', () => {
    const [k1, k2, k3] = [old, next, key('k3')];
    const newer = (own: string[], ...others: (string[] | null)[]) =>
      newerOfAll(
        names(own.join(',')),
        names(k1)[0] ?? '',
        others.map((one) => ({ keys: one === null ? null : names(one.join(',')) })),
      );
    expect(newer([k1, k2, k3], [k1, k2, k3], [k1, k2])).toBe(names(k2)[0]);
    expect(newer([k1, k2], [k1, k2], [k1])).toBeUndefined();
    expect(newer([k1, k2], [k1, k2], [k2, k1]), 'rings disagree').toBeUndefined();
    expect(newer([k1, k2], [k1, k2], [k1, key('k2')]), 'another key of the same id').toBeUndefined();
    expect(newer([k1, k2], [k1, k2], null), 'a server of an earlier version').toBeUndefined();
    expect(newer([k1]), 'alone').toBeUndefined();
    expect(newer([k1, k2]), 'alone').toBe(names(k2)[0]);
  });

  it('do not wait for a server that gave no sign of life for long, which then says that it has to end', async () => {
    const unfit: string[] = [];
    const frozen = await openKeys(config(old), store, {
      server: 'frozen',
      onUnfit: (error) => unfit.push(error.message),
    });
    await openKeys(config(`${old},${next}`), store, { server: 'a' });
    expect(await sealedBy()).toBe('k1');
    await store.db.update(servers).set({ seenAt: new Date(Date.now() - 60_000).toISOString() });
    await noteSteadySigns(store.db);
    const other = await openKeys(config(`${old},${next}`), store, { server: 'b' });
    expect(other.sealing).toBe(names(next)[0]);
    const check = (await readCheck(store.db)) ?? Buffer.alloc(0);
    for (let beat = 0; beat < 3; beat += 1) frozen.look(check, await living());
    expect(unfit).toEqual([expect.stringContaining('moved to the key "k2", which it does not have')]);
  });

  it('seal anew once more when nothing can be on its way under the key before, and say that it may go', async () => {
    const said: object[] = [];
    let now = 0;
    await openKeys(config(old), store);
    const keys = new SharedKeys({
      store,
      ring: ring(`${old},${next}`),
      log: { warn: () => undefined, info: (details) => said.push(details) },
      clock: { now: () => now },
    });
    await keys.begin('a', async () => undefined);
    expect(said).toEqual([{ current: 'k2' }]);
    const look = async (): Promise<void> => {
      keys.look((await readCheck(store.db)) ?? Buffer.alloc(0), await living());
      await keys.close();
    };
    await look();
    now += 10_000;
    await look();
    expect(said).toHaveLength(1);
    now += 60_000;
    await store.db.update(servers).set({ sealing: keys.sealing });
    await look();
    now += 60_000;
    await look();
    await look();
    expect(said.slice(1)).toEqual([{ current: 'k2', others: ['k1'] }]);
  });

  it('of two first servers with different keys are those of the first, and the other says that it was late', async () => {
    const gate = await store.connect('gate');
    await gate.query('begin');
    await gate.query('lock table installation in exclusive mode');
    const both = Promise.allSettled([openKeys(config(old), store), openKeys(config(key('k1')), store)]);
    await untilWaiting({ store }, 2);
    await gate.query('rollback');
    await gate.end();
    const results = await both;
    const late = results.filter((one) => one.status === 'rejected').map(({ reason }) => String(reason));
    expect(late).toEqual([expect.stringContaining('that started at the same time has other keys')]);
  });
});
