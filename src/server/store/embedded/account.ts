import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A user of the operating system by numbers. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Whom root becomes for the database, which refuses to run as root: nobody. */
export const unprivileged: Account = { uid: 65534, gid: 65534 };

/**
 * The account that the database must run under; null: this process's own will do.
 * @param files Folder of an existing database: as root, its owner (unless root) goes on owning it.
 */
export async function databaseAccount(files: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(files).catch(() => null);
  return owner === null || owner.uid === 0 ? unprivileged : { uid: owner.uid, gid: owner.gid };
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
