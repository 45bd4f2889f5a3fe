import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { syncFolder } from '../files.ts';
import { environment, role } from './init.ts';
import type { Place } from './place.ts';

const run = promisify(execFile);

/**
 * The rules for connections: one role, over the socket, with its password. Nothing else matches, so it is refused.
 * The modes of the socket and its folder do not keep out other processes of the database's own account.
 */
const rules = `# Wheelhouse writes this file before it starts the database: changes are lost.\nlocal all ${role} scram-sha-256\n`;

/** The file with the rules for connections. */
export const rulesFile = (place: Place): string => join(place.cluster, 'pg_hba.conf');

/** Whether the database, once started, asks everybody for the password. */
export async function asksForPassword(place: Place): Promise<boolean> {
  return (await readFile(rulesFile(place), 'utf8').catch(() => null)) === rules;
}

/**
 * Gives the role its password, then writes the rules that ask for it. The database must not run: it is changed in
 * single-user mode, so that nobody can connect before. Killed in between, the next start does it again, because the
 * rules come last. Rejects when PostgreSQL fails.
 */
export async function requirePassword(place: Place, password: string): Promise<void> {
  const settings = {
    exit_on_error: 'on',
    password_encryption: 'scram-sha-256',
    // The statement holds the password, and what the database logs is readable to its account.
    log_min_error_statement: 'panic',
    log_statement: 'none',
  };
  const running = run(
    join(place.binaries.native, 'bin/postgres'),
    [
      '--single',
      '-D',
      place.cluster,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      'postgres',
    ],
    { cwd: '/', env: environment, ...(place.account === null ? {} : place.account) },
  );
  // When the program ends early, its exit code says why.
  running.child.stdin?.on('error', () => undefined);
  // Over standard input: arguments are visible to every user.
  running.child.stdin?.end(`alter role ${role} password '${password}'\n`);
  await running;
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
  const client = new Client({ host: socketDir, user: role, password, database: 'postgres' });
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
