import { and, eq, isNull, ne, type SQL, sql } from 'drizzle-orm';
import { links, users } from '../store/schema/accounts.ts';
import { auditRows } from '../store/schema/audit.ts';
import { identities } from '../store/schema/identities.ts';
import { memberships } from '../store/schema/memberships.ts';
import { passkeys } from '../store/schema/passkeys.ts';
import { accountNotices } from '../store/schema/notifications.ts';
import { preferences } from '../store/schema/profile.ts';
import { sessions } from '../store/schema/sessions.ts';
import { personGroups } from '../store/schema/teams.ts';
import type { Store, Transaction } from '../store/store.ts';
import { storeAccountNotice } from './account-notice.ts';
import { revokeTokensOf } from './live-tokens.ts';
import { endResetLinks } from './reset-links.ts';

/** The condition by which an account is open: its address is proven by nobody, and it belongs nowhere and owns nothing. */
export const isOpenAccount = sql`(users.email_proven_at is null and not users.may_found_company
  and not exists (select 1 from memberships m where m.user_id = users.id and m.state <> 'left'))`;

/**
 * The condition by which the providers of companies alone open an account, and its address is proven by nobody: nobody signs
 * in by that address, and whoever runs such a provider may have made the account up.
 */
export const isCompanyAccount = sql`(users.email_proven_at is null and users.password_hash is null
  and not users.may_found_company
  and exists (select 1 from identities i where i.user_id = users.id)
  and not exists (select 1 from identities i where i.user_id = users.id and i.provider_id is null)
  and not exists (select 1 from passkeys p where p.user_id = users.id))`;

/** The person who showed that an address is theirs, as the keeper of the account that has it. */
export interface NewKeeper {
  readonly name: string;
  /** Null for somebody who signs in by a provider. */
  readonly passwordHash: string | null;
}

/**
 * Lets nobody give an account a way to sign in or a company until the transaction ends: what is read of it afterwards
 * holds that long.
 */
async function lockAccount(tx: Transaction, userId: number): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
}

/**
 * Gives an open account to somebody who showed that its address is theirs; whoever made it is out of it for good. The
 * address is not marked as proven yet. False where the account is open no more.
 */
export async function takeOverAccount(
  tx: Transaction,
  channel: Store['channel'],
  userId: number,
  { name, passwordHash }: NewKeeper,
): Promise<boolean> {
  await lockAccount(tx, userId);
  const taken = await tx
    .update(users)
    .set({ name, passwordHash })
    .where(and(eq(users.id, userId), isOpenAccount))
    .returning({ id: users.id });
  if (taken.length === 0) return false;
  await endResetLinks(tx, userId);
  await tx.delete(preferences).where(eq(preferences.userId, userId));
  await tx.delete(identities).where(eq(identities.userId, userId));
  // What a provider said of the former keeper's groups gives the new one no place.
  await tx.delete(personGroups).where(eq(personGroups.userId, userId));
  await tx.delete(passkeys).where(eq(passkeys.userId, userId));
  await tx.delete(accountNotices).where(eq(accountNotices.userId, userId));
  await tx.delete(sessions).where(eq(sessions.userId, userId));
  await revokeTokensOf(tx, channel, userId);
  await channel.notify('sessions', { userId }, tx);
  return true;
}

/**
 * Takes an address away from an account that belongs to a company but never showed that the address is its own, for
 * somebody who did. The account stays, with what it has in its companies, and signs in by that address no more; their
 * records say so. False where the address is proven meanwhile, or the account is not what `only` asks for.
 * @param email the address, as the record names who took it
 * @param only a condition on the account besides
 */
export async function freeAddress(
  tx: Transaction,
  {
    userId,
    email,
    address,
    requestId,
    only,
  }: { userId: number; email: string; address: string; requestId: string; only?: SQL },
): Promise<boolean> {
  await lockAccount(tx, userId);
  const freed = await tx
    .update(users)
    // A domain that no mail reaches (RFC 2606).
    .set({ email: `account-${userId}@unproven.invalid` })
    .where(and(eq(users.id, userId), eq(users.email, email), isNull(users.emailProvenAt), only))
    .returning({ id: users.id });
  if (freed.length === 0) return false;
  await tx.delete(links).where(eq(links.userId, userId));
  await storeAccountNotice(tx, {
    userId,
    title: `The address ${email} was removed from your account: somebody else confirmed that it is theirs`,
  });
  const joined = await tx
    .select({ companyId: memberships.companyId })
    .from(memberships)
    .where(and(eq(memberships.userId, userId), ne(memberships.state, 'left')));
  for (const { companyId } of joined) {
    await tx.insert(auditRows).values({
      companyId,
      actor: email,
      action: 'loseAddress',
      subject: { userId, email },
      address,
      requestId,
      finishedAt: sql`now()`,
      status: 200,
    });
  }
  return true;
}
