import { chmodSync, closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../kit/start-error.ts';

/** The data folder is another process's. */
export class FolderInUse extends StartError {}

/**
 * Keeps every other Wheelhouse out of a data folder until `release`, or until this process dies in any way.
 * The lock is SQLite's own file lock on an empty file: the kernel gives it back with the process, so no stale lock
 * and no reused process id can ever bar a start (a file with a process id in it has both troubles).
 * Throws FolderInUse when another process holds it.
 */
export function lockFolder(dataDir: string): { release(): void } {
  const note = join(dataDir, 'server.pid');
  const file = join(dataDir, 'server.lock');
  closeToOthers(file);
  const lock = new DatabaseSync(file);
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== 5) throw error;
    throw new FolderInUse(
      `Another Wheelhouse${holder(note)} is running on the data folder ${dataDir}. Stop it first, or choose another folder with WHEELHOUSE_DATA.`,
      { cause: error },
    );
  }
  writeFileSync(note, `${process.pid}\n`, { mode: 0o600 });
  return { release: () => lock.close() };
}

/**
 * Anybody who may read a file may lock it, and so keep us from starting. An existing file is not opened: closing it
 * again would release a lock that this process holds on it.
 */
function closeToOthers(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    chmodSync(file, 0o600);
  }
}

function holder(note: string): string {
  try {
    return ` (process ${Number.parseInt(readFileSync(note, 'utf8'), 10)})`;
  } catch {
    return '';
  }
}
