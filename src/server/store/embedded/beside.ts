import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tryPassword } from './authentication.ts';
import { database, role } from './names.ts';
import { readPassword } from './password.ts';
import { pointerName } from './place.ts';
import { isPostmasterOf, readPostmasterNote } from './processes.ts';
import type { Connection } from './supervisor.ts';

/**
 * The embedded database of a data folder whose server runs, for another process beside that: by its socket and the password
 * file. It starts, stops and changes nothing. Null where that database does not answer, or the password is not readable.
 */
export async function besideEmbedded(dataDir: string): Promise<Connection | null> {
  const password = await readPassword(dataDir);
  const pointed = await readFile(join(dataDir, pointerName), 'utf8').catch(() => join(dataDir, 'postgres'));
  const cluster = join(pointed.trim(), 'cluster');
  const note = readPostmasterNote(cluster);
  if (password === null || note?.socketDir === undefined || !isPostmasterOf(note.pid, cluster)) return null;
  if ((await tryPassword(note.socketDir, password)) !== 'accepted') return null;
  return { host: note.socketDir, user: role, password, database };
}
