import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { identityProviders } from '../store/schema/identities.ts';
import { memberships } from '../store/schema/memberships.ts';
import { groupTeams, personGroups } from '../store/schema/teams.ts';
import type { Store, Transaction } from '../store/store.ts';
import { givenPlaces, lockGroupPlaces, reviewGroupPlaces, wordExpires } from './group-places.ts';
import type { Claims, Provider } from './provider.ts';

/**
 * Puts a person into the teams that their groups at a provider give them, and takes them out of those that groups gave
 * them and give no more. A company's provider reaches that company's teams alone. Whom somebody put into a team by hand
 * stays there as they are. The provider's word counts as long as a session of it lasts: who signs in by it again keeps
 * the places, everybody else loses them by the clock.
 */
export async function applyGroups(
  { db, channel }: Pick<Store, 'db' | 'channel'>,
  provider: Provider,
  { groups }: Pick<Claims, 'groups'>,
  userId: number,
): Promise<void> {
  const { key, groupsClaim, company } = provider;
  if (groupsClaim === null) return;
  await db.transaction(async (tx) => {
    const mine = await tx
      .select({ companyId: memberships.companyId })
      .from(memberships)
      .where(
        and(
          eq(memberships.userId, userId),
          eq(memberships.state, 'active'),
          company === null ? undefined : eq(memberships.companyId, company.id),
        ),
      )
      .orderBy(asc(memberships.companyId));
    for (const { companyId } of mine) {
      await lockGroupPlaces(tx, companyId);
      if (!(await isStillRead(tx, provider))) return;
      await noteGroups(tx, { companyId, userId, provider: key }, groups);
      await reviewGroupPlaces(tx, sql`tm.user_id = ${userId} and tm.company_id = ${companyId}`);
      await tx.execute(sql`insert into team_members (company_id, team_id, user_id, role, given_by, expires_at)
        select company_id, team_id, user_id, role, provider, expires_at from ${givenPlaces} given
        where given.user_id = ${userId} and given.company_id = ${companyId}
        on conflict do nothing`);
      await channel.notify('grants', { companyId }, tx);
    }
  });
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
