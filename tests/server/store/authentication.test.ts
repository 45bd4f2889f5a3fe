import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canReach } from '../../../src/server/store/embedded/account.ts';
import { findBinaries } from '../../../src/server/store/embedded/binaries.ts';
import { environment } from '../../../src/server/store/embedded/init.ts';
import { role, superuser } from '../../../src/server/store/embedded/names.ts';
import { isAlive, isPostmasterOf } from '../../../src/server/store/embedded/processes.ts';
import { type OpenStore, openStore } from '../../../src/server/store/open.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import { chance, rounds } from '../../prove.ts';
import { type DataFolder, dataFolder, withoutRole } from './data-folder.ts';

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
const random = chance();
const kills = rounds(3, 60);
const trust = 'local all all trust\n';
let folder: DataFolder;
let dataDir: string;
let cluster: string;
let passwordFile: string;

beforeAll(async () => {
  folder = await dataFolder();
  dataDir = join(folder.path, 'data');
  cluster = join(dataDir, 'postgres/cluster');
  passwordFile = join(dataDir, 'database.password');
});
afterAll(() => folder.remove());

const open = (): Promise<OpenStore> => openStore({ databaseUrl: null, dataDir });

async function names(store: OpenStore): Promise<string[]> {
  return (await store.db.select().from(companies)).map((company) => company.name);
}

/** Tries to connect with a password (null: without one); gives PostgreSQL's or the driver's refusal, null for none. */
async function refusal(store: OpenStore, user: string, password: string | null): Promise<string | null> {
  const host = store.embedded?.connection.host ?? '';
  const client = new Client({ host, user, password: password ?? '', database: 'wheelhouse' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return null;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function expectClosed(store: OpenStore): Promise<void> {
  expect(await refusal(store, role, 'guessed')).toContain('password authentication failed');
  expect(await refusal(store, role, null)).not.toBeNull();
  const password = (await readFile(passwordFile, 'utf8')).trim();
  for (const other of ['postgres', superuser])
    expect(await refusal(store, other, password)).toContain('no pg_hba.conf entry');
  expect(await refusal(store, role, password)).toBeNull();
}

/**
 * Makes the stopped database one of an earlier version: everything is the superuser's, it trusts whoever reaches its
 * socket, and has no password.
 */
async function makeOld(): Promise<void> {
  await (await open()).close();
  await withoutRole(dataDir);
  await writeFile(join(cluster, 'pg_hba.conf'), trust);
  await rm(passwordFile);
  if (isRoot) {
    await chown(join(dataDir, 'postgres'), 65534, 65534);
    await chmod(join(dataDir, 'postgres'), 0o700);
  }
}

/** Starts the database as an earlier version did, without a server, and gives its process id. */
async function startOld(socketDir: string): Promise<number> {
  const owner = await stat(cluster);
  const child = spawn(
    join(findBinaries().native, 'bin/postgres'),
    ['-D', cluster, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${socketDir}`],
    {
      cwd: '/',
      env: environment,
      stdio: 'ignore',
      detached: true,
      ...(isRoot ? { uid: owner.uid, gid: 65534 } : {}),
    },
  );
  const client = (): Client => new Client({ host: socketDir, user: 'wheelhouse', database: 'postgres' });
  for (;;) {
    const trying = client();
    trying.on('error', () => undefined);
    const isIn = await trying.connect().then(
      () => true,
      () => false,
    );
    await trying.end().catch(() => undefined);
    if (isIn) return child.pid ?? 0;
    expect(child.exitCode).toBeNull();
    await pause(10);
  }
}

test('the database asks every local user for a password that only its server can read', async () => {
  const store = await open();
  await store.db.insert(companies).values({ name: 'kept' });
  await expectClosed(store);
  const found = await stat(passwordFile);
  expect([found.mode & 0o777, found.uid]).toEqual([0o600, process.getuid?.()]);
  await store.close();
});

test("as root, another process of the database's user reaches neither its socket, files, memory nor password", async () => {
  const store = await open();
  const { uid, gid } = await stat(cluster);
  const pid = store.embedded?.pid() ?? 0;
  const socket = join(store.embedded?.connection.host ?? '', '.s.PGSQL.5432');
  const script = `
    const fs = require('node:fs');
    const attempt = (work) => { try { work(); return 'done'; } catch (error) { return error.code; } };
    const [socket, cluster, pid, password] = process.argv.slice(1);
    const tried = [
      attempt(() => fs.readdirSync(cluster)),
      attempt(() => fs.readlinkSync('/proc/' + pid + '/cwd')),
      attempt(() => fs.readFileSync(password)),
    ];
    const say = (reply) => { console.log(JSON.stringify([process.getuid(), reply, ...tried])); process.exit(); };
    require('node:net').connect(socket, () => say('done')).on('error', (error) => say(error.code));`;
  const asOther = isRoot && (await canReach(process.execPath, { uid, gid: 65534, hasOwnGroup: false }));
  if (asOther) {
    const { stdout } = await run(
      process.execPath,
      ['-e', script, socket, cluster, String(pid), passwordFile],
      { cwd: '/', uid, gid: 65534 },
    );
    expect(JSON.parse(stdout)).toEqual([65534, 'EACCES', 'EACCES', 'EACCES', 'EACCES']);
  }
  if (isRoot) expect(gid).not.toBe(65534);
  await store.close();
});

test('a password file that is lost, damaged or was open to others is replaced, and the data is kept', async () => {
  const first = await readFile(passwordFile, 'utf8');
  await rm(passwordFile);
  await (await open()).close();
  const second = await readFile(passwordFile, 'utf8');
  await chmod(passwordFile, 0o644);
  await (await open()).close();
  const third = await readFile(passwordFile, 'utf8');
  await writeFile(passwordFile, '');
  const store = await open();
  expect(new Set([first, second, third, await readFile(passwordFile, 'utf8')]).size).toBe(4);
  expect(await names(store)).toEqual(['kept']);
  await expectClosed(store);
  await store.close();
});

describe('a database of an earlier version, which trusts whoever reaches its socket', () => {
  test('gets a password before it starts, and keeps its data', async () => {
    await makeOld();
    const store = await open();
    expect(await names(store)).toEqual(['kept']);
    await expectClosed(store);
    await store.close();
  });

  test('is started again with a password when it still runs, which ends the sessions in it', async () => {
    await makeOld();
    const socketDir = join(folder.path, 's');
    await mkdir(socketDir, { mode: 0o700 });
    const owner = await stat(cluster);
    await chown(socketDir, owner.uid, owner.gid);
    const old = await startOld(socketDir);
    const intruder = new Client({ host: socketDir, user: 'wheelhouse', database: 'wheelhouse' });
    const ended = new Promise<void>((resolve) => intruder.on('end', () => resolve()));
    intruder.on('error', () => undefined);
    await intruder.connect();
    const store = await open();
    await ended;
    expect(isAlive(old)).toBe(false);
    expect(isPostmasterOf(store.embedded?.pid() ?? 0, cluster)).toBe(true);
    expect(await names(store)).toEqual(['kept']);
    await expectClosed(store);
    await store.close();
  });

  test.each([
    ['the password is set and the rules are old', true, false],
    ['the rules are new and the password is not set', false, true],
  ])('is mended when a killed start left it half-way: %s', async (_, hasPassword, hasRules) => {
    const before = await open();
    const rules = await readFile(join(cluster, 'pg_hba.conf'), 'utf8');
    if (!hasPassword) await before.pool.query(`alter role ${role} password null`);
    await before.close();
    await writeFile(join(cluster, 'pg_hba.conf'), hasRules ? rules : trust);
    const store = await open();
    expect(await names(store)).toEqual(['kept']);
    await expectClosed(store);
    await store.close();
  });

  test(`survives ${kills} starts that are killed at any moment`, {
    timeout: rounds(240_000, 1_800_000),
  }, async () => {
    await makeOld();
    for (let round = 0; round < kills; round++) {
      const child = spawn(process.execPath, [join(import.meta.dirname, 'writer.ts'), dataDir, `w${round}`], {
        stdio: 'ignore',
      });
      const ended = once(child, 'exit');
      // From its first step on, so that the time that the program takes to load is not what is cut.
      while (child.exitCode === null && (await stat(passwordFile).catch(() => null)) === null) await pause(1);
      await pause(random() * 400);
      child.kill('SIGKILL');
      await ended;
      const store = await open();
      expect(await names(store), `round ${round}`).toContain('kept');
      await expectClosed(store);
      await store.close();
      await makeOld();
    }
  });
});
