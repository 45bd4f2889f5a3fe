import { and, desc, eq, gt, sql } from 'drizzle-orm';
import { invitationsPerDay } from '../../contract/invitations.ts';
import { TooManyTries } from '../access/throttle.ts';
import { invitations } from '../store/schema/memberships.ts';
import type { Transaction } from '../store/store.ts';

const day = 86_400_000;

/**
 * Throws TooManyTries where a company has made all the invitations of a day, on all servers together. Others that invite
 * wait until this transaction is through. @param now ms
 */
export async function requireLeftOfDay(tx: Transaction, companyId: number, now: number): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('invitations of a day'), ${companyId})`);
  const [oldest] = await tx
    .select({ createdAt: invitations.createdAt })
    .from(invitations)
    .where(
      and(eq(invitations.companyId, companyId), gt(invitations.createdAt, new Date(now - day).toISOString())),
    )
    .orderBy(desc(invitations.createdAt))
    .offset(invitationsPerDay - 1)
    .limit(1);
  if (oldest === undefined) return;
  const freeAt = Date.parse(oldest.createdAt) + day;
  const text = new Date(freeAt).toISOString();
  throw new TooManyTries(
    `Your organisation has made ${invitationsPerDay} invitations within 24 hours, which is the limit. The next one can be made after ${text.slice(11, 16)} UTC on ${text.slice(0, 10)}.`,
    Math.max(1, Math.ceil((freeAt - now) / 1_000)),
  );
}
