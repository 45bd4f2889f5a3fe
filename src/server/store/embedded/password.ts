import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder, writeNew } from '../files.ts';

/** Name of the password file in the data folder. */
export const passwordFileName = 'database.password';

/**
 * Password of the embedded database's role: 43 characters of base64url from a file that only this process's user reads
 * (as root, the database's account does not). A file that is missing, damaged or open to others is replaced: the
 * database then gets the new password when it starts. The caller holds the folder's lock.
 */
export async function loadPassword(dataDir: string): Promise<string> {
  const file = join(dataDir, passwordFileName);
  const known = await readPassword(dataDir);
  if (known !== null) return known;
  const password = randomBytes(32).toString('base64url');
  const draft = `${file}.new`;
  await rm(draft, { force: true });
  await writeNew(draft, `${password}\n`);
  await rename(draft, file);
  await syncFolder(dataDir);
  return password;
}

/** The password as it is; null where the file is missing, damaged or open to others. */
export async function readPassword(dataDir: string): Promise<string | null> {
  const file = join(dataDir, passwordFileName);
  const found = await stat(file).catch(() => null);
  if (found === null || (found.mode & 0o077) !== 0 || found.uid !== process.getuid?.()) return null;
  const text = (await readFile(file, 'utf8')).trim();
  return /^[\w-]{43}$/.test(text) ? text : null;
}
