import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBinaries } from '../../../src/server/store/embedded/binaries.ts';
import { database, role, superuser } from '../../../src/server/store/embedded/names.ts';
import { stopPostmaster } from '../../../src/server/store/embedded/postmaster.ts';
import { isPostmasterOf, readPostmasterNote } from '../../../src/server/store/embedded/processes.ts';
import { singleUser } from '../../../src/server/store/embedded/roles.ts';

/** Runs statements as the superuser on the stopped database of a data folder. Rejects when one of them fails. */
export async function bySuperuser(dataDir: string, statements: readonly string[]): Promise<void> {
  const cluster = join(dataDir, 'postgres/cluster');
  const { uid, gid } = await stat(cluster);
  const account = process.getuid?.() === 0 ? { uid, gid, hasOwnGroup: false } : null;
  await singleUser({ binaries: findBinaries(), cluster, account }, database, statements);
}

/** Makes the role of a stopped database undone, as it was in earlier versions: everything is the superuser's. */
export async function withoutRole(dataDir: string): Promise<void> {
  await bySuperuser(dataDir, [
    `reassign owned by ${role} to ${superuser}`,
    `drop owned by ${role}`,
    `drop role ${role}`,
  ]);
}

/** A folder for one test file's data, which the database's account may pass through. */
export interface DataFolder {
  readonly path: string;
  /** Removes it, and stops any database that a failed test left running in it. */
  remove(): Promise<void>;
}

export async function dataFolder(): Promise<DataFolder> {
  const path = await mkdtemp(join(tmpdir(), 'wheelhouse-store-'));
  await chmod(path, 0o711);
  return {
    path,
    async remove() {
      for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
        if (entry.name !== 'postmaster.pid') continue;
        const note = readPostmasterNote(entry.parentPath);
        if (note !== null && isPostmasterOf(note.pid, entry.parentPath)) await stopPostmaster(note.pid);
      }
      await rm(path, { recursive: true, force: true });
    },
  };
}
