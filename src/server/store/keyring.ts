import { randomBytes } from 'node:crypto';
import { link, open, readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../kit/config.ts';
import { type KeyRing, parseKeyRing } from '../kit/key-ring.ts';
import { StartError } from '../kit/start-error.ts';
import { syncFolder } from './files.ts';

/** Name of the key file in the data folder. */
export const keyFileName = 'secret.key';

/**
 * The key ring of an installation: WHEELHOUSE_SECRET_KEY, else the key file in the data folder.
 * Null when there is no key file yet. Throws StartError for a file that others may read or that is damaged.
 */
export async function loadKeyRing(config: Pick<Config, 'dataDir' | 'secretKey'>): Promise<KeyRing | null> {
  if (config.secretKey !== null) return ringOf(config.secretKey, 'WHEELHOUSE_SECRET_KEY');
  const file = join(config.dataDir, keyFileName);
  const found = await stat(file).catch(() => null);
  if (found === null) return null;
  if ((found.mode & 0o077) !== 0 && process.platform !== 'win32')
    throw new StartError(
      `Other users can read the key file ${file} (mode ${(found.mode & 0o777).toString(8)}). Restrict it to its owner: chmod 600 ${file}`,
    );
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new StartError(
      `The key file ${file} cannot be read (${error.message}). It belongs to user ${found.uid}: start as that user, or give it to this one.`,
      { cause: error },
    );
  });
  return ringOf(text, file);
}

/**
 * Makes the key file with one new key and returns its ring. A file that another start made meanwhile is kept and used.
 * The file appears whole or not at all: it is written and synced under another name, then linked.
 */
export async function createKeyFile(dataDir: string): Promise<KeyRing> {
  const file = join(dataDir, keyFileName);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`k1:${randomBytes(32).toString('base64')}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  await syncFolder(dataDir);
  return ringOf(await readFile(file, 'utf8'), file);
}

function ringOf(text: string, source: string): KeyRing {
  const result = parseKeyRing(text);
  if ('ring' in result) return result.ring;
  throw new StartError(`${source}: ${result.problem} Restore it from your backup.`);
}
