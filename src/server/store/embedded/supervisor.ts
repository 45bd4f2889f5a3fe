import { rmdir } from 'node:fs/promises';
import type { ChannelLog } from '../channel.ts';
import { findBinaries, hydrateLinks } from './binaries.ts';
import type { Binaries } from './binaries.ts';
import { initialise } from './init.ts';
import { database, role } from './names.ts';
import { loadPassword } from './password.ts';
import { preparePlace } from './place.ts';
import { ensurePostmaster, stopPostmaster } from './postmaster.ts';
import { isAlive } from './processes.ts';

/** How pg connects to it. */
export interface Connection {
  readonly host: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** The embedded PostgreSQL while it is supervised. */
export interface EmbeddedDatabase {
  /** For pg: `host` is the folder of the socket. */
  readonly connection: Connection;
  /** Folder with the database's files. */
  readonly files: string;
  /** Whether `files` is outside the data folder. */
  readonly isMoved: boolean;
  /** Process id of the postmaster at this moment. */
  pid(): number;
  /** Stops the database and waits until it is down. */
  stop(): Promise<void>;
}

/** Options for tests only. */
export interface EmbeddedOptions {
  readonly binaries?: Binaries;
  /** Folder for files that the database's account could not reach in the data folder. */
  readonly reachable?: string;
  /** PostgreSQL settings, e.g. `{ fsync: 'off' }`. */
  readonly settings?: Readonly<Record<string, string>>;
}

const watchInterval = 250;

/**
 * Starts PostgreSQL on a data folder (or attaches to one whose server died) and starts it again whenever it dies.
 * The caller holds the folder's lock. Throws StartError where it cannot run.
 */
export async function startEmbedded(
  dataDir: string,
  log: ChannelLog,
  options: EmbeddedOptions = {},
): Promise<EmbeddedDatabase> {
  const binaries = options.binaries ?? findBinaries();
  await hydrateLinks(binaries);
  const password = await loadPassword(dataDir);
  const place = await preparePlace(dataDir, binaries, options.reachable ?? '/var/lib/wheelhouse');
  await initialise(place).catch(async (error: unknown) => {
    await leaveSocketDir(place.socketDir);
    throw error;
  });
  const settings = options.settings ?? {};
  let postmaster = await ensurePostmaster(place, password, settings);
  const connection = { host: postmaster.socketDir, user: role, password, database };

  let isStopping = false;
  let restart: Promise<void> | null = null;
  const watch = setInterval(() => {
    if (isStopping || restart !== null || isAlive(postmaster.pid)) return;
    log.warn({ pid: postmaster.pid }, 'The embedded database died; it is started again.');
    restart = ensurePostmaster(place, password, settings)
      .then((next) => {
        postmaster = next;
        log.info({ pid: next.pid }, 'The embedded database is back.');
      })
      .catch((error: unknown) =>
        log.warn({ err: error }, 'The embedded database could not be started again.'),
      )
      .finally(() => {
        restart = null;
      });
  }, watchInterval);
  watch.unref();

  return {
    connection,
    files: place.root,
    isMoved: place.isMoved,
    pid: () => postmaster.pid,
    async stop() {
      isStopping = true;
      clearInterval(watch);
      await restart;
      await stopPostmaster(postmaster.pid);
      await leaveSocketDir(postmaster.socketDir);
    },
  };
}

/** The socket's folder goes once it is empty; in use, it stays. */
async function leaveSocketDir(folder: string): Promise<void> {
  await rmdir(folder).catch(() => undefined);
}
