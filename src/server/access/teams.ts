import { and, eq, inArray } from 'drizzle-orm';
import { isTeamRole, type OrgRole, orgRoles, type TeamRole, teamRoles } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import { memberships } from '../store/schema/memberships.ts';
import { teamMembers, teamPlaces, teams } from '../store/schema/teams.ts';
import type { Database, Transaction } from '../store/store.ts';
import type { Member } from './person.ts';

/** The position of a person in a team: an Owner of its company, or a member of the team with a role. */
export type TeamPosition = 'owner' | TeamRole;

/** The answer to an unknown team, one of another company, and one the person is not in: the three are not told apart. */
export function noSuchTeam(): Problem {
  return new Problem({ status: 404, title: 'No such team.' });
}

/**
 * What a person is in a team, read from the store. Throws Problem 404 unless they are an Owner of its company or in it,
 * and 403 when they are asked to manage its members and are neither Owner nor TeamAdmin.
 */
export async function requireTeam(
  db: Database | Transaction,
  person: Pick<Member, 'id' | 'companyId' | 'orgRole'>,
  teamId: number,
  access: 'view' | 'manage',
): Promise<TeamPosition> {
  const [row] = await db
    .select({ role: teamPlaces.role })
    .from(teams)
    .leftJoin(teamPlaces, and(eq(teamPlaces.teamId, teams.id), eq(teamPlaces.userId, person.id)))
    .where(and(eq(teams.id, teamId), eq(teams.companyId, person.companyId)));
  if (row === undefined) throw noSuchTeam();
  if (person.orgRole === orgRoles.Owner) return 'owner';
  if (row.role === null || !isTeamRole(row.role)) throw noSuchTeam();
  if (access === 'manage' && row.role !== teamRoles.TeamAdmin) {
    throw new Problem({
      status: 403,
      title: 'Only a TeamAdmin of this team or an Owner of your organisation can do this. Ask one of them.',
      lacking: { needs: ['team'], teamId },
    });
  }
  return row.role;
}

/**
 * Locks a team whose members are to be changed, and gives what the person is in it now: whoever takes the right away
 * waits, or was waited for. Throws Problem 404 and 403 as `requireTeam`, also for somebody who left the company meanwhile.
 * @param userId whose place in the team is to be changed
 */
export async function lockTeam(
  tx: Transaction,
  { id, companyId }: Pick<Member, 'id' | 'companyId'>,
  teamId: number,
  userId: number,
): Promise<TeamPosition> {
  // Both in one order, so that two people who change each other do not wait for one another for ever.
  const belonging = await tx
    .select({
      userId: memberships.userId,
      orgRole: memberships.orgRole,
      state: memberships.state,
    })
    .from(memberships)
    .where(and(eq(memberships.companyId, companyId), inArray(memberships.userId, [id, userId])))
    .orderBy(memberships.userId)
    .for('share');
  const own = belonging.find((one) => one.userId === id);
  if (own?.state !== 'active') throw noSuchTeam();
  await tx.select({ id: teams.id }).from(teams).where(eq(teams.id, teamId)).for('no key update');
  // A provider's groups change members without the lock of the team.
  await tx
    .select({ userId: teamMembers.userId })
    .from(teamMembers)
    .where(and(eq(teamMembers.teamId, teamId), eq(teamMembers.userId, id)))
    .for('share');
  return await requireTeam(tx, { id, companyId, orgRole: own.orgRole as OrgRole }, teamId, 'manage');
}
