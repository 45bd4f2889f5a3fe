import { randomBytes } from 'node:crypto';
import { access, chmod, constants, mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'pg';
import { stopPostmaster } from '../src/server/store/embedded/postmaster.ts';
import { isAlive, isPostmasterOf, readPostmasterNote } from '../src/server/store/embedded/processes.ts';
import { superuser as user } from '../src/server/store/embedded/names.ts';
import { isFull } from './prove.ts';

/** Where the PostgreSQL of a test run is. */
export interface TestPostgres {
  /** Folder of its socket. */
  readonly socket: string;
  /** Password of its role. */
  readonly password: string;
}

/** A database of a test's own. */
export interface FreshDatabase {
  /** A connection string: `openStore({ databaseUrl: url, … })`. */
  readonly url: string;
  /** Removes it, whoever is still connected. */
  drop(): Promise<void>;
}

const prefix = 'wheelhouse-test-';
/** A migrated database that `createDatabase()` copies. */
const template = 'fresh';
/** A file system in memory, where there is one. */
const inMemory = '/dev/shm';
/** Free bytes that it must have; a run takes some hundred megabytes. */
const roomNeeded = 2 * 1024 ** 3;

/** The PostgreSQL of a run while it runs. */
export interface StartedPostgres {
  readonly place: TestPostgres;
  /** Process id of the postmaster at this moment; one that ends is started again. */
  pid(): number;
  /** Shuts it down, and starts it again in the same place after `away` ms. */
  restart(away: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts one PostgreSQL for a whole test run, in temporary folders that go when it stops. */
export async function startTestPostgres(): Promise<StartedPostgres> {
  // Here, since whoever makes databases alone would wait for them in each of many processes.
  const { startEmbedded } = await import('../src/server/store/embedded/supervisor.ts');
  const { migrateDatabase } = await import('../src/server/store/migrate.ts');
  await removeLeftovers();
  const folder = await mkdtemp(join(await placeOfDatabase(), `${prefix}${process.pid}-`));
  // Programs may not be run from every file system in memory.
  const programs = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  // As root the database runs as another user, who passes through here.
  for (const one of [folder, programs]) await chmod(one, 0o711);
  const log = { warn: () => undefined, info: () => undefined };
  // Tests make databases and roles, which the console's own role may not: its folders keep others out.
  const rules = join(folder, 'rules');
  await writeFile(rules, 'local all all trust\n', { mode: 0o644 });
  // Nothing in it outlives the run, so it need not survive a crash either.
  const settings = {
    hba_file: rules,
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    max_connections: '200',
    max_wal_size: '256MB',
    // Nothing replicates it, and its pages are in memory anyway.
    wal_level: 'minimal',
    max_wal_senders: '0',
    shared_buffers: '32MB',
    // A worker for each of many small databases, again and again.
    autovacuum: 'off',
  };
  const remove = async (): Promise<void> => {
    for (const one of [folder, programs]) await rm(one, { recursive: true, force: true });
  };
  const start = () => startEmbedded(folder, log, { settings, reachable: join(programs, 'reachable') });
  let database = await start().catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const { host: socket, password } = database.connection;
  const place = { socket, password };
  await administer(place, `create database ${template}`);
  await migrateDatabase({ ...database.connection, user, database: template });
  return {
    place,
    pid: () => database.pid(),
    restart: async (away) => {
      await database.stop();
      await wait(away);
      database = await start();
    },
    stop: async () => {
      await database.stop();
      await remove();
    },
  };
}

/** Makes a database: migrated and empty (a copy of a template: some 30 ms), or without any table. */
export async function createDatabase(
  postgres: TestPostgres,
  content: 'migrated' | 'nothing' = 'migrated',
): Promise<FreshDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(
    postgres,
    // By files: to write each page to the log as well takes twice the processor time.
    `create database ${name} ${content === 'migrated' ? `template ${template} strategy file_copy` : ''}`,
  );
  return {
    url: `postgresql://${user}:${postgres.password}@localhost/${name}?host=${encodeURIComponent(postgres.socket)}`,
    drop: () => administer(postgres, `drop database if exists ${name} with (force)`),
  };
}

/** A connection of this process for statements about databases, by the folder of the socket: a new one costs a process. */
const administrators = new Map<string, Pool>();

function administratorOf({ socket, password }: TestPostgres): Pool {
  const known = administrators.get(socket);
  if (known !== undefined) return known;
  const own = { host: socket, user, password, database: 'postgres' };
  const pool = new Pool({ ...own, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // It ends with the database, or is made anew.
  pool.on('error', () => undefined);
  administrators.set(socket, pool);
  return pool;
}

async function administer(postgres: TestPostgres, statement: string): Promise<void> {
  await administratorOf(postgres).query(statement);
}

/**
 * In memory where that has room: each database is four hundred files, which take a disk twenty times as long to make.
 * Proofs in full write more than memory is for.
 */
async function placeOfDatabase(): Promise<string> {
  try {
    await access(inMemory, constants.W_OK);
    const { bavail, bsize } = await statfs(inMemory);
    if (!isFull && bavail * bsize >= roomNeeded) return inMemory;
  } catch {
    // There is none, or it is not for this user.
  }
  return tmpdir();
}

/** What killed runs left behind: their databases and folders. */
async function removeLeftovers(): Promise<void> {
  for (const parent of [tmpdir(), inMemory]) {
    for (const name of await readdir(parent).catch(() => [])) {
      if (!name.startsWith(prefix)) continue;
      const owner = Number.parseInt(name.slice(prefix.length), 10);
      if (!Number.isInteger(owner) || isAlive(owner)) continue;
      const folder = join(parent, name);
      const cluster = join(folder, 'postgres', 'cluster');
      const note = readPostmasterNote(cluster);
      if (note !== null && isPostmasterOf(note.pid, cluster)) await stopPostmaster(note.pid);
      await rm(folder, { recursive: true, force: true });
    }
  }
}
