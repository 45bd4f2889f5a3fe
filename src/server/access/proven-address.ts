import { and, eq, sql } from 'drizzle-orm';
import { users } from '../store/schema/accounts.ts';
import type { Database, Transaction } from '../store/store.ts';

/**
 * Notes that a person's address was shown to be theirs, by a mailed link or a verified claim of an identity provider of
 * the installation. Does nothing where `email` is not the address of the account.
 * @param email lower case
 */
export async function proveAddress(db: Database | Transaction, userId: number, email: string): Promise<void> {
  await db
    .update(users)
    .set({ emailProvenAt: sql`coalesce(${users.emailProvenAt}, now())` })
    .where(and(eq(users.id, userId), eq(users.email, email)));
}
