import { chown, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A user of the operating system by numbers. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
  /**
   * Whether the group is the database's alone: then its folders belong to root and this group, so that other processes
   * of the same user can neither enter them nor trace the database. Else its folders belong to the user.
   */
  readonly hasOwnGroup: boolean;
}

/** User and group nobody: whom root becomes for the database, which refuses to run as root. */
const nobodyId = 65534;
/** Numbers that systemd's table of users and groups leaves unused, within what rootless containers have. */
const [firstGroup, groups] = [60_578, 606];

/**
 * The account that the database must run under; null: this process's own will do. As root: the owner of an existing
 * database, unless that is root or nobody; then nobody, with a group without a name.
 * @param files Folder of the database.
 * @param dataDir Exists; shows whether root may give files to that group (a container may have too few numbers).
 * @param hash Of the data folder, in hexadecimal: chooses the group, the same at every start.
 */
export async function databaseAccount(files: string, dataDir: string, hash: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(files).catch(() => null);
  if (owner !== null && owner.uid !== 0 && owner.uid !== nobodyId)
    return { uid: owner.uid, gid: owner.gid, hasOwnGroup: false };
  const gid = firstGroup + (Number.parseInt(hash.slice(0, 8), 16) % groups);
  const hasOwnGroup = await mayGiveTo(gid, dataDir);
  return { uid: nobodyId, gid: hasOwnGroup ? gid : nobodyId, hasOwnGroup };
}

async function mayGiveTo(gid: number, dataDir: string): Promise<boolean> {
  const trial = await mkdtemp(join(dataDir, '.group-'));
  try {
    await chown(trial, 0, gid);
    return true;
  } catch {
    return false;
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
}

/** Whether an account may walk to a path and, when it is a folder, into it. The path itself exists. */
export async function canReach(path: string, account: Account): Promise<boolean> {
  for (let folder = await realpath(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder);
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
