import { and, eq, gt, ne, notExists, sql } from 'drizzle-orm';
import { permissionsOfRole, type TeamRole } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import type { TeamMember } from '../../contract/teams.ts';
import { type Member, onlyOwners } from '../access/person.ts';
import { lockTeam, type TeamPosition } from '../access/teams.ts';
import { users } from '../store/schema/accounts.ts';
import { invitations, memberships } from '../store/schema/memberships.ts';
import { teamMembers, teamPlaces } from '../store/schema/teams.ts';
import type { Store, Transaction } from '../store/store.ts';
import { byName } from './by-name.ts';
import { changeGrants } from './change-grants.ts';
import { readChangedRoles } from './roles.ts';

/** Who is in a team. The guard decided who may ask, a change asks again; every query names the company. */
export class TeamMembers {
  readonly #store: Pick<Store, 'db' | 'channel'>;

  constructor(store: Pick<Store, 'db' | 'channel'>) {
    this.#store = store;
  }

  /** Who is in a team, by name, and then who is invited to it, by address. */
  async list(person: Member, teamId: number): Promise<TeamMember[]> {
    const rows = await this.#store.db
      .select({
        userId: users.id,
        name: users.name,
        email: users.email,
        role: teamPlaces.role,
        state: memberships.state,
      })
      .from(teamPlaces)
      .innerJoin(users, eq(users.id, teamPlaces.userId))
      .innerJoin(
        memberships,
        and(eq(memberships.userId, teamPlaces.userId), eq(memberships.companyId, teamPlaces.companyId)),
      )
      .where(and(eq(teamPlaces.teamId, teamId), eq(teamPlaces.companyId, person.companyId)))
      .orderBy(byName(users.name), users.id);
    const members = rows.map(({ state, role, ...row }) => ({
      ...row,
      role: role as TeamRole,
      pending: false,
      isSuspended: state === 'suspended',
    }));
    const invited = await this.#invited(person, teamId);
    return [...members, ...invited.filter(({ email }) => !members.some((one) => one.email === email))];
  }

  /** Who is invited to a team. Whether an address has an account is not looked at. */
  async #invited({ companyId }: Member, teamId: number): Promise<TeamMember[]> {
    const offer = sql`jsonb_array_elements(${invitations.teams}) as offer(place)`;
    const rows = await this.#store.db
      .select({ email: invitations.email, role: sql<TeamRole>`(place->>'role')::int` })
      .from(invitations)
      .innerJoin(offer, sql`(place->>'teamId')::int = ${teamId}`)
      .where(
        and(
          eq(invitations.companyId, companyId),
          eq(invitations.state, 'pending'),
          gt(invitations.expiresAt, sql`now()`),
        ),
      )
      .orderBy(invitations.email);
    return rows.map((row) => ({ userId: 0, name: '', ...row, pending: true, isSuspended: false }));
  }

  /** The people of the company who are not in a team, by name. */
  async candidates(
    person: Member,
    teamId: number,
  ): Promise<{ userId: number; name: string; email: string }[]> {
    const { db } = this.#store;
    const isIn = db
      .select({ one: sql`1` })
      .from(teamPlaces)
      .where(and(eq(teamPlaces.teamId, teamId), eq(teamPlaces.userId, memberships.userId)));
    return await db
      .select({ userId: users.id, name: users.name, email: users.email })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(
        and(eq(memberships.companyId, person.companyId), eq(memberships.state, 'active'), notExists(isIn)),
      )
      .orderBy(byName(users.name), users.id);
  }

  /**
   * Adds somebody of the company to a team, or gives a member another role. Throws Problem 404 for a person of no or
   * another company, and 403 when a TeamAdmin would give or change more than their own role has or is none any more.
   */
  async set(
    person: Member,
    teamId: number,
    { userId, role }: { userId: number; role: TeamRole },
  ): Promise<TeamMember> {
    await changeGrants(this.#store, person, async (tx) => {
      const by = await lockTeam(tx, person, teamId, userId);
      const [belongs] = await tx
        .select({ userId: memberships.userId })
        .from(memberships)
        .where(
          and(
            eq(memberships.userId, userId),
            eq(memberships.companyId, person.companyId),
            ne(memberships.state, 'left'),
          ),
        );
      if (belongs === undefined) {
        throw new Problem({ status: 404, title: 'Your organisation has no such person.' });
      }
      const [before] = await tx
        .select({ role: teamMembers.role })
        .from(teamMembers)
        .where(and(eq(teamMembers.teamId, teamId), eq(teamMembers.userId, userId)));
      await requireNoMoreThanOwn(tx, person, by, [
        role,
        ...(before === undefined ? [] : [before.role as TeamRole]),
      ]);
      await tx
        .insert(teamMembers)
        .values({ companyId: person.companyId, teamId, userId, role })
        .onConflictDoUpdate({
          target: [teamMembers.teamId, teamMembers.userId],
          set: { role, givenBy: null, expiresAt: null },
        });
    });
    const member = (await this.list(person, teamId)).find((one) => one.userId === userId);
    if (member === undefined) throw noSuchMember();
    return member;
  }

  /** Takes somebody out of a team. Throws Problem 404, or 403 as `set`. */
  async remove(person: Member, teamId: number, userId: number): Promise<void> {
    await changeGrants(this.#store, person, async (tx) => {
      const by = await lockTeam(tx, person, teamId, userId);
      const [gone] = await tx
        .delete(teamMembers)
        .where(
          and(
            eq(teamMembers.teamId, teamId),
            eq(teamMembers.userId, userId),
            eq(teamMembers.companyId, person.companyId),
          ),
        )
        .returning({ role: teamMembers.role });
      if (gone === undefined) throw noSuchMember();
      await requireNoMoreThanOwn(tx, person, by, [gone.role as TeamRole]);
    });
  }
}

function noSuchMember(): Problem {
  return new Problem({ status: 404, title: 'This person is not in the team.' });
}

/** Throws Problem 403 when a TeamAdmin would give, change or take a role that may do what their own may not. */
async function requireNoMoreThanOwn(
  tx: Transaction,
  { companyId }: Member,
  by: TeamPosition,
  roles: readonly TeamRole[],
): Promise<void> {
  if (by === 'owner') return;
  const changed = await readChangedRoles(tx, companyId);
  const own = permissionsOfRole(by, changed.get(by));
  const isWithin = (role: TeamRole) =>
    permissionsOfRole(role, changed.get(role)).every((permission) => own.includes(permission));
  if (roles.every(isWithin)) return;
  throw onlyOwners(
    'This role has more permissions than your own in the team. Ask an Owner of your organisation to give or take it.',
  );
}
