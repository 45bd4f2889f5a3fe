import { and, eq, sql, type SQL } from 'drizzle-orm';
import { companies } from '../store/schema/companies.ts';
import { invitations, memberships } from '../store/schema/memberships.ts';
import { type Database, noticeSize, type Store, type Transaction } from '../store/store.ts';

/**
 * The condition by which an invitation is a person's: they came by a link of it, or somebody showed that its address is
 * theirs. An account with that address and no proof sees nothing: anybody may have made it. A company's provider proves
 * addresses for that company alone.
 */
export function isInvited(userId: number | SQL): SQL {
  return sql`(invitations.claimed_by = ${userId}
    or exists (select 1 from users u where u.id = ${userId}
      and u.email = invitations.email and u.email_proven_at is not null)
    or exists (select 1 from identities i left join identity_providers p on p.id = i.provider_id
      where i.user_id = ${userId} and i.email = invitations.email
        and (i.provider_id is null or p.company_id = invitations.company_id)))`;
}

/**
 * Tells the open pages of everybody whose invitation it is that it came, changed or is gone. The same is asked and sent
 * for an address that nobody has.
 */
export async function tellInvited(
  tx: Transaction,
  { channel }: Pick<Store, 'channel'>,
  inviteId: number,
): Promise<void> {
  const { rows } = await tx.execute<{ id: number }>(sql`select person.id from users person, invitations
    where invitations.id = ${inviteId} and ${isInvited(sql`person.id`)} limit 100`);
  await channel.notify('account', { userIds: rows.map(({ id }) => id) }, tx);
}

/** Tells the same of all open invitations of a company that goes. */
export async function tellAllInvited(
  tx: Transaction,
  { channel }: Pick<Store, 'channel'>,
  companyId: number,
): Promise<void> {
  const { rows } = await tx.execute<{
    id: number;
  }>(sql`select distinct person.id from users person, invitations
    where invitations.company_id = ${companyId} and invitations.state = 'pending' and ${isInvited(sql`person.id`)}`);
  const userIds = rows.map(({ id }) => id);
  for (let at = 0; at < userIds.length; at += noticeSize)
    await channel.notify('account', { userIds: userIds.slice(at, at + noticeSize) }, tx);
}

/** The facts about somebody who belongs to no company. */
export interface Homelessness {
  readonly isInvitePending: boolean;
  /** They rejected the last invitation that they had. */
  readonly isInviteRejected: boolean;
  readonly formerCompany?: { readonly name: string; readonly reason: 'suspended' | 'left' | 'removed' };
}

/** Reads why somebody belongs to no company, and whether an invitation waits. @param now ms */
export async function readHomelessness(db: Database, userId: number, now: number): Promise<Homelessness> {
  const mine = await db
    .select({ state: invitations.state, expiresAt: invitations.expiresAt })
    .from(invitations)
    .where(isInvited(userId))
    .orderBy(sql`coalesce(${invitations.settledAt}, ${invitations.createdAt}) desc, ${invitations.id} desc`);
  const isInvitePending = mine.some(
    ({ state, expiresAt }) => state === 'pending' && Date.parse(expiresAt) > now,
  );
  const lastSettled = mine.find(({ state }) => state !== 'pending');
  const [former] = await db
    .select({ name: companies.name, state: memberships.state, wasRemoved: memberships.wasRemoved })
    .from(memberships)
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .where(and(eq(memberships.userId, userId)))
    // A suspension may be lifted, so it is told first.
    .orderBy(sql`(${memberships.state} = 'suspended') desc, ${memberships.lastSeenAt} desc nulls last`)
    .limit(1);
  return {
    isInvitePending,
    isInviteRejected: !isInvitePending && lastSettled?.state === 'rejected',
    ...(former === undefined || former.state === 'active'
      ? {}
      : {
          formerCompany: {
            name: former.name,
            reason: former.state === 'left' && former.wasRemoved ? 'removed' : former.state,
          },
        }),
  };
}
