import { and, eq, inArray, notInArray, sql } from 'drizzle-orm';
import { memberships } from '../store/schema/memberships.ts';
import { groupTeams, teamMembers } from '../store/schema/teams.ts';
import type { Store } from '../store/store.ts';
import type { Claims, Provider } from './provider.ts';

/**
 * Puts a person into the teams that their groups at a provider give them, and takes them out of those that groups gave
 * them and give no more. A company's provider reaches that company's teams alone. Whom somebody put into a team by hand
 * stays there as they are.
 */
export async function applyGroups(
  { db, channel }: Pick<Store, 'db' | 'channel'>,
  { key, groupsClaim, company }: Provider,
  { groups }: Pick<Claims, 'groups'>,
  userId: number,
): Promise<void> {
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
      );
    for (const { companyId } of mine) {
      const given =
        groups.length === 0
          ? []
          : await tx
              .select({
                teamId: groupTeams.teamId,
                // Of several groups the one that gives most: TeamAdmin (4), SecretViewer (3), Viewer (6).
                role: sql<number>`(array_agg(${groupTeams.role}
                  order by array_position(array[4, 3, 6]::smallint[], ${groupTeams.role})))[1]`,
              })
              .from(groupTeams)
              .where(
                and(
                  eq(groupTeams.companyId, companyId),
                  eq(groupTeams.provider, key),
                  inArray(groupTeams.group, [...groups]),
                ),
              )
              .groupBy(groupTeams.teamId);
      const left = given.map(({ teamId }) => teamId);
      await tx
        .delete(teamMembers)
        .where(
          and(
            eq(teamMembers.userId, userId),
            eq(teamMembers.companyId, companyId),
            eq(teamMembers.givenBy, key),
            left.length === 0 ? undefined : notInArray(teamMembers.teamId, left),
          ),
        );
      for (const { teamId, role } of given) {
        await tx
          .insert(teamMembers)
          .values({ companyId, teamId, userId, role, givenBy: key })
          .onConflictDoUpdate({
            target: [teamMembers.teamId, teamMembers.userId],
            set: { role },
            setWhere: eq(teamMembers.givenBy, key),
          });
      }
      await channel.notify('grants', { companyId }, tx);
    }
  });
}
