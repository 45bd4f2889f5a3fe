import { and, desc, eq, gt, inArray, lte, ne, notExists, sql } from 'drizzle-orm';
import {
  invitationDays,
  type InvitationRequest,
  type ListedInvitation,
  type SentInvitation,
} from '../../contract/invitations.ts';
import { type OrgRole, type TeamRole } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import { requirePlainAddress } from '../access/address-letters.ts';
import { tellInvited } from '../access/invited.ts';
import type { Member } from '../access/person.ts';
import { hashToken, newToken } from '../access/sessions.ts';
import { noSuchTeam } from '../access/teams.ts';
import type { PlanLimits } from '../plans/limits.ts';
import { isUniqueViolation } from '../store/problem.ts';
import { users } from '../store/schema/accounts.ts';
import { companies } from '../store/schema/companies.ts';
import { mails } from '../store/schema/mails.ts';
import {
  invitationRequests,
  invitations,
  memberships,
  requestsPutAway,
} from '../store/schema/memberships.ts';
import { teams } from '../store/schema/teams.ts';
import type { Store, Transaction } from '../store/store.ts';
import { changeGrants } from './change-grants.ts';
import { type InvitationMail, type InvitationMails, withdrawMail } from './invitation-mail.ts';
import { noSuchInvitation, stateOf } from './invitation-state.ts';
import { requireLeftOfDay } from './invitations-of-day.ts';
import { requireStillOwner } from './still-owner.ts';
import type { Clock } from '../kit/clock.ts';

/** A place in a team that an invitation offers. */
export interface OfferedTeam {
  readonly teamId: number;
  readonly role: TeamRole;
}

/** An invitation as an Owner writes it. */
export interface InvitationInput {
  /** Lower case. */
  readonly email: string;
  readonly orgRole: OrgRole;
  readonly teams: readonly OfferedTeam[];
  /** The Owner's own words for the mail. */
  readonly message?: string;
}

const lifetime = invitationDays * 24 * 3_600_000;

/** The parts of the invitations of a store. */
export interface InvitationParts {
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly mails: InvitationMails;
  readonly limits: PlanLimits;
  readonly clock: Clock;
  /** The origin at which people open the console. */
  readonly origin: () => string;
}

/**
 * Invitations as the Owners of a company handle them. An address is answered alike whether it has an account or not:
 * only the company's own people are ever looked up. Every change is told to the open pages of the company.
 */
export class Invitations {
  readonly #store: Pick<Store, 'db' | 'channel'>;
  readonly #mails: InvitationMails;
  readonly #limits: PlanLimits;
  readonly #clock: Clock;
  readonly #origin: () => string;

  constructor({ store, mails, limits, clock, origin }: InvitationParts) {
    this.#store = store;
    this.#mails = mails;
    this.#limits = limits;
    this.#clock = clock;
    this.#origin = origin;
  }

  /** Whether invitations are mailed. */
  get isMailed(): boolean {
    return this.#mails.isConfigured;
  }

  /** Those that are open, expired or rejected, the newest first. */
  async list(person: Member): Promise<ListedInvitation[]> {
    return await this.#read(person);
  }

  /** People of the company's domain who ask for an invitation and were not put away, the newest first. */
  async requests(person: Member): Promise<InvitationRequest[]> {
    const { db } = this.#store;
    const isPutAway = db
      .select({ one: sql`1` })
      .from(requestsPutAway)
      .where(
        and(
          eq(requestsPutAway.companyId, companies.id),
          eq(requestsPutAway.userId, invitationRequests.userId),
        ),
      );
    return await db
      .select({
        userId: users.id,
        name: users.name,
        email: users.email,
        askedAt: invitationRequests.askedAt,
      })
      .from(invitationRequests)
      .innerJoin(users, eq(users.id, invitationRequests.userId))
      .innerJoin(companies, eq(companies.domain, invitationRequests.domain))
      .where(and(eq(companies.id, person.companyId), notExists(isPutAway)))
      .orderBy(desc(invitationRequests.askedAt))
      .limit(200);
  }

  /**
   * Puts a request away for the person's company; other companies with the same domain keep it. Throws Problem 404 for
   * one that is none of the company's domain.
   */
  async dismissRequest(person: Member, userId: number): Promise<string> {
    return await changeGrants(this.#store, person, async (tx) => {
      await requireStillOwner(tx, person);
      const [asked] = await tx
        .select({ email: users.email })
        .from(invitationRequests)
        .innerJoin(users, eq(users.id, invitationRequests.userId))
        .innerJoin(companies, eq(companies.domain, invitationRequests.domain))
        .where(and(eq(invitationRequests.userId, userId), eq(companies.id, person.companyId)))
        .for('share', { of: invitationRequests });
      if (asked === undefined) throw new Problem({ status: 404, title: 'There is no such request.' });
      await tx.insert(requestsPutAway).values({ companyId: person.companyId, userId }).onConflictDoNothing();
      return asked.email;
    });
  }

  /**
   * Invites an address. Throws Problem 404 for a team of no or another company, NotInvited for somebody of the company
   * and for an address that has an open invitation of it, 429 where no more are made this day, 402 without a seat.
   */
  async create(
    person: Member,
    { email, orgRole, teams: offered, message = '' }: InvitationInput,
  ): Promise<SentInvitation> {
    requirePlainAddress(email);
    const tokens = newTokens();
    const inviteId = await this.#unlessPending(email, async () =>
      changeGrants(this.#store, person, async (tx) => {
        await requireStillOwner(tx, person);
        await requireStranger(tx, person, email);
        await requireTeams(tx, person, offered);
        await this.#requireNotOpen(tx, person, email);
        await requireLeftOfDay(tx, person.companyId, this.#clock.now());
        await this.#limits.requireSeatToInvite(tx, person.companyId);
        // What was rejected or ran out makes room for the new one.
        await tx
          .update(invitations)
          .set({ state: 'revoked', settledAt: this.#iso() })
          .where(
            and(
              eq(invitations.companyId, person.companyId),
              eq(invitations.email, email),
              sql`(${invitations.state} = 'rejected'
                or (${invitations.state} = 'pending' and ${lte(invitations.expiresAt, this.#iso())}))`,
            ),
          );
        const [row] = await tx
          .insert(invitations)
          .values({
            companyId: person.companyId,
            email,
            orgRole,
            teams: offered,
            message,
            invitedBy: person.id,
            createdAt: this.#iso(),
            ...this.#fresh(tokens),
          })
          .returning({ id: invitations.id });
        if (row === undefined) throw new Error('The invitation could not be stored.');
        await this.#mail(person, { inviteId: row.id, email, tokens, message }, tx);
        await tellInvited(tx, this.#store, row.id);
        return row.id;
      }),
    );
    return await this.#sent(person, inviteId, tokens);
  }

  /**
   * Sends an open, expired or rejected one again, with new tokens and a new time; who came by an old link has to come by
   * the new one. Throws Problem 402, 404 and 409 as `create`.
   */
  async resend(person: Member, inviteId: number): Promise<SentInvitation> {
    const tokens = newTokens();
    const [before] = await this.#read(person, inviteId);
    if (before === undefined) throw noSuchInvitation();
    await this.#unlessPending(before.email, async () =>
      changeGrants(this.#store, person, async (tx) => {
        await requireStillOwner(tx, person);
        await requireStranger(tx, person, before.email);
        await this.#limits.requireSeatToInvite(tx, person.companyId, inviteId);
        await withdrawMail(tx, inviteId);
        // Who came by the old link is told before it ceases to be theirs.
        await tellInvited(tx, this.#store, inviteId);
        const changed = await tx
          .update(invitations)
          .set({
            state: 'pending',
            settledAt: null,
            claimedBy: null,
            invitedBy: person.id,
            ...this.#fresh(tokens),
          })
          .where(and(own(person, inviteId), inArray(invitations.state, ['pending', 'rejected'])))
          .returning({ message: invitations.message });
        const [again] = changed;
        if (again === undefined) throw noSuchInvitation();
        await this.#mail(person, { inviteId, email: before.email, tokens, ...again }, tx);
      }),
    );
    return await this.#sent(person, inviteId, tokens);
  }

  /** Takes one back that was not accepted. Throws Problem 404. */
  async revoke(person: Member, inviteId: number): Promise<void> {
    await changeGrants(this.#store, person, async (tx) => {
      await requireStillOwner(tx, person);
      await withdrawMail(tx, inviteId);
      const changed = await tx
        .update(invitations)
        .set({ state: 'revoked', settledAt: this.#iso() })
        .where(and(own(person, inviteId), inArray(invitations.state, ['pending', 'rejected'])))
        .returning({ id: invitations.id });
      if (changed.length === 0) throw noSuchInvitation();
      await tellInvited(tx, this.#store, inviteId);
    });
  }

  async #mail(
    person: Member,
    { tokens, ...invitation }: Pick<InvitationMail, 'inviteId' | 'email' | 'message'> & { tokens: Tokens },
    tx: Transaction,
  ): Promise<void> {
    await this.#mails.send(
      {
        ...invitation,
        companyName: person.companyName,
        invitedBy: person.name,
        link: this.#linkOf(tokens.mail),
        mailHash: hashToken(tokens.mail),
        expiresAt: new Date(this.#clock.now() + lifetime).toISOString(),
      },
      tx,
    );
  }

  #linkOf(token: string): string {
    return `${this.#origin()}/login#invite=${token}`;
  }

  /** An invitation that was just stored, with its link. */
  async #sent(person: Member, inviteId: number, tokens: Tokens): Promise<SentInvitation> {
    const [invitation] = await this.#read(person, inviteId);
    if (invitation === undefined) throw noSuchInvitation();
    return { invitation, link: this.#linkOf(tokens.link) };
  }

  #fresh(tokens: Tokens) {
    return {
      linkHash: hashToken(tokens.link),
      mailHash: hashToken(tokens.mail),
      expiresAt: new Date(this.#clock.now() + lifetime).toISOString(),
      mail: this.#mails.isConfigured ? ('sending' as const) : ('off' as const),
      mailAt: new Date(this.#clock.now()).toISOString(),
      mailProblem: '',
    };
  }

  #iso(): string {
    return new Date(this.#clock.now()).toISOString();
  }

  async #read(person: Member, inviteId?: number): Promise<ListedInvitation[]> {
    const { db } = this.#store;
    const rows = await db
      .select({
        row: invitations,
        invitedBy: users.name,
        isWaiting: sql<boolean>`exists (select from ${mails} where ${mails.invitationId} = ${invitations.id})`,
      })
      .from(invitations)
      .leftJoin(users, eq(users.id, invitations.invitedBy))
      .where(
        and(
          eq(invitations.companyId, person.companyId),
          inArray(invitations.state, ['pending', 'rejected']),
          inviteId === undefined ? undefined : eq(invitations.id, inviteId),
        ),
      )
      .orderBy(desc(invitations.createdAt), desc(invitations.id));
    const named = await db
      .select({ id: teams.id, name: teams.name })
      .from(teams)
      .where(eq(teams.companyId, person.companyId));
    return rows.map(({ row, invitedBy, isWaiting }) => {
      // Mails that were removed by hand, or never came with an import.
      const isLost = row.mail === 'sending' && !isWaiting;
      return {
        inviteId: row.id,
        email: row.email,
        orgRole: row.orgRole as OrgRole,
        teams: offeredTeams(row.teams).flatMap(({ teamId, role }) => {
          const team = named.find(({ id }) => id === teamId);
          return team === undefined ? [] : [{ ...team, role }];
        }),
        invitedBy,
        createdAt: row.createdAt,
        expiresAt: row.expiresAt,
        state: stateOf(row, this.#clock.now()) as ListedInvitation['state'],
        mail: isLost ? 'failed' : row.mail,
        mailProblem: isLost ? 'This mail is no longer waiting to be sent. Send it again.' : row.mailProblem,
      };
    });
  }

  async #unlessPending<T>(email: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw hasOpenInvitation(email);
    }
  }

  /** Throws NotInvited for an address that has an open invitation: it takes neither a seat nor a part of the day. */
  async #requireNotOpen(tx: Transaction, { companyId }: Member, email: string): Promise<void> {
    const [open] = await tx
      .select({ id: invitations.id })
      .from(invitations)
      .where(
        and(
          eq(invitations.companyId, companyId),
          eq(invitations.email, email),
          eq(invitations.state, 'pending'),
          gt(invitations.expiresAt, this.#iso()),
        ),
      );
    if (open !== undefined) throw hasOpenInvitation(email);
  }
}

/** An address that is not invited, as it is known to the company. */
export class NotInvited extends Problem {
  readonly result: 'member' | 'open';

  constructor(result: NotInvited['result'], title: string) {
    super({ status: 409, title });
    this.name = 'NotInvited';
    this.result = result;
  }
}

const hasOpenInvitation = (email: string) =>
  new NotInvited('open', `${email} has an open invitation already. Send that one again, or revoke it first.`);

/** The teams that an invitation's row offers. */
export function offeredTeams(stored: unknown): readonly OfferedTeam[] {
  return stored as readonly OfferedTeam[];
}

interface Tokens {
  /** For the Owner to pass on. */
  readonly link: string;
  /** For the mail, and shown to nobody else. */
  readonly mail: string;
}

const newTokens = (): Tokens => ({ link: newToken(), mail: newToken() });

const own = (person: Member, inviteId: number) =>
  and(eq(invitations.id, inviteId), eq(invitations.companyId, person.companyId));

/** Throws NotInvited for the address of somebody of the company. Nothing outside it is looked at. */
async function requireStranger(tx: Transaction, person: Member, email: string): Promise<void> {
  const [known] = await tx
    .select({ state: memberships.state })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(eq(memberships.companyId, person.companyId), eq(users.email, email), ne(memberships.state, 'left')),
    );
  if (known === undefined) return;
  throw new NotInvited(
    'member',
    known.state === 'suspended'
      ? `${email} is a suspended member of your organisation. Let them in again instead of inviting them.`
      : `${email} belongs to your organisation already.`,
  );
}

/** Throws Problem 404 unless all teams are of the company, 400 for one that is named twice. */
async function requireTeams(tx: Transaction, person: Member, offered: readonly OfferedTeam[]): Promise<void> {
  const ids = new Set(offered.map(({ teamId }) => teamId));
  if (ids.size < offered.length) throw new Problem({ status: 400, title: 'Name each team once.' });
  if (ids.size === 0) return;
  const found = await tx
    .select({ id: teams.id })
    .from(teams)
    .where(and(eq(teams.companyId, person.companyId), inArray(teams.id, [...ids])));
  if (found.length < ids.size) throw noSuchTeam();
}
