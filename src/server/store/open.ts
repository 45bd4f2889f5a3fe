import { chmod, mkdir } from 'node:fs/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import { type ClientConfig, Pool } from 'pg';
import type { Config } from '../config.ts';
import { StartError } from '../start-error.ts';
import { type ChannelLog, openChannel } from './channel.ts';
import { type EmbeddedDatabase, type EmbeddedOptions, startEmbedded } from './embedded/supervisor.ts';
import { lockFolder } from './lock.ts';
import { migrateDatabase } from './migrate.ts';
import { isStoreUnavailable } from './problem.ts';
import * as schema from './schema.ts';
import type { Store } from './store.ts';

/** A store and, where there is one, the database that this process supervises for it. */
export interface OpenStore extends Store {
  readonly embedded: EmbeddedDatabase | null;
}

const silent: ChannelLog = { warn: () => undefined, info: () => undefined };

/**
 * Opens the store: the PostgreSQL that DATABASE_URL names, else the embedded one in the data folder, under the
 * folder's lock. Migrates it. `close()` also stops the embedded one. Throws StartError with what to do.
 */
export async function openStore(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: ChannelLog = silent,
  options: EmbeddedOptions = {},
): Promise<OpenStore> {
  if (config.databaseUrl !== null) {
    const connection = { connectionString: config.databaseUrl, application_name: 'wheelhouse' };
    try {
      return { ...(await connectStore(connection, log)), embedded: null };
    } catch (error) {
      throw connectFailure(config.databaseUrl, error);
    }
  }
  await prepareDataDir(config.dataDir);
  const lock = lockFolder(config.dataDir);
  let embedded: EmbeddedDatabase | null = null;
  try {
    embedded = await startEmbedded(config.dataDir, log, options);
    const store = await connectStore({ ...embedded.connection, application_name: 'wheelhouse' }, log);
    const running = embedded;
    return {
      ...store,
      embedded,
      async close() {
        await store.close();
        await running.stop();
        lock.release();
      },
    };
  } catch (error) {
    await embedded?.stop();
    lock.release();
    throw error;
  }
}

/**
 * Makes the data folder: closed to others, but as root passable, because the database runs there as another user
 * (every file of ours in it is 0600).
 */
async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
    const made = await mkdir(dataDir, { recursive: true, mode });
    if (made !== undefined) await chmod(dataDir, mode);
  } catch (error) {
    throw new StartError(
      `The data folder ${dataDir} cannot be made (${(error as Error).message}). Choose another one with WHEELHOUSE_DATA.`,
      { cause: error },
    );
  }
}

async function connectStore(connection: ClientConfig, log: ChannelLog): Promise<Store> {
  await migrateDatabase(connection);
  const pool = new Pool({
    ...connection,
    max: 10,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 30_000,
  });
  // A connection that breaks between two queries has only this way to say so, and an error event without a listener
  // would end the process: while idle the pool hears it (and replaces the connection), inside a transaction nobody does.
  pool.on('error', (error) => log.warn({ err: error }, 'A connection to the database is lost.'));
  pool.on('connect', (client) => client.on('error', () => undefined));
  const { channel, close } = await openChannel(connection, pool, log).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  return {
    db: drizzle(pool, { schema }),
    pool,
    channel,
    async close() {
      await close();
      await pool.end();
    },
  };
}

/** Names the server, never the credentials. */
function connectFailure(databaseUrl: string, error: unknown): unknown {
  if (error instanceof StartError) return error;
  const { host, pathname } = new URL(databaseUrl);
  const code = (error as { code?: string }).code ?? '';
  if (isStoreUnavailable(error))
    return new StartError(
      `The database at ${host} (DATABASE_URL) cannot be reached: ${(error as Error).message || code}. Check its address and that it runs.`,
      { cause: error },
    );
  if (/^(28|3D)/.test(code))
    return new StartError(
      `The database${pathname} at ${host} (DATABASE_URL) refuses the connection: ${(error as Error).message}. Check user, password and database name.`,
      { cause: error },
    );
  return error;
}
