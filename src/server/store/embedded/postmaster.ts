import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  fchownSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { StartError } from '../../kit/start-error.ts';
import { asksForPassword, letsAnybodyIn, requirePassword, rulesFile, tryPassword } from './authentication.ts';
import { environment } from './init.ts';
import type { Place } from './place.ts';
import { hasWorkers, isAlive, isPostmasterOf, readPostmasterNote } from './processes.ts';
import { systemClock } from '../../kit/clock.ts';

/** A postmaster that answers. */
export interface Postmaster {
  readonly pid: number;
  /** Folder of its socket: the `host` to connect to. */
  readonly socketDir: string;
  /** Whether it was already running: its server had died. */
  readonly isAttached: boolean;
}

const startLimit = 60_000;
const launchLimit = 5;
/** For each of two ways of stopping, ms: a server has 10 s in all. */
const stopLimit = 4_000;
const logLimit = 5_000_000;

/**
 * Gives the living postmaster of a place, starting one if need be, once it answers. One that lets anybody in (an
 * earlier version started it) or has another password is stopped, which ends the sessions of whoever is in it, and is
 * started again with this password.
 * @param password Of the database's role.
 * @param settings PostgreSQL settings for a new postmaster, e.g. `{ fsync: 'off' }` in tests.
 */
export async function ensurePostmaster(
  place: Place,
  password: string,
  settings: Readonly<Record<string, string>>,
): Promise<Postmaster> {
  const deadline = systemClock.now() + startLimit;
  let child: ChildProcess | null = null;
  let launches = 0;
  let isPasswordKnown = true;
  while (systemClock.now() < deadline && launches <= launchLimit) {
    const note = readPostmasterNote(place.cluster);
    if (note !== null && isPostmasterOf(note.pid, place.cluster)) {
      const socketDir = note.socketDir ?? place.socketDir;
      const isAttached = child?.pid !== note.pid;
      const reply = await tryPassword(socketDir, password);
      const isOpen = reply === 'accepted' && isAttached ? await letsAnybodyIn(socketDir) : false;
      if (reply === 'accepted' && isOpen === false) return { pid: note.pid, socketDir, isAttached };
      if (reply === 'refused' || isOpen === true) {
        isPasswordKnown = false;
        await stopPostmaster(note.pid);
      } else {
        await pause(10);
      }
    } else if (child !== null && child.exitCode === null && child.signalCode === null) {
      await pause(10);
    } else if (hasWorkers(place.cluster)) {
      // Children of a killed postmaster: they leave within moments, and until then the files are theirs.
      await pause(20);
    } else {
      if (launches > 0) await pause(100);
      removeStaleNotes(place, note?.pid ?? null);
      if (!isPasswordKnown || !(await asksForPassword(place))) {
        await requirePassword(place, password).catch((error: unknown) => {
          throw startFailure(place, error as Error);
        });
        isPasswordKnown = true;
      }
      child = await launch(place, settings);
      launches += 1;
    }
  }
  throw startFailure(place, null);
}

/** Stops a postmaster: fast shutdown, then, if it lingers, an immediate one (which recovers at the next start). */
export async function stopPostmaster(pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!isAlive(pid)) return;
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    const deadline = systemClock.now() + stopLimit;
    while (isAlive(pid) && systemClock.now() < deadline) await pause(10);
  }
}

/** Detached, in a session of its own: neither Ctrl-C in the terminal nor our own death reaches it. */
async function launch(place: Place, settings: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const logFile = join(place.root, 'postgres.log');
  if ((lstatSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > logLimit)
    renameSync(logFile, `${logFile}.old`);
  // As root we give the log away: the folder's owner must not be able to lead that to another file.
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const log = openSync(logFile, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  if (place.account !== null) fchownSync(log, place.account.uid, place.account.gid);
  const all: Record<string, string> = {
    listen_addresses: '',
    hba_file: rulesFile(place),
    unix_socket_directories: place.socketDir,
    unix_socket_permissions: '0700',
    max_connections: '60',
    log_checkpoints: 'off',
    ...settings,
  };
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  try {
    const child = spawn(join(place.binaries.native, 'bin/postgres'), ['-D', place.cluster, ...args], {
      detached: true,
      cwd: '/',
      env: environment,
      stdio: ['ignore', log, log],
      ...(place.account === null ? {} : place.account),
    });
    await once(child, 'spawn');
    child.unref();
    return child;
  } catch (error) {
    throw startFailure(place, error as Error);
  } finally {
    closeSync(log);
  }
}

/**
 * Takes away what a dead postmaster left and a new one would refuse to start over. Called where no postmaster of the
 * place lives and no worker is left.
 *
 * The lock of the socket goes in any case: only a postmaster that holds the lock of the files has it, and it may outlive
 * that one. A lock of the files whose process is dead is PostgreSQL's own business, and it checks more than we can; it
 * goes only where its id is a zombie, or is used again by another program.
 */
function removeStaleNotes(place: Place, pid: number | null): void {
  rmSync(join(place.socketDir, '.s.PGSQL.5432.lock'), { force: true });
  if (pid === null) return;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
  }
  rmSync(join(place.cluster, 'postmaster.pid'), { force: true });
}

function startFailure(place: Place, cause: Error | null): StartError {
  const logFile = join(place.root, 'postgres.log');
  let last = cause?.message ?? '';
  try {
    last ||= readFileSync(logFile, 'utf8').trim().split('\n').slice(-3).join(' / ').slice(-500);
  } catch {
    last ||= 'it wrote no log';
  }
  return new StartError(
    `The embedded database does not start (${last}). Its log is ${logFile}.`,
    cause === null ? {} : { cause },
  );
}
