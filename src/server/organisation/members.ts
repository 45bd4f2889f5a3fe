import { and, eq, gt, ne, sql } from 'drizzle-orm';
import type { Member as ListedMember, MemberDetail } from '../../contract/members.ts';
import { orgRoles, type OrgRole, type TeamRole } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import type { Grants } from '../access/grants.ts';
import { endShutOut } from '../access/live-tokens.ts';
import { type Member, onlyOwners } from '../access/person.ts';
import type { PlanLimits } from '../plans/limits.ts';
import { users } from '../store/schema/accounts.ts';
import { memberships } from '../store/schema/memberships.ts';
import { sessions } from '../store/schema/sessions.ts';
import { teamPlaces, teams } from '../store/schema/teams.ts';
import type { Store, Transaction } from '../store/store.ts';
import { isActiveOwner } from './owners.ts';
import { byName } from './by-name.ts';
import { changeGrants } from './change-grants.ts';
import { endMembership, takeBackInvitations } from './endings.ts';
import { reachOf } from './reach.ts';

/** The parts of a person's membership that an Owner may change. */
export interface MemberChange {
  readonly orgRole?: OrgRole | undefined;
  readonly isSuspended?: boolean | undefined;
}

/** The refusals that keep a company from losing its last Owner, one for each act. */
const lastOwnerSentences = {
  leave:
    'You are the last Owner of this organisation and cannot leave it. Make somebody else an Owner first, or delete the organisation.',
  demote:
    'This is the last Owner of the organisation and has to stay one. Make somebody else an Owner first.',
  suspend:
    'This is the last Owner of the organisation and cannot be suspended. Make somebody else an Owner first.',
  remove:
    'This is the last Owner of the organisation and cannot be removed. Make somebody else an Owner first.',
} as const;

/** The people of a company. The guard decided who may ask; every query names the company. */
export class Members {
  readonly #store: Pick<Store, 'db' | 'channel'>;
  readonly #grants: Grants;
  readonly #limits: PlanLimits;

  constructor({
    store,
    grants,
    limits,
  }: {
    readonly store: Pick<Store, 'db' | 'channel'>;
    readonly grants: Grants;
    readonly limits: PlanLimits;
  }) {
    this.#store = store;
    this.#limits = limits;
    this.#grants = grants;
  }

  /** All people of a company but those who left, by name. */
  async list(person: Member): Promise<ListedMember[]> {
    return await this.#read(person);
  }

  /** One of them, with what they reach. Throws Problem 404. */
  async one(person: Member, userId: number): Promise<MemberDetail> {
    const [row] = await this.#read(person, userId);
    if (row === undefined) throw noSuchMember();
    const { db } = this.#store;
    const [open] = await db
      .select({ count: sql<number>`count(*)::int` })
      .from(sessions)
      .where(
        and(
          eq(sessions.userId, userId),
          eq(sessions.companyId, person.companyId),
          gt(sessions.expiresAt, sql`now()`),
          gt(sessions.idleExpiresAt, sql`now()`),
        ),
      );
    return {
      ...row,
      sessions: open?.count ?? 0,
      clusters: await reachOf(this.#store, this.#grants, {
        id: userId,
        companyId: person.companyId,
        orgRole: row.orgRole,
        token: null,
      }),
    };
  }

  /**
   * Changes role or suspension. Throws Problem 404, and 409 where the company would be left without an Owner or nothing
   * is to be changed.
   */
  async change(
    person: Member,
    userId: number,
    { orgRole, isSuspended }: MemberChange,
  ): Promise<MemberDetail> {
    const { companyId } = person;
    // Both changes or neither: in one transaction, whichever of them ends the membership.
    const change = async (tx: Transaction) => {
      const isOwner = await this.#lock(tx, person, userId);
      if (orgRole === orgRoles.Member) await requireAnotherOwner(tx, companyId, userId, 'demote');
      if (isSuspended === true) await requireAnotherOwner(tx, companyId, userId, 'suspend');
      requireOwner(isOwner);
      if (orgRole !== undefined) await this.#setRole(tx, { companyId, userId }, orgRole);
    };
    if (isSuspended === true)
      await endMembership(this.#store, { userId, companyId, ending: 'suspended' }, change);
    else
      await changeGrants(this.#store, person, async (tx) => {
        await change(tx);
        if (isSuspended === false) await this.#letIn(tx, { companyId, userId });
      });
    return await this.one(person, userId);
  }

  /** Lets in whoever was suspended, who takes a seat again. */
  async #letIn(
    tx: Transaction,
    { companyId, userId }: { readonly companyId: number; readonly userId: number },
  ): Promise<void> {
    const isOut = and(of(companyId, userId), ne(memberships.state, 'active'));
    const [out] = await tx.select({ state: memberships.state }).from(memberships).where(isOut);
    if (out === undefined) return;
    await this.#limits.requireSeatToJoin(tx, companyId);
    await tx.update(memberships).set({ state: 'active' }).where(isOut);
  }

  /** Gives another role; with it ends what the person may not keep. */
  async #setRole(
    tx: Transaction,
    { companyId, userId }: { readonly companyId: number; readonly userId: number },
    orgRole: OrgRole,
  ): Promise<void> {
    await tx.update(memberships).set({ orgRole }).where(of(companyId, userId));
    if (orgRole !== orgRoles.Owner) await takeBackInvitations(tx, this.#store.channel, { userId, companyId });
    // The company may ask its Owners for a passkey that opened none of what the person has open.
    await endShutOut(tx, this.#store.channel, { userId, companyId });
  }

  /** Removes somebody, or lets them leave. Throws Problem 404, and 409 for the last Owner. */
  async remove(person: Member, userId: number): Promise<void> {
    const { companyId } = person;
    const isOwn = userId === person.id;
    await endMembership(
      this.#store,
      { userId, companyId, ending: isOwn ? 'left' : 'removed' },
      async (tx) => {
        const isOwner = await this.#lock(tx, person, userId);
        await requireAnotherOwner(tx, companyId, userId, isOwn ? 'leave' : 'remove');
        if (!isOwn) requireOwner(isOwner);
      },
    );
  }

  /** Ends a person's sessions of this company. Throws Problem 404. */
  async endSessions(person: Member, userId: number): Promise<void> {
    await this.#store.db.transaction(async (tx) => {
      requireOwner(await this.#lock(tx, person, userId));
      await tx
        .delete(sessions)
        .where(and(eq(sessions.userId, userId), eq(sessions.companyId, person.companyId)));
      await this.#store.channel.notify('sessions', { userId }, tx);
    });
  }

  /**
   * Locks the memberships of the company's Owners and of the person, in one order, so that of two Owners who demote each
   * other one is refused. Throws Problem 404 for somebody who is none of its people.
   * @returns whether who asks is an Owner still: another one may have ended that since the guard's check
   */
  async #lock(tx: Transaction, person: Member, userId: number): Promise<boolean> {
    const rows = await tx
      .select({ userId: memberships.userId, orgRole: memberships.orgRole, state: memberships.state })
      .from(memberships)
      .where(
        and(
          eq(memberships.companyId, person.companyId),
          ne(memberships.state, 'left'),
          sql`(${memberships.orgRole} = ${orgRoles.Owner} or ${memberships.userId} = ${userId})`,
        ),
      )
      .orderBy(memberships.userId)
      .for('update');
    if (!rows.some((row) => row.userId === userId)) throw noSuchMember();
    return rows.some(
      (row) => row.userId === person.id && row.orgRole === orgRoles.Owner && row.state === 'active',
    );
  }

  async #read(person: Member, userId?: number): Promise<ListedMember[]> {
    const { db } = this.#store;
    const rows = await db
      .select({
        userId: users.id,
        name: users.name,
        email: users.email,
        orgRole: memberships.orgRole,
        state: memberships.state,
        joinedAt: memberships.createdAt,
        lastSeenAt: memberships.lastSeenAt,
        hasPassword: sql<boolean>`${users.passwordHash} is not null`,
        hasPasskey: sql<boolean>`exists (select 1 from passkeys k where k.user_id = ${users.id})`,
        // Providers of the person's other companies are not shown to this one.
        hasProvider: sql<boolean>`exists (select 1 from identities i
          left join identity_providers p on p.id = i.provider_id
          where i.user_id = ${users.id} and (i.provider_id is null or p.company_id = ${person.companyId}))`,
      })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(
        and(
          eq(memberships.companyId, person.companyId),
          ne(memberships.state, 'left'),
          userId === undefined ? undefined : eq(memberships.userId, userId),
        ),
      )
      .orderBy(byName(users.name), users.id);
    const joined = await db
      .select({ userId: teamPlaces.userId, id: teams.id, name: teams.name, role: teamPlaces.role })
      .from(teamPlaces)
      .innerJoin(teams, eq(teams.id, teamPlaces.teamId))
      .where(
        and(
          eq(teamPlaces.companyId, person.companyId),
          userId === undefined ? undefined : eq(teamPlaces.userId, userId),
        ),
      )
      .orderBy(byName(teams.name), teams.id);
    return rows.map(({ state, orgRole, hasPassword, hasPasskey, hasProvider, ...row }) => ({
      ...row,
      orgRole: orgRole as OrgRole,
      isSuspended: state === 'suspended',
      signInWays: [
        ...(hasPassword ? (['password'] as const) : []),
        ...(hasPasskey ? (['passkey'] as const) : []),
        ...(hasProvider ? (['provider'] as const) : []),
      ],
      teams: joined
        .filter((team) => team.userId === row.userId)
        .map(({ id, name, role }) => ({ id, name, role: role as TeamRole })),
    }));
  }
}

const of = (companyId: number, userId: number) =>
  and(eq(memberships.companyId, companyId), eq(memberships.userId, userId));

function noSuchMember(): Problem {
  return new Problem({ status: 404, title: 'Your organisation has no such person.' });
}

function requireOwner(isOwner: boolean): void {
  if (!isOwner) throw onlyOwners();
}

/** Throws Problem 409 where nobody else is an active Owner of the company. */
async function requireAnotherOwner(
  tx: Transaction,
  companyId: number,
  userId: number,
  act: keyof typeof lastOwnerSentences,
): Promise<void> {
  const others = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.companyId, companyId), isActiveOwner));
  const isOwner = others.some((row) => row.userId === userId);
  if (isOwner && others.length === 1) throw new Problem({ status: 409, title: lastOwnerSentences[act] });
}
