import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Client, type ClientConfig, Pool } from 'pg';
import type { Config } from '../kit/config.ts';
import { StartError } from '../kit/start-error.ts';
import { withCommitTasks } from './after-commit.ts';
import { type ChannelLog, openChannel } from './channel.ts';
import { DiskRoom } from './disk-room.ts';
import { besideEmbedded } from './embedded/beside.ts';
import { type EmbeddedDatabase, type EmbeddedOptions, startEmbedded } from './embedded/supervisor.ts';
import { FolderInUse, lockFolder } from './lock.ts';
import { migrateDatabase } from './migrate.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { isReadOnly } from './problem.ts';
import { connectTimeout, reachDatabase } from './reach.ts';
import { failureAt } from './refusals.ts';
import { requireFitDatabase } from './requirements.ts';
import type { Database, Store } from './store.ts';

/** A store and, where there is one, the database that this process supervises for it. */
export interface OpenStore extends Store {
  readonly embedded: EmbeddedDatabase | null;
}

/** How long a statement of a call may take, ms. */
const statementTimeout = 30_000;

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
 * Gives the PostgreSQL that DATABASE_URL names, else starts the embedded one in the data
 * folder, under the folder's lock. Migrates neither. Throws StartError with what to do.
 */
export async function runDatabase(
  config: DatabaseConfig,
  log: ChannelLog = silentLog,
  options: EmbeddedOptions = {},
): Promise<RunningDatabase> {
  if (config.databaseUrl !== null) {
    const connection = await reachDatabase(config.databaseUrl);
    return { connection, embedded: null, stop: async () => undefined };
  }
  const application = { application_name: 'wheelhouse' };
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
    if (config.databaseUrl !== null)
      await requireFitDatabase(database.connection, database.connection.host ?? '');
    await migrateDatabase(database.connection);
    const store = await connectStore(database, log);
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
    throw config.databaseUrl === null ? error : failureAt(config.databaseUrl, error);
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
    // One that cannot be written to, as on a file system that is read-only.
    if (error instanceof Error && 'syscall' in error) throw unusableFolder(dataDir, error);
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
    throw unusableFolder(dataDir, error as Error);
  }
}

function unusableFolder(dataDir: string, cause: Error): StartError {
  return new StartError(
    `The data folder ${dataDir} cannot be used (${cause.message}). Choose another one with WHEELHOUSE_DATA.`,
    { cause },
  );
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

async function connectStore(
  { connection, embedded }: Pick<RunningDatabase, 'connection' | 'embedded'>,
  log: ChannelLog,
): Promise<Store> {
  const disk = new DiskRoom(embedded?.files ?? null);
  const note = (error: unknown) => disk.note(error);
  const pool = new Pool({
    ...connection,
    max: 10,
    // A connection costs the database a process, and the work that comes every few seconds would need a new one each time.
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    connectionTimeoutMillis: connectTimeout,
    // An address that has moved to another primary is followed at the latest then.
    maxLifetimeSeconds: 300,
    // By a statement: poolers refuse it among the settings with which a connection begins.
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, which its types do not say
    onConnect: async (client) => {
      await client.query(`set statement_timeout = ${statementTimeout}`);
    },
  });
  // A connection that breaks between two queries reports it only by this event, and an error event without a listener
  // would end the process: while idle the pool handles it (and replaces the connection), inside a transaction nothing
  // does.
  pool.on('error', (error) => log.warn({ err: error }, 'A connection to the database is lost.'));
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    oneAtATime(client, note);
  });
  const { channel, close } = await openChannel(connection, pool, log).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  return {
    db: withCommitTasks(pooledDatabase(pool)),
    pool,
    channel,
    disk,
    async connect(applicationName) {
      const client = new Client({
        ...connection,
        application_name: applicationName,
        keepAlive: true,
        connectionTimeoutMillis: connectTimeout,
      });
      // Lost before its owner listens, it would end the process; the statement that follows shows it.
      client.on('error', () => undefined);
      await client.connect();
      oneAtATime(client, note);
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
    let isLost = false;
    try {
      return await drizzle(client).transaction(work, config);
    } catch (error) {
      // The primary is another one by now: the next connection finds it.
      isLost = isReadOnly(error);
      throw error;
    } finally {
      client.release(isLost);
    }
  };
  return db;
}
