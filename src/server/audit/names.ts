import { and, eq } from 'drizzle-orm';
import { users } from '../store/schema/accounts.ts';
import { invitations, memberships } from '../store/schema/memberships.ts';
import { teams } from '../store/schema/teams.ts';
import type { Database } from '../store/store.ts';

/** Ids of a call by the names of its parameters and fields. */
export type CallIds = Readonly<Record<string, unknown>>;

/** Fields of bodies that are ids, by the names that the audit has for them. */
const idFields = { teamId: 'teamId', userId: 'userId', UserId: 'userId', inviteId: 'inviteId' } as const;

const idOf = (value: unknown): number | undefined => {
  const id = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= 2_147_483_647 ? id : undefined;
};

/**
 * The names that belong to the ids of a call at this moment: they stay with its entry, whatever is renamed or deleted
 * later. Ids of another company, or of nothing, have none. Throws errors of the database.
 */
export async function namesOf(
  db: Pick<Database, 'select'>,
  companyId: number,
  ids: CallIds,
): Promise<Readonly<Record<string, string>>> {
  const found: Partial<Record<(typeof idFields)[keyof typeof idFields], number>> = {};
  for (const [field, name] of Object.entries(idFields)) {
    const id = idOf(ids[field]);
    if (id !== undefined) found[name] = id;
  }
  const { teamId, userId, inviteId } = found;
  const [team] =
    teamId === undefined
      ? []
      : await db
          .select({ name: teams.name })
          .from(teams)
          .where(and(eq(teams.id, teamId), eq(teams.companyId, companyId)));
  const [email] =
    userId === undefined
      ? await invitedAs(db, companyId, inviteId)
      : await db
          .select({ email: users.email })
          .from(memberships)
          .innerJoin(users, eq(users.id, memberships.userId))
          .where(and(eq(memberships.userId, userId), eq(memberships.companyId, companyId)));
  return { ...(team === undefined ? {} : { team: team.name }), ...email };
}

async function invitedAs(db: Pick<Database, 'select'>, companyId: number, inviteId: number | undefined) {
  if (inviteId === undefined) return [];
  return await db
    .select({ email: invitations.email })
    .from(invitations)
    .where(and(eq(invitations.id, inviteId), eq(invitations.companyId, companyId)));
}
