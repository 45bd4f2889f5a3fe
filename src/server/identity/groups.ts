import { and, eq, inArray, sql } from 'drizzle-orm';
import { users } from '../store/schema/accounts.ts';
import { identities, identityProviders } from '../store/schema/identities.ts';
import { groupTeams, personGroups } from '../store/schema/teams.ts';
import type { Store, Transaction } from '../store/store.ts';
import {
  giveGroupPlaces,
  lockGroupPlaces,
  reviewGroupPlaces,
  wordExpires,
} from '../organisation/group-places.ts';
import { identityOf } from './people.ts';
import type { Claims, Provider } from './provider.ts';

/**
 * Puts a person into the teams that their groups at a provider give them, and takes them out of those that groups gave
 * them and give no more. A company's provider reaches that company's teams alone. Whom somebody put into a team by hand
 * stays there as they are. The provider's word counts as long as a session of it lasts: who signs in by it again keeps
 * the places, everybody else loses them by the clock. Where the identity is not the person's any more, nothing is noted.
 */
export async function applyGroups(
  { db, channel }: Pick<Store, 'db' | 'channel'>,
  provider: Provider,
  claims: Pick<Claims, 'groups' | 'issuer' | 'subject'>,
  userId: number,
): Promise<void> {
  const { groups } = claims;
  const { key, groupsClaim } = provider;
  if (groupsClaim === null) return;
  await db.transaction(async (tx) => {
    // Whoever takes the identity away, or the account over, locks the account as well, and forgets the groups.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('share');
    const isOwn = and(identityOf(provider, claims), eq(identities.userId, userId));
    if ((await tx.$count(identities, isOwn)) === 0) return;
    for (const companyId of await concernedCompanies(tx, provider, groups, userId)) {
      await lockGroupPlaces(tx, companyId);
      if (!(await isStillRead(tx, provider))) return;
      await noteGroups(tx, { companyId, userId, provider: key }, groups);
      await reviewGroupPlaces(tx, sql`tm.user_id = ${userId} and tm.company_id = ${companyId}`);
      await giveGroupPlaces(tx, { userId, companyId });
      await channel.notify('grants', { companyId }, tx);
    }
  });
}

/**
 * The companies, in order, that a provider's word on somebody's groups concerns: those that they belong to, and those that
 * give something for it, as they may accept an invitation of one without another sign-in.
 */
async function concernedCompanies(
  tx: Transaction,
  { key, company }: Provider,
  groups: readonly string[],
  userId: number,
): Promise<readonly number[]> {
  const { rows } = await tx.execute<{ company_id: number }>(sql`select company_id from (
      select company_id from memberships where user_id = ${userId} and state = 'active'
      union select company_id from group_teams
        where provider = ${key} and group_name = any(${sql.param([...groups])}::text[])
      union select company_id from person_groups where user_id = ${userId} and provider = ${key}
    ) concerned
    where ${company === null ? sql`true` : sql`company_id = ${company.id}`} order by company_id`);
  return rows.map(({ company_id }) => company_id);
}

/** Whether the claim by which a person's groups were read is still the one that the company set. */
async function isStillRead(tx: Transaction, { company, groupsClaim }: Provider): Promise<boolean> {
  if (company === null) return true;
  const [row] = await tx
    .select({ groupsClaim: identityProviders.groupsClaim })
    .from(identityProviders)
    .where(eq(identityProviders.id, company.providerId));
  return row?.groupsClaim === groupsClaim;
}

/** Notes the groups of a person in place of what the provider said before: of those that give something here. */
async function noteGroups(
  tx: Transaction,
  of: { readonly companyId: number; readonly userId: number; readonly provider: string },
  groups: readonly string[],
): Promise<void> {
  const { companyId, userId, provider } = of;
  await tx
    .delete(personGroups)
    .where(
      and(
        eq(personGroups.companyId, companyId),
        eq(personGroups.userId, userId),
        eq(personGroups.provider, provider),
      ),
    );
  if (groups.length === 0) return;
  const giving = await tx
    .selectDistinct({ group: groupTeams.group })
    .from(groupTeams)
    .where(
      and(
        eq(groupTeams.companyId, companyId),
        eq(groupTeams.provider, provider),
        inArray(groupTeams.group, [...groups]),
      ),
    );
  if (giving.length > 0)
    await tx
      .insert(personGroups)
      .values(giving.map(({ group }) => ({ ...of, group, expiresAt: wordExpires })));
}
