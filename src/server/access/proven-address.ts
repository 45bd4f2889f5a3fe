import { and, eq, sql } from 'drizzle-orm';
import { users } from '../store/schema/accounts.ts';
import { identities } from '../store/schema/identities.ts';
import { invitations } from '../store/schema/memberships.ts';
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

/**
 * Forgets everything that showed an address to be the account's, and the invitations that it came to by their links:
 * somebody else may hold the account from now on. A provider says the address again at the next sign-in there.
 */
export async function forgetProofs(tx: Transaction, userId: number): Promise<void> {
  await tx.update(users).set({ emailProvenAt: null }).where(eq(users.id, userId));
  await tx.update(identities).set({ email: null }).where(eq(identities.userId, userId));
  await tx
    .update(invitations)
    .set({ claimedBy: null })
    .where(and(eq(invitations.claimedBy, userId), eq(invitations.state, 'pending')));
}
