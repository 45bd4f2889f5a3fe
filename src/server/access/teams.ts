import { and, eq } from 'drizzle-orm';
import { isTeamRole, orgRoles, type TeamRole, teamRoles } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import { teamMembers, teams } from '../store/schema/teams.ts';
import type { Database } from '../store/store.ts';
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
  db: Database,
  person: Pick<Member, 'id' | 'companyId' | 'orgRole'>,
  teamId: number,
  access: 'view' | 'manage',
): Promise<TeamPosition> {
  const [row] = await db
    .select({ role: teamMembers.role })
    .from(teams)
    .leftJoin(teamMembers, and(eq(teamMembers.teamId, teams.id), eq(teamMembers.userId, person.id)))
    .where(and(eq(teams.id, teamId), eq(teams.companyId, person.companyId)));
  if (row === undefined) throw noSuchTeam();
  if (person.orgRole === orgRoles.Owner) return 'owner';
  if (row.role === null || !isTeamRole(row.role)) throw noSuchTeam();
  if (access === 'manage' && row.role !== teamRoles.TeamAdmin) {
    throw new Problem({
      status: 403,
      title: 'Only a TeamAdmin of this team or an Owner of your organisation can do this. Ask one of them.',
    });
  }
  return row.role;
}
