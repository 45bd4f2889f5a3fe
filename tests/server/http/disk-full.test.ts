import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, open, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openConsole, type OpenConsole } from '../../../src/server/boot/console.ts';
import { readConfig } from '../../../src/server/kit/config.ts';
import { createLog } from '../../../src/server/kit/log.ts';
import { DiskRoom } from '../../../src/server/store/disk-room.ts';
import { send, TestClient } from '../http-client.ts';

const setup = { email: 'ada@acme.example', password: 'correct horse battery' };
const size = 256 * 1024 ** 2;

test('a refusal for want of room counts for a minute, also where the files of the database are elsewhere', async () => {
  let now = 0;
  const disk = new DiskRoom(null, () => now);
  disk.note(Object.assign(new Error('duplicate key'), { code: '23505' }));
  expect(await disk.isFull()).toBe(false);
  const full = Object.assign(new Error('could not extend file'), { code: '53100' });
  disk.note(new Error('Failed query', { cause: full }));
  now = 59_000;
  expect(await disk.isFull()).toBe(true);
  now = 60_000;
  expect(await disk.isFull()).toBe(false);
});

/** A file system in memory, to fill; undefined where this user may not mount one. */
async function mountSmall(): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-full-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=711`, 'tmpfs', folder]);
  if (status === 0) return folder;
  await rmdir(folder);
  return undefined;
}

const place = await mountSmall();
if (place === undefined)
  console.warn('The drill of a full disk is skipped: this user may not mount a tmpfs.');

describe.skipIf(place === undefined)('a disk that is full', () => {
  const folder = place ?? '';
  let opened: OpenConsole;

  beforeAll(async () => {
    await chmod(folder, 0o711);
    const { config } = readConfig({
      PORT: '0',
      WHEELHOUSE_DATA: join(folder, 'data'),
      WHEELHOUSE_PLAYGROUND: 'off',
      WHEELHOUSE_SETUP_EMAIL: setup.email,
      WHEELHOUSE_SETUP_PASSWORD: setup.password,
    });
    if (config === null) throw new Error('The configuration is wrong.');
    const log = createLog({ logLevel: 'silent' });
    opened = await openConsole(config, { build: 'test', pageDir: null, log, overloadedAt: 0 });
  });
  afterAll(async () => {
    await opened.close();
    spawnSync('umount', [folder]);
    await rm(folder, { recursive: true, force: true });
  });

  const probe = async (path: string) => {
    const { status, json } = await send(opened.address, 'GET', path);
    return [status, json];
  };
  const figure = async () => {
    const { text } = await send(opened.address, 'GET', '/metrics');
    return /^wheelhouse_disk_full\{place="database"\} (\d)$/m.exec(text)?.[1];
  };

  const filler = join(folder, 'filler');
  const fill = async () => {
    const file = await open(filler, 'w');
    const block = Buffer.alloc(1024 ** 2);
    const written = (async () => {
      for (let count = 0; count < size; count += block.length) await file.writeFile(block);
    })();
    await expect(written).rejects.toMatchObject({ code: 'ENOSPC' });
    await file.close();
  };

  test('shows in /readyz and in a figure until there is room', async () => {
    expect(await probe('/readyz')).toEqual([200, { status: 'ready' }]);
    expect(await figure()).toBe('0');
    await fill();
    expect(await probe('/readyz')).toEqual([
      503,
      { status: 'no room is left on the disk of the database', check: 'disk' },
    ]);
    expect(await probe('/readyz?exclude=disk')).toEqual([200, { status: 'ready' }]);
    expect(await figure()).toBe('1');
    await rm(filler);
    expect(await probe('/readyz')).toEqual([200, { status: 'ready' }]);
    expect(await figure()).toBe('0');
  });

  test('refuses changes with a sentence, answers what changes nothing, and takes changes again when there is room', async () => {
    const client = new TestClient(opened.address);
    await client.call('signIn', { body: setup });
    const create = (name: string) => client.send('POST', '/api/team', { name });
    await fill();
    // Until a page has to be added to a table or to the log, changes still find room.
    let answer = await create('first');
    for (let count = 0; count < 1_000 && answer.status < 300; count += 1)
      answer = await create(`team ${count}`);
    expect([answer.status, answer.json]).toMatchObject([
      503,
      { title: expect.stringMatching(/so nothing (?:was|can be) changed/) },
    ]);
    expect((await client.send('GET', '/api/team')).status).toBe(200);
    await rm(filler);
    expect((await create('after')).status).toBeLessThan(300);
  });
});
