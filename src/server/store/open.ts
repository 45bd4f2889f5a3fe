import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Client, type ClientConfig, Pool } from 'pg';
import type { Config } from '../kit/config.ts';
import { StartError } from '../kit/start-error.ts';
import { withCommitTasks } from './after-commit.ts';
import { type ChannelLog, openChannel } from './channel.ts';
import { besideEmbedded } from './embedded/beside.ts';
import { type EmbeddedDatabase, type EmbeddedOptions, startEmbedded } from './embedded/supervisor.ts';
import { FolderInUse, lockFolder } from './lock.ts';
import { migrateDatabase } from './migrate.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { isStoreUnavailable } from './problem.ts';
import type { Database, Store } from './store.ts';

/** A store and, where there is one, the database that this process supervises for it. */
export interface OpenStore extends Store {
  readonly embedded: EmbeddedDatabase | null;
}

const silentLog: ChannelLog = { warn: () => undefined, info: () => undefined };

/** A database that can be connected to, and what keeps it running. */
export interface RunningDatabase {
  readonly connection: ClientConfig;
  readonly embedded: EmbeddedDatabase | null;
  /** Stops the embedded one and gives the data folder back. */
  stop(): Promise<void>;
}

/** Which database is opened. */
export interface DatabaseConfig extends Pick<Config, 'databaseUrl' | 'dataDir'> {
  /** Takes part in the embedded database that a running server has, instead of refusing: for commands beside it. */
  readonly isBesideServer?: boolean;
}

/**
 * Gives the PostgreSQL that DATABASE_URL names, else starts the embedded one in the data folder, under the folder's
 * lock. Neither migrates nor, for DATABASE_URL, connects. Throws StartError with what to do.
 */
export async function runDatabase(
  config: DatabaseConfig,
  log: ChannelLog = silentLog,
  options: EmbeddedOptions = {},
): Promise<RunningDatabase> {
  const application = { application_name: 'wheelhouse' };
  if (config.databaseUrl !== null) {
    const connection = { connectionString: config.databaseUrl, ...application };
    return { connection, embedded: null, stop: async () => undefined };
  }
  await prepareDataDir(config.dataDir);
  const lock = await lockUnlessBeside(config);
  if ('connection' in lock)
    return {
      connection: { ...lock.connection, ...application },
      embedded: null,
      stop: async () => undefined,
    };
  try {
    const embedded = await startEmbedded(config.dataDir, log, options);
    return {
      connection: { ...embedded.connection, ...application },
      embedded,
      async stop() {
        await embedded.stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Runs the database as `runDatabase`, migrates it and opens the store on it. `close()` also stops the embedded one. */
export async function openStore(
  config: DatabaseConfig,
  log: ChannelLog = silentLog,
  options: EmbeddedOptions = {},
): Promise<OpenStore> {
  const database = await runDatabase(config, log, options);
  try {
    await migrateDatabase(database.connection);
    const store = await connectStore(database.connection, log);
    return {
      ...store,
      embedded: database.embedded,
      async close() {
        await store.close();
        await database.stop();
      },
    };
  } catch (error) {
    await database.stop();
    throw config.databaseUrl === null ? error : connectFailure(config.databaseUrl, error);
  }
}

/** The folder's lock, or the connection to the database of the server that holds it. Throws FolderInUse. */
async function lockUnlessBeside({
  dataDir,
  isBesideServer,
}: DatabaseConfig): Promise<ReturnType<typeof lockFolder> | { readonly connection: ClientConfig }> {
  try {
    return lockFolder(dataDir);
  } catch (error) {
    if (!(error instanceof FolderInUse) || isBesideServer !== true) throw error;
    const connection = await besideEmbedded(dataDir);
    if (connection === null) throw error;
    return { connection };
  }
}

/**
 * Makes the data folder: closed to others, but as root passable, because the database runs there as another user
 * (every file of ours in it is 0600).
 */
async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
    if (await makeFolders(dataDir, mode)) await chmod(dataDir, mode);
  } catch (error) {
    throw new StartError(
      `The data folder ${dataDir} cannot be created (${(error as Error).message}). Choose another one with WHEELHOUSE_DATA.`,
      { cause: error },
    );
  }
}

/**
 * Makes a folder and those above it; the answer is whether it was missing. Node's own recursive mkdir never ends where a
 * folder can have no others in it, such as /proc.
 */
async function makeFolders(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return false;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
  }
  await makeFolders(dirname(path), mode);
  await mkdir(path, { mode });
  return true;
}

async function connectStore(connection: ClientConfig, log: ChannelLog): Promise<Store> {
  const pool = new Pool({
    ...connection,
    max: 10,
    // A connection costs the database a process, and the work that comes every few seconds would need a new one each time.
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 30_000,
  });
  // A connection that breaks between two queries reports it only by this event, and an error event without a listener
  // would end the process: while idle the pool handles it (and replaces the connection), inside a transaction nothing
  // does.
  pool.on('error', (error) => log.warn({ err: error }, 'A connection to the database is lost.'));
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    oneAtATime(client);
  });
  const { channel, close } = await openChannel(connection, pool, log).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  return {
    db: withCommitTasks(pooledDatabase(pool)),
    pool,
    channel,
    async connect(applicationName) {
      const client = new Client({
        ...connection,
        application_name: applicationName,
        keepAlive: true,
        connectionTimeoutMillis: 10_000,
      });
      await client.connect();
      oneAtATime(client);
      return client;
    },
    async close() {
      await close();
      await pool.end();
    },
  };
}

/**
 * A database over a pool. Its transactions give their connection back however they end: drizzle's own keep one that is
 * found lost by their first statement, until the pool has no place left.
 */
function pooledDatabase(pool: Pool): Database {
  const db: Database = drizzle(pool);
  db.transaction = async (work, config) => {
    const client = await pool.connect();
    try {
      return await drizzle(client).transaction(work, config);
    } finally {
      client.release();
    }
  };
  return db;
}

/** The message for a DATABASE_URL that does not work: it names the server, never the credentials. */
export function connectFailure(databaseUrl: string, error: unknown): unknown {
  if (error instanceof StartError) return error;
  const { host, pathname } = new URL(databaseUrl);
  const code = (error as { code?: string }).code ?? '';
  if (isStoreUnavailable(error))
    return new StartError(
      `The database at ${host} (DATABASE_URL) cannot be reached: ${(error as Error).message || code}. Check the address, and that it is running.`,
      { cause: error },
    );
  if (/^(28|3D)/.test(code))
    return new StartError(
      `The database${pathname} at ${host} (DATABASE_URL) refuses the connection: ${(error as Error).message}. Check user, password and database name.`,
      { cause: error },
    );
  return error;
}
