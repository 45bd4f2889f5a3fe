import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { binariesIn, findBinaries, hydrateLinks } from '../../../src/server/store/embedded/binaries.ts';
import { isAlive, isPostmasterOf } from '../../../src/server/store/embedded/processes.ts';
import { type OpenStore, openStore } from '../../../src/server/store/open.ts';
import { storeProblem } from '../../../src/server/store/problem.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import { type DataFolder, dataFolder } from './data-folder.ts';

const isRoot = process.getuid?.() === 0;
let folder: DataFolder;
let dataDir: string;

beforeAll(async () => {
  folder = await dataFolder();
  // Longer than a socket's path may be.
  dataDir = join(folder.path, 'a'.repeat(60), 'b'.repeat(60));
});
afterAll(() => folder.remove());

const open = (): Promise<OpenStore> => openStore({ databaseUrl: null, dataDir });

async function names(store: OpenStore): Promise<string[]> {
  return (await store.db.select().from(companies)).map((company) => company.name);
}

/** Waits until a condition holds: no longer than the test's own time limit. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(10);
}

test('a first start makes the database, keeps others out of its files, and stops with the store', async () => {
  const store = await open();
  await store.db.insert(companies).values({ name: 'first' });
  const listening = await store.pool.query(`show listen_addresses`);
  expect(listening.rows).toEqual([{ listen_addresses: '' }]);
  const files = await stat(store.embedded?.files ?? '');
  expect(files.mode & 0o777).toBe(isRoot ? 0o710 : 0o700);
  expect(files.uid).toBe(process.getuid?.());
  const socketDir = await stat(store.embedded?.connection.host ?? '');
  expect(socketDir.mode & 0o777).toBe(isRoot ? 0o770 : 0o700);
  expect([socketDir.uid, socketDir.gid]).toEqual([files.uid, files.gid]);
  const pid = store.embedded?.pid() ?? 0;
  expect(isPostmasterOf(pid, join(store.embedded?.files ?? '', 'cluster'))).toBe(true);
  await store.close();
  expect(isAlive(pid)).toBe(false);
});

test('a second server on the same data folder is refused with a sentence, and the first goes on', async () => {
  const first = await open();
  await expect(open()).rejects.toThrow(
    `Another Wheelhouse (process ${process.pid}) is running on the data folder ${dataDir}. Stop it first`,
  );
  expect(await names(first)).toEqual(['first']);
  await first.close();
});

test("the lock is its owner's alone, also where an earlier version left it open: a reader could hold it", async () => {
  const file = join(dataDir, 'server.lock');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await chmod(file, 0o644);
  const store = await open();
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await store.close();
});

test('a killed initialisation is started again', async () => {
  const files = join(dataDir, 'postgres');
  const kept = `${files}.kept`;
  await rename(files, kept);
  const half = join(files, 'cluster', 'base');
  await mkdir(half, { recursive: true });
  await writeFile(join(half, '..', 'PG_VERSION'), '18\n');
  const store = await open();
  expect(await names(store)).toEqual([]);
  await store.close();
  await rm(files, { recursive: true });
  await rename(kept, files);
});

test('a database whose server was killed is attached to, not started twice', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'writer.ts'), dataDir, 'orphan'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(createInterface(child.stdout), 'line');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const orphan = Number.parseInt(
    await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8'),
    10,
  );
  expect(isAlive(orphan)).toBe(true);
  const store = await open();
  expect(store.embedded?.pid()).toBe(orphan);
  await store.close();
});

describe('a process id left behind bars no start', () => {
  async function leave(pid: number): Promise<void> {
    const store = await open();
    const note = join(dataDir, 'postgres/cluster/postmaster.pid');
    const text = await readFile(note, 'utf8');
    await store.close();
    await writeFile(note, text.replace(/^\d+/, String(pid)));
    if (isRoot) await chown(note, 65534, 65534);
  }

  test('when only the lock of the socket is left, and another process of the same user has the id', async () => {
    const store = await open();
    const lock = join(store.embedded?.connection.host ?? '', '.s.PGSQL.5432.lock');
    const text = await readFile(lock, 'utf8');
    const folder = await stat(dirname(lock));
    await store.close();
    const other = spawn('sleep', ['600'], {
      stdio: 'ignore',
      ...(isRoot ? { uid: 65534, gid: 65534 } : {}),
    });
    // The folder of the socket went with the database that was closed.
    await mkdir(dirname(lock));
    await chmod(dirname(lock), folder.mode & 0o777);
    if (isRoot) await chown(dirname(lock), folder.uid, folder.gid);
    await writeFile(lock, text.replace(/^\d+/, String(other.pid)));
    const next = await open();
    expect(await names(next)).toContain('first');
    await next.close();
    other.kill();
  });

  test('when another program has it', async () => {
    const other = spawn('sleep', ['600'], { stdio: 'ignore' });
    await leave(other.pid ?? 0);
    const store = await open();
    expect(await names(store)).toContain('first');
    await store.close();
    other.kill('SIGKILL');
  });

  test('when it is a zombie that nobody reaps', async () => {
    // The shell becomes sleep, which waits for nobody; its child ends only then.
    const child = '(until grep -q sleep /proc/$$/comm; do :; done) & echo $!; exec sleep 600';
    const parent = spawn('sh', ['-c', child], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(createInterface(parent.stdout), 'line')) as [string];
    const zombie = Number(line);
    await until(async () => / Z /.test(await readFile(`/proc/${zombie}/stat`, 'utf8')));
    expect(isAlive(zombie)).toBe(false);
    await leave(zombie);
    const store = await open();
    expect(await names(store)).toContain('first');
    await store.close();
    parent.kill('SIGKILL');
  });
});

test('a database that dies under a running server is restarted, and callers are asked to try again meanwhile', async () => {
  const store = await open();
  const killed = store.embedded?.pid() ?? 0;
  const gap = new Promise<void>((resolve) => store.channel.onGap(resolve));
  process.kill(killed, 'SIGKILL');
  const failures: unknown[] = [];
  await until(async () => {
    if (store.embedded?.pid() === killed) {
      await names(store).catch((error: unknown) => failures.push(error));
      return false;
    }
    return names(store).then(
      () => true,
      (error: unknown) => failures.push(error) < 0,
    );
  });
  for (const failure of failures)
    expect(storeProblem(failure)).toMatchObject({ status: 503, retryable: true });
  expect(await names(store)).toContain('first');
  await gap;
  await store.close();
});

test('files of another major version are refused with the way to move them', async () => {
  const marker = join(dataDir, 'postgres/ready');
  await writeFile(marker, '17\n');
  await expect(open()).rejects.toThrow('are of PostgreSQL 17, and this version brings 18');
  await writeFile(marker, '18\n');
});

describe('under a folder that others cannot enter', () => {
  test('as root, programs and files go to a reachable place and are found again; else they stay', async () => {
    const home = join(folder.path, 'home');
    await mkdir(home, { mode: 0o700 });
    const original = findBinaries();
    await hydrateLinks(original);
    const packageDir = join(home, 'checkout/postgres');
    await cp(original.packageDir, packageDir, { recursive: true, verbatimSymlinks: true });
    // As after `npm ci --ignore-scripts`: the package cannot carry its links.
    const links = JSON.parse(await readFile(join(packageDir, 'native/pg-symlinks.json'), 'utf8')) as {
      target: string;
    }[];
    for (const { target } of links) await rm(join(packageDir, target));
    expect(links.length).toBeGreaterThan(0);
    const reachable = join(folder.path, 'reachable');
    const options = { binaries: binariesIn(packageDir), reachable };
    const config = { databaseUrl: null, dataDir: join(home, 'checkout/.wheelhouse') };
    const first = await openStore(config, undefined, options);
    await first.db.insert(companies).values({ name: 'kept' });
    expect(first.embedded?.isMoved).toBe(isRoot);
    expect(dirname(first.embedded?.files ?? '')).toBe(isRoot ? reachable : config.dataDir);
    const files = first.embedded?.files ?? '';
    await first.close();
    const again = await openStore(config, undefined, options);
    expect(again.embedded?.files).toBe(files);
    expect(await names(again)).toEqual(['kept']);
    await again.close();
    if (!isRoot) return;
    expect(await readFile(join(config.dataDir, 'postgres.location'), 'utf8')).toBe(`${files}\n`);
    expect((await stat(files)).uid).toBe(0);
    expect((await stat(join(files, 'cluster'))).uid).toBe(65534);
    await rm(files, { recursive: true });
    await expect(openStore(config, undefined, options)).rejects.toThrow('that folder is gone. Restore it');
  });

  test('as root, files that became unreachable are refused with what to do', async () => {
    if (!isRoot) {
      expect(process.getuid?.()).not.toBe(0);
      return;
    }
    await chmod(folder.path, 0o700);
    await expect(open()).rejects.toThrow('lie under a folder that user 65534 cannot enter');
    await chmod(folder.path, 0o711);
  });
});
