import { execFile } from 'node:child_process';
import { chown, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '../../kit/start-error.ts';
import { syncFolder, writeNew } from '../files.ts';
import { superuser } from './names.ts';
import { cannotEmbed } from './refusal.ts';
import type { Place } from './place.ts';

const run = promisify(execFile);

/** Environment of PostgreSQL's programs: nothing of ours (no secrets, no locale). */
export const environment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * Makes the database's files once. A marker says that they are whole: without it, what a killed
 * initialisation left is removed and made again. The files refuse every connection until the console's role has a password.
 * Throws StartError for files of another major version.
 */
export async function initialise(place: Place): Promise<void> {
  const marker = join(place.root, 'ready');
  const major = place.binaries.version.split('.')[0] ?? '';
  const made = await readFile(marker, 'utf8').catch(() => null);
  if (made !== null) {
    if (made.trim() === major) return;
    throw new StartError(
      `The database files in ${place.root} are of PostgreSQL ${made.trim()}, and this version brings ${major}. ` +
        'With the version that created them, run "npm run admin -- export FILE"; then move the files away and run "npm run admin -- import FILE" here.',
    );
  }
  await rm(place.cluster, { recursive: true, force: true });
  await mkdir(place.cluster, { mode: 0o700 });
  // The account may be unable to write to the folder around it.
  if (place.account !== null) await chown(place.cluster, place.account.uid, place.account.gid);
  const args = [
    '-D',
    place.cluster,
    '-U',
    superuser,
    '-A',
    'reject',
    '--no-locale',
    '-E',
    'UTF8',
    '--no-instructions',
  ];
  try {
    await run(join(place.binaries.native, 'bin/initdb'), args, {
      cwd: '/',
      env: environment,
      ...(place.account === null ? {} : place.account),
    });
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    if (code === 'EPERM' || code === 'EINVAL')
      throw cannotEmbed(
        'The embedded database never runs as root, and this root cannot become another user.',
        { cause: error },
      );
    throw cannotEmbed(
      `The embedded database could not be created in ${place.root}: ${(stderr?.trim() || (error as Error).message).slice(-500)}.`,
      { cause: error },
    );
  }
  await writeNew(marker, `${major}\n`);
  await syncFolder(place.root);
}
