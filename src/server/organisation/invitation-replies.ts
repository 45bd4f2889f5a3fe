import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { PendingInvitation } from '../../contract/invitations.ts';
import type { OrgRole } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import { isInvited, tellInvited } from '../access/invited.ts';
import type { PlanLimits } from '../plans/limits.ts';
import { users } from '../store/schema/accounts.ts';
import { companies } from '../store/schema/companies.ts';
import { invitationRequests, invitations, memberships } from '../store/schema/memberships.ts';
import { teamMembers, teams } from '../store/schema/teams.ts';
import type { Store, Transaction } from '../store/store.ts';
import { giveGroupPlaces, lockGroupPlaces } from './group-places.ts';
import { noSuchInvitation, requirePending, stateOf } from './invitation-state.ts';
import { type OfferedTeam, offeredTeams } from './invitations.ts';
import type { Clock } from '../kit/clock.ts';

/** An invitation that a person answered. */
export interface AnsweredInvitation {
  readonly companyId: number;
  readonly companyName: string;
  /** The invited address. */
  readonly email: string;
  /** Address of who invited; empty where that account is gone. */
  readonly invitedBy: string;
}

/** A person's new membership. */
export interface AcceptedInvitation extends AnsweredInvitation {
  /** The role that they have now. */
  readonly orgRole: OrgRole;
  /** The places in teams that they gained by it. */
  readonly gained: readonly OfferedTeam[];
}

/** The invited person's side: what waits for them, and their answer. */
export class InvitationReplies {
  readonly #store: Pick<Store, 'db' | 'channel'>;
  readonly #limits: PlanLimits;
  readonly #clock: Clock;

  constructor({
    store,
    limits,
    clock,
  }: {
    readonly store: Pick<Store, 'db' | 'channel'>;
    readonly limits: PlanLimits;
    readonly clock: Clock;
  }) {
    this.#store = store;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** What waits for a person, the oldest first. */
  async pending(userId: number): Promise<PendingInvitation[]> {
    const { db } = this.#store;
    const rows = await db
      .select({ row: invitations, companyName: companies.name, invitedBy: users.name })
      .from(invitations)
      .innerJoin(companies, eq(companies.id, invitations.companyId))
      .leftJoin(users, eq(users.id, invitations.invitedBy))
      .where(and(eq(invitations.state, 'pending'), isInvited(userId)))
      .orderBy(asc(invitations.createdAt), asc(invitations.id));
    const open = rows.filter(({ row }) => stateOf(row, this.#clock.now()) === 'pending');
    const ids = open.flatMap(({ row }) => offeredTeams(row.teams).map(({ teamId }) => teamId));
    const named =
      ids.length === 0
        ? []
        : await db
            .select({ id: teams.id, name: teams.name, companyId: teams.companyId })
            .from(teams)
            .where(inArray(teams.id, ids));
    return open.map(({ row, companyName, invitedBy }) => ({
      inviteId: row.id,
      companyName,
      invitedBy,
      orgRole: row.orgRole as OrgRole,
      teams: offeredTeams(row.teams).flatMap(({ teamId, role }) => {
        const team = named.find(({ id, companyId }) => id === teamId && companyId === row.companyId);
        return team === undefined ? [] : [{ name: team.name, role }];
      }),
      expiresAt: row.expiresAt,
    }));
  }

  /**
   * Makes a person a member by their invitation: the only way into a company but founding it. Throws Problem 404 for
   * what is no invitation of theirs, 410 for one that is no longer open, 409 for somebody who is suspended there,
   * 402 where there is no seat left.
   */
  async accept(userId: number, inviteId: number): Promise<AcceptedInvitation> {
    return await this.#store.db.transaction((tx) => this.acceptWithin(tx, userId, inviteId));
  }

  /** As `accept`, within a transaction. */
  async acceptWithin(tx: Transaction, userId: number, inviteId: number): Promise<AcceptedInvitation> {
    const { row, companyName, invitedBy } = await this.#lock(tx, userId, inviteId);
    const { companyId, email } = row;
    await tx
      .update(invitations)
      .set({ state: 'accepted', settledAt: this.#iso() })
      .where(eq(invitations.id, inviteId));
    const [membership] = await tx
      .select({ state: memberships.state, orgRole: memberships.orgRole })
      .from(memberships)
      .where(and(eq(memberships.userId, userId), eq(memberships.companyId, companyId)))
      .for('update');
    if (membership?.state === 'suspended') {
      throw new Problem({
        status: 409,
        title: `An Owner of ${companyName} suspended you. Only they can let you in again.`,
      });
    }
    // Who is in already by another invitation keeps the role that they have.
    const isIn = membership?.state === 'active';
    if (!isIn) {
      await this.#limits.requireSeatToJoin(tx, companyId);
      const joined = { orgRole: row.orgRole, state: 'active' as const, createdAt: this.#iso() };
      await tx
        .insert(memberships)
        .values({ userId, companyId, ...joined })
        .onConflictDoUpdate({ target: [memberships.userId, memberships.companyId], set: joined });
    }
    const gained = await joinTeams(tx, userId, row);
    // What a provider said of their groups when they signed in, before they belonged here.
    await lockGroupPlaces(tx, companyId);
    await giveGroupPlaces(tx, { userId, companyId });
    await tx.delete(invitationRequests).where(eq(invitationRequests.userId, userId));
    await this.#tell(tx, companyId, inviteId);
    const orgRole = (isIn ? membership.orgRole : row.orgRole) as OrgRole;
    return { companyId, companyName, email, invitedBy, orgRole, gained };
  }

  /** Notes that a person does not want to come. Throws Problem 404 and 410 as `accept`. */
  async reject(userId: number, inviteId: number): Promise<AnsweredInvitation> {
    return await this.#store.db.transaction(async (tx) => {
      const { row, companyName, invitedBy } = await this.#lock(tx, userId, inviteId);
      await tx
        .update(invitations)
        .set({ state: 'rejected', settledAt: this.#iso() })
        .where(eq(invitations.id, inviteId));
      await this.#tell(tx, row.companyId, inviteId);
      return { companyId: row.companyId, companyName, email: row.email, invitedBy };
    });
  }

  /** Tells the Owners' pages, and the other ones of whoever answered. */
  async #tell(tx: Transaction, companyId: number, inviteId: number): Promise<void> {
    await this.#store.channel.notify('grants', { companyId }, tx);
    await tellInvited(tx, this.#store, inviteId);
  }

  async #lock(tx: Transaction, userId: number, inviteId: number) {
    const [found] = await tx
      .select({
        row: invitations,
        companyName: companies.name,
        invitedBy: sql<string>`coalesce(${users.email}, '')`,
      })
      .from(invitations)
      .innerJoin(companies, eq(companies.id, invitations.companyId))
      .leftJoin(users, eq(users.id, invitations.invitedBy))
      .where(and(eq(invitations.id, inviteId), isInvited(userId)))
      .for('update', { of: invitations });
    if (found === undefined) throw noSuchInvitation();
    requirePending(stateOf(found.row, this.#clock.now()), found.companyName);
    return found;
  }

  #iso(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}

/** Puts a new member into those of the offered teams that are still there; answers the places that they had not yet. */
async function joinTeams(
  tx: Transaction,
  userId: number,
  { companyId, teams: stored }: Pick<typeof invitations.$inferSelect, 'companyId' | 'teams'>,
): Promise<readonly OfferedTeam[]> {
  const offered = offeredTeams(stored);
  if (offered.length === 0) return [];
  const there = await tx
    .select({ id: teams.id })
    .from(teams)
    .where(
      and(
        eq(teams.companyId, companyId),
        inArray(
          teams.id,
          offered.map(({ teamId }) => teamId),
        ),
      ),
    )
    .for('key share');
  const places = offered.filter(({ teamId }) => there.some(({ id }) => id === teamId));
  if (places.length === 0) return [];
  const gained = await tx
    .insert(teamMembers)
    .values(places.map(({ teamId, role }) => ({ companyId, teamId, userId, role })))
    .onConflictDoNothing()
    .returning({ teamId: teamMembers.teamId });
  return places.filter(({ teamId }) => gained.some((one) => one.teamId === teamId));
}
