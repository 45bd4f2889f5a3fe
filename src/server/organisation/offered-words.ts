import { and, eq, inArray } from 'drizzle-orm';
import { teamRoles } from '../../contract/permissions.ts';
import { teams } from '../store/schema/teams.ts';
import type { Database } from '../store/store.ts';
import type { OfferedTeam } from './invitations.ts';

/** Places in teams, in words. */
export type PlaceWords = (offered: readonly OfferedTeam[]) => string;

/**
 * Says places in teams of a company for its audit, with the names of the teams beside their ids: a team that is deleted
 * later is still known by its name. Those of other companies have no name here.
 */
export async function placeWords(
  db: Pick<Database, 'select'>,
  companyId: number,
  offered: readonly OfferedTeam[],
): Promise<PlaceWords> {
  const ids = [...new Set(offered.map(({ teamId }) => teamId))];
  const named =
    ids.length === 0
      ? []
      : await db
          .select({ id: teams.id, name: teams.name })
          .from(teams)
          .where(and(eq(teams.companyId, companyId), inArray(teams.id, ids)));
  const names = new Map(named.map(({ id, name }) => [id, name]));
  return (places) =>
    places
      .map(({ teamId, role }) => {
        const name = names.get(teamId);
        return `${name === undefined ? `team ${teamId}` : `${name} (team ${teamId})`} as ${roleNames.get(role)}`;
      })
      .join(', ');
}

const roleNames = new Map<number, string>(Object.entries(teamRoles).map(([name, role]) => [role, name]));
