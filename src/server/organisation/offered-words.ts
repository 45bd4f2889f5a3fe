import { and, eq, inArray } from 'drizzle-orm';
import { type TeamRole, teamRoles } from '../../contract/permissions.ts';
import { teamPlaces, teams } from '../store/schema/teams.ts';
import type { Database } from '../store/store.ts';
import type { AcceptedInvitation } from './invitation-replies.ts';
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

/** The places in teams that somebody has in a company at this moment, in words. */
export async function heldPlaces(
  db: Pick<Database, 'select'>,
  companyId: number,
  userId: number,
): Promise<string> {
  const held = await db
    .select({ teamId: teamPlaces.teamId, role: teamPlaces.role })
    .from(teamPlaces)
    .where(and(eq(teamPlaces.companyId, companyId), eq(teamPlaces.userId, userId)))
    .orderBy(teamPlaces.teamId);
  const places = held.map(({ teamId, role }) => ({ teamId, role: role as TeamRole }));
  return (await placeWords(db, companyId, places))(places);
}

/** Facts of an accepted invitation for the audit: its sender, and the places that it gave. */
export async function acceptedFacts(
  db: Pick<Database, 'select'>,
  { companyId, email, invitedBy, orgRole, gained }: AcceptedInvitation,
): Promise<Readonly<Record<string, string | number>>> {
  const words = await placeWords(db, companyId, gained);
  return { email, invitedBy, orgRole, teams: words(gained) };
}

const roleNames = new Map<number, string>(Object.entries(teamRoles).map(([name, role]) => [role, name]));
