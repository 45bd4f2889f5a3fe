import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { syncFolder } from '../files.ts';
import { database, role } from './names.ts';
import type { Place } from './place.ts';
import { prepareRole } from './roles.ts';

/**
 * The rules for connections: one role, to its database, over the socket, with its password. Nothing else matches, so it
 * is refused, the superuser too.
 * The modes of the socket and its folder do not keep out other processes of the database's own account.
 */
const rules = `# Wheelhouse writes this file before it starts the database: changes are lost.\nlocal ${database} ${role} scram-sha-256\n`;

/** The file with the rules for connections. */
export const rulesFile = (place: Place): string => join(place.cluster, 'pg_hba.conf');

/** Whether the database, once started, asks everybody for the password. */
export async function asksForPassword(place: Place): Promise<boolean> {
  return (await readFile(rulesFile(place), 'utf8').catch(() => null)) === rules;
}

/**
 * Makes the console's role, its password and its database, then writes the rules that ask for it. Killed in between, the
 * next start does it again, because the rules come last. The database must not run. Rejects when PostgreSQL fails.
 */
export async function requirePassword(place: Place, password: string): Promise<void> {
  await prepareRole(place, password);
  await writeRules(place);
}

/** By rename, so that the file is whole at any moment; the draft's name cannot be foreseen by the folder's owner. */
async function writeRules(place: Place): Promise<void> {
  const file = rulesFile(place);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    if (place.account !== null) await handle.chown(place.account.uid, place.account.gid);
    await handle.writeFile(rules);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
  await syncFolder(place.cluster);
}

/**
 * A postmaster's reply to a password: `accepted`, `refused` (its authentication failed), or `silent` while it starts,
 * recovers, stops or has no connection left.
 */
export async function tryPassword(
  socketDir: string,
  password: string,
): Promise<'accepted' | 'refused' | 'silent'> {
  const client = new Client({ host: socketDir, user: role, password, database });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return 'accepted';
  } catch (error) {
    return ((error as { code?: string }).code ?? '').startsWith('28') ? 'refused' : 'silent';
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Whether a postmaster accepts everybody who reaches its socket; undefined if it does not answer now. */
export async function letsAnybodyIn(socketDir: string): Promise<boolean | undefined> {
  const reply = await tryPassword(socketDir, randomBytes(32).toString('base64url'));
  return reply === 'silent' ? undefined : reply === 'accepted';
}
