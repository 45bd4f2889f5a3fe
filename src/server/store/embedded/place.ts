import { createHash } from 'node:crypto';
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { StartError } from '../../kit/start-error.ts';
import { syncFolder, writeNew } from '../files.ts';
import { type Account, canReach, databaseAccount } from './account.ts';
import { type Binaries, binariesIn } from './binaries.ts';
import { cannotEmbed } from './refusal.ts';

/** Where the database lives. */
export interface Place {
  /** Folder with `cluster`, the ready marker and the log, which only the database's account can enter. */
  readonly root: string;
  /** PostgreSQL's own data folder. */
  readonly cluster: string;
  /** Whether `root` is outside the data folder, because the database's account cannot enter that. */
  readonly isMoved: boolean;
  readonly socketDir: string;
  readonly binaries: Binaries;
  readonly account: Account | null;
}

/** Longest path of a Unix socket, bytes. */
const socketLimit = process.platform === 'linux' ? 107 : 103;
/** Name of the file in the data folder that says where the database's files are, where they are elsewhere. */
export const pointerName = 'postgres.location';

/**
 * Prepares the folders of the embedded database and hands them to its account.
 * @param dataDir Exists.
 * @param reachable Folder for what the account could not reach otherwise, e.g. /var/lib/wheelhouse.
 */
export async function preparePlace(dataDir: string, binaries: Binaries, reachable: string): Promise<Place> {
  const pointed = await readFile(join(dataDir, pointerName), 'utf8').catch(() => null);
  const hash = createHash('sha256')
    .update(await realpath(dataDir))
    .digest('hex')
    .slice(0, 16);
  const account = await databaseAccount(pointed?.trim() ?? join(dataDir, 'postgres'), dataDir, hash);
  try {
    const root = await prepareRoot(dataDir, pointed?.trim() ?? null, account, join(reachable, hash));
    return {
      root: root.path,
      isMoved: root.isMoved,
      cluster: join(root.path, 'cluster'),
      socketDir: await prepareSocketDir(hash, account),
      binaries: await reachableBinaries(binaries, account, reachable),
      account,
    };
  } catch (error) {
    if (error instanceof StartError || account === null) throw error;
    throw cannotEmbed(
      `The embedded database never runs as root, and its folders cannot be handed to user ${account.uid} (${(error as Error).message}).`,
      { cause: error },
    );
  }
}

async function prepareRoot(
  dataDir: string,
  pointed: string | null,
  account: Account | null,
  elsewhere: string,
): Promise<{ path: string; isMoved: boolean }> {
  const pointer = join(dataDir, pointerName);
  if (pointed !== null) {
    if (!(await exists(pointed)))
      throw new StartError(
        `The database files of ${dataDir} are kept in ${pointed} (see ${pointer}), and that folder is gone. ` +
          `Restore it from your backup, or remove ${pointer} to start with an empty database.`,
      );
    await own(pointed, account);
    return { path: pointed, isMoved: true };
  }
  const inside = join(dataDir, 'postgres');
  if ((await exists(inside)) || account === null || (await canReach(dataDir, account))) {
    await mkdir(inside, { recursive: true, mode: 0o700 });
    await own(inside, account);
    if (account !== null && !(await canReach(inside, account)))
      throw new StartError(
        `The database files in ${inside} lie under a folder that user ${account.uid} cannot enter, and as root the database runs as that user. ` +
          'Allow others to pass (chmod o+x on the folders above it), or start as the user who owns them.',
      );
    return { path: inside, isMoved: false };
  }
  await mkdir(dirname(elsewhere), { recursive: true, mode: 0o755 });
  if (!(await canReach(dirname(elsewhere), account)))
    throw cannotEmbed(
      `As root the embedded database runs as user ${account.uid}, who can enter neither ${dataDir} nor ${dirname(elsewhere)}.`,
    );
  await mkdir(elsewhere, { recursive: true, mode: 0o700 });
  await own(elsewhere, account);
  await writeNew(pointer, `${elsewhere}\n`);
  await syncFolder(dataDir);
  return { path: elsewhere, isMoved: true };
}

/** A folder of our own with a short name: the path of a socket is limited, and that of a data folder is not. */
async function prepareSocketDir(hash: string, account: Account | null): Promise<string> {
  const isByGroup = account?.hasOwnGroup === true;
  const uid = (isByGroup ? null : account?.uid) ?? process.getuid?.() ?? 0;
  const closed = isByGroup ? 0o007 : 0o077;
  const name = `wheelhouse-${uid}-${hash}`;
  for (const parent of new Set([tmpdir(), '/tmp'])) {
    const dir = join(parent, name);
    if (Buffer.byteLength(join(dir, '.s.PGSQL.5432')) > socketLimit) continue;
    if (!(await exists(parent)) || (account !== null && !(await canReach(parent, account)))) continue;
    await mkdir(dir, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    const found = await lstat(dir);
    const isOurs = found.uid === uid || found.uid === process.getuid?.();
    if (!found.isDirectory() || !isOurs || (found.mode & closed) !== 0)
      throw new StartError(
        `${dir}, the folder for the database's socket, belongs to somebody else or is open to others. Remove it and start again.`,
      );
    // The database makes its socket in there.
    await own(dir, account, 0o770);
    return dir;
  }
  throw cannotEmbed(
    `There is no folder with a short path for the embedded database's socket (tried ${tmpdir()} and /tmp).`,
  );
}

/** The programs, or a copy of them where the account can run it. */
async function reachableBinaries(
  binaries: Binaries,
  account: Account | null,
  reachable: string,
): Promise<Binaries> {
  if (account === null || (await mayRun(binaries, account))) return binaries;
  const copy = join(reachable, `postgres-${binaries.version}-${process.arch}`);
  if (!(await exists(copy))) {
    const draft = `${copy}.${process.pid}`;
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true, mode: 0o755 });
    await cp(binaries.native, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    await cp(join(binaries.packageDir, 'package.json'), join(draft, 'package.json'));
    await openToAll(draft);
    await rename(draft, copy).catch(async (error: NodeJS.ErrnoException) => {
      await rm(draft, { recursive: true, force: true });
      // Another start was faster: its copy is as good.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  }
  return binariesIn(copy);
}

async function mayRun(binaries: Binaries, account: Account): Promise<boolean> {
  for (const name of ['bin/postgres', 'bin/initdb', 'lib', 'share/postgresql'])
    if (!(await canReach(join(binaries.native, name), account))) return false;
  // An install under a strict umask leaves files that only their owner reads.
  return ((await stat(join(binaries.native, 'share/postgresql/postgres.bki'))).mode & 0o004) !== 0;
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, ((await stat(path)).mode & 0o100) !== 0 ? 0o755 : 0o644);
  }
}

/** @param groupMode Mode of a folder that the account enters by its own group; else it is 0700. */
async function own(folder: string, account: Account | null, groupMode = 0o710): Promise<void> {
  if (account?.hasOwnGroup === true) {
    // In this order, so that the group that had it before gets nothing.
    await chmod(folder, 0o700);
    await chown(folder, 0, account.gid);
    await chmod(folder, groupMode);
    return;
  }
  if (account !== null) {
    await chown(folder, account.uid, account.gid);
    await chmod(folder, 0o700);
    return;
  }
  const { uid } = await stat(folder);
  if (uid !== process.getuid?.())
    throw new StartError(
      `The database files in ${folder} belong to user ${uid}. Start as that user (or as root, if they were made by root), or give them to this one with chown -R.`,
    );
  await chmod(folder, 0o700);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
