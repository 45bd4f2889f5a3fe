import { eq, type SQL } from 'drizzle-orm';
import { users } from '../store/schema/accounts.ts';
import type { Database } from '../store/store.ts';

/** An account, with what its password is checked by. */
export interface PasswordAccount {
  readonly id: number;
  /** Null where it has no password. */
  readonly passwordHash: string | null;
}

/** The account with an address; undefined without one. */
export const accountAt = (db: Database, email: string): Promise<PasswordAccount | undefined> =>
  findAccount(db, eq(users.email, email));

/** The account of a person; undefined once it is gone. */
export const accountOf = (db: Database, userId: number): Promise<PasswordAccount | undefined> =>
  findAccount(db, eq(users.id, userId));

async function findAccount(db: Database, where: SQL): Promise<PasswordAccount | undefined> {
  const [row] = await db.select({ id: users.id, passwordHash: users.passwordHash }).from(users).where(where);
  return row;
}
