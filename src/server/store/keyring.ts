import { randomBytes } from 'node:crypto';
import { link, open, readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { StartError } from '../start-error.ts';
import { syncFolder } from './files.ts';

/** Keys for data at rest, by id; new values are sealed with the current one. */
export interface KeyRing {
  readonly current: string;
  /** 32 bytes each. */
  readonly keys: ReadonlyMap<string, Buffer>;
}

/** Name of the key file in the data folder. */
export const keyFileName = 'secret.key';

/**
 * Reads a key ring: `id:base64` entries, separated by lines or commas, 32 bytes each; the last is current.
 * The problem never repeats key material.
 */
export function parseKeyRing(text: string): { ring: KeyRing } | { problem: string } {
  const keys = new Map<string, Buffer>();
  let current: string | null = null;
  for (const [index, entry] of text
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .entries()) {
    const match = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)$/.exec(entry);
    const [id, material] = [match?.[1], match?.[2]];
    if (id === undefined || material === undefined)
      return { problem: `entry ${index + 1} is not of the form id:base64 with a key of 32 bytes.` };
    if (keys.has(id)) return { problem: `the key id "${id}" is there twice.` };
    keys.set(id, Buffer.from(material, 'base64'));
    current = id;
  }
  return current === null ? { problem: 'there is no key.' } : { ring: { current, keys } };
}

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
      `Others may read the key file ${file} (mode ${(found.mode & 0o777).toString(8)}). Allow it to its owner only: chmod 600 ${file}`,
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
  throw new StartError(`${source}: ${result.problem} Restore it from your back-up.`);
}
