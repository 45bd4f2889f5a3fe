import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopPostmaster } from '../../../src/server/store/embedded/postmaster.ts';
import { isPostmasterOf, readPostmasterNote } from '../../../src/server/store/embedded/processes.ts';

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
