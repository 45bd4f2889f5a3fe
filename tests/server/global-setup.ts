import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { stopPostmaster } from '../../src/server/store/embedded/postmaster.ts';
import { isAlive, isPostmasterOf, readPostmasterNote } from '../../src/server/store/embedded/processes.ts';
import { startEmbedded } from '../../src/server/store/embedded/supervisor.ts';
import { migrateDatabase } from '../../src/server/store/migrate.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder of the test database's socket. */
    postgresSocket: string;
    /** Password of its role. */
    postgresPassword: string;
  }
}

const prefix = 'wheelhouse-test-';
/** A migrated database that `freshDatabase()` copies. */
const template = 'fresh';

/** Runs once per test run: one PostgreSQL for all files, in a temporary folder, gone afterwards. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftovers();
  const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  // As root the database runs as another user, who passes through here.
  await chmod(folder, 0o711);
  const log = { warn: () => undefined, info: () => undefined };
  // Nothing in it outlives the run, so it need not survive a crash either.
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    max_connections: '200',
  };
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const started = startEmbedded(folder, log, { settings, reachable: join(folder, 'reachable') });
  const database = await started.catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const connection = { ...database.connection, database: 'postgres' };
  const client = new Client(connection);
  await client.connect();
  await client.query(`create database ${template}`);
  await client.end();
  await migrateDatabase({ ...connection, database: template });
  project.provide('postgresSocket', database.connection.host);
  project.provide('postgresPassword', database.connection.password);
  return async () => {
    await database.stop();
    await remove();
  };
}

/** What a killed run left behind: its database and its folder. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue;
    const owner = Number.parseInt(name.slice(prefix.length), 10);
    if (!Number.isInteger(owner) || isAlive(owner)) continue;
    const folder = join(tmpdir(), name);
    const cluster = join(folder, 'postgres', 'cluster');
    const note = readPostmasterNote(cluster);
    if (note !== null && isPostmasterOf(note.pid, cluster)) await stopPostmaster(note.pid);
    await rm(folder, { recursive: true, force: true });
  }
}
