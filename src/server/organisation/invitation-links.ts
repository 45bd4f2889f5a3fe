import { and, eq, inArray, or, sql } from 'drizzle-orm';
import type { InvitationLink } from '../../contract/invitations.ts';
import type { OrgRole } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import { isInvited } from '../access/invited.ts';
import type { OwnWords } from '../access/guessable.ts';
import { hashNewPassword } from '../access/new-password.ts';
import type { Person } from '../access/person.ts';
import { proveAddress } from '../access/proven-address.ts';
import { hashToken } from '../access/sessions.ts';
import { freeAddress, isOpenAccount, takeOverAccount } from '../access/unproven-accounts.ts';
import { users } from '../store/schema/accounts.ts';
import { companies } from '../store/schema/companies.ts';
import { invitations } from '../store/schema/memberships.ts';
import { teams } from '../store/schema/teams.ts';
import type { Store, Transaction } from '../store/store.ts';
import { requirePending, stateOf, unknownLink } from './invitation-state.ts';
import { offeredTeams } from './invitations.ts';
import type { Clock } from '../kit/clock.ts';

/** An open invitation by one of its tokens. */
export interface FoundInvitation {
  readonly row: typeof invitations.$inferSelect;
  readonly companyName: string;
  readonly invitedBy: string | null;
  /** Whether it is the mailed token, whose bearer reads the mail of the address; the other one may have come by hand. */
  readonly isMailed: boolean;
}

/** The account of an invited address, as far as signing in by a link is concerned. */
export interface InvitedAccount {
  readonly id: number;
  readonly passwordHash: string | null;
  /** Whether somebody has shown that the address is theirs. */
  readonly isProven: boolean;
  /** Nobody has shown that the address is theirs, and the account belongs nowhere and owns nothing. */
  readonly isOpen: boolean;
}

/** The bearer's side of invitation links. A link leads to an invitation of one address and accepts nothing. */
export class InvitationLinks {
  readonly #store: Pick<Store, 'db' | 'channel'>;
  readonly #clock: Clock;

  constructor({ store, clock }: { readonly store: Pick<Store, 'db' | 'channel'>; readonly clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The invitation of a token; undefined for an unknown one. Throws Problem 410 for one that is no longer open. */
  async find(token: string): Promise<FoundInvitation | undefined> {
    const hash = hashToken(token);
    const [found] = await this.#store.db
      .select({ row: invitations, companyName: companies.name, invitedBy: users.name })
      .from(invitations)
      .innerJoin(companies, eq(companies.id, invitations.companyId))
      .leftJoin(users, eq(users.id, invitations.invitedBy))
      .where(or(eq(invitations.linkHash, hash), eq(invitations.mailHash, hash)));
    if (found === undefined) return undefined;
    requirePending(stateOf(found.row, this.#clock.now()), found.companyName);
    return { ...found, isMailed: found.row.mailHash.equals(hash) };
  }

  /** What a link offers. Whether the address has an account is told to the bearer of the mailed link alone. */
  async describe({ row, companyName, invitedBy, isMailed }: FoundInvitation): Promise<InvitationLink> {
    const { db } = this.#store;
    const offered = offeredTeams(row.teams);
    const named = await db
      .select({ id: teams.id, name: teams.name })
      .from(teams)
      .where(
        and(
          eq(teams.companyId, row.companyId),
          inArray(
            teams.id,
            offered.map(({ teamId }) => teamId),
          ),
        ),
      );
    const account = isMailed ? await this.account(row.email) : undefined;
    return {
      companyName,
      invitedBy,
      email: row.email,
      orgRole: row.orgRole as OrgRole,
      teams: offered.flatMap(({ teamId, role }) => {
        const team = named.find(({ id }) => id === teamId);
        return team === undefined ? [] : [{ name: team.name, role }];
      }),
      expiresAt: row.expiresAt,
      account: isMailed ? accountState(account) : 'unknown',
    };
  }

  /** The account of an address; undefined without one. */
  async account(email: string): Promise<InvitedAccount | undefined> {
    const { db } = this.#store;
    const [row] = await db
      .select({
        id: users.id,
        passwordHash: users.passwordHash,
        isProven: sql<boolean>`${users.emailProvenAt} is not null`,
        isOpen: sql<boolean>`${isOpenAccount}`,
      })
      .from(users)
      .where(eq(users.email, email));
    return row;
  }

  /**
   * Takes the invitation into the account of somebody who is signed in. Throws Problem 409 when it is for another
   * address than theirs.
   */
  async claim(found: FoundInvitation, person: Pick<Person, 'id' | 'email'>): Promise<void> {
    const { row } = found;
    await this.#store.db.transaction(async (tx) => {
      const [mine] = await tx
        .select({ id: invitations.id })
        .from(invitations)
        .where(and(eq(invitations.id, row.id), isInvited(person.id)));
      if (row.email !== person.email && mine === undefined) {
        throw new Problem({
          status: 409,
          title: `This invitation is for ${row.email}. You are signed in as ${person.email}: sign out, then open the link again.`,
        });
      }
      await this.#bind(tx, found, person.id);
    });
  }

  /** Creates the account of the invited address. Throws Problem 409 when somebody else just did. */
  async signUp(found: FoundInvitation, input: { name: string; password: string }): Promise<number> {
    const passwordHash = await this.#hash(found, input);
    return await this.#store.db.transaction(async (tx) => {
      return await this.#create(tx, found, { name: input.name, passwordHash });
    });
  }

  /**
   * Creates an account of the invited address for the bearer of the mailed link, where one that somebody else made has it:
   * that one loses the address. Throws Problem 409 where its address was shown to be its own.
   */
  async takeAddress(
    found: FoundInvitation,
    account: InvitedAccount,
    input: { name: string; password: string; address: string; requestId: string },
  ): Promise<number> {
    const { name, address, requestId } = input;
    const passwordHash = await this.#hash(found, input);
    return await this.#store.db.transaction(async (tx) => {
      const { email } = found.row;
      if (!(await freeAddress(tx, { userId: account.id, email, address, requestId }))) {
        throw new Problem({
          status: 409,
          title: `The account of ${email} has confirmed this address. Sign in with it, or reset its password.`,
        });
      }
      return await this.#create(tx, found, { name, passwordHash });
    });
  }

  /** Throws Problem 400 for a password that is easy to guess: nothing has come of the link yet. */
  async #hash(found: FoundInvitation, { name, password }: { name: string; password: string }) {
    return await hashNewPassword(password, ownWordsOfInvited(found, name));
  }

  async #create(
    tx: Transaction,
    found: FoundInvitation,
    { name, passwordHash }: { name: string; passwordHash: string },
  ): Promise<number> {
    const [user] = await tx
      .insert(users)
      .values({ name, email: found.row.email, passwordHash })
      .onConflictDoNothing({ target: users.email })
      .returning({ id: users.id });
    if (user === undefined) {
      throw new Problem({
        status: 409,
        title: 'An account with this address was just created. Sign in with it.',
      });
    }
    await this.#bind(tx, found, user.id);
    return user.id;
  }

  /**
   * Gives an open account to the bearer of the mailed link, who showed that the address is theirs: new name and password;
   * whoever made the account is signed out of it for good. Throws Problem 409 where the account is no longer open.
   */
  async takeOver(
    found: FoundInvitation,
    account: InvitedAccount,
    input: { name: string; password: string },
  ): Promise<void> {
    const passwordHash = await this.#hash(found, input);
    await this.#store.db.transaction(async (tx) => {
      const isTaken = await takeOverAccount(tx, this.#store.channel, account.id, {
        name: input.name,
        passwordHash,
      });
      if (!isTaken) {
        throw new Problem({
          status: 409,
          title: 'This account was just activated. Sign in with it.',
        });
      }
      await this.#bind(tx, found, account.id);
    });
  }

  /** Ties the invitation to an account. Throws Problem 410 when it ended or was sent again meanwhile. */
  async #bind(tx: Transaction, { row, isMailed }: FoundInvitation, userId: number): Promise<void> {
    const bound = await tx
      .update(invitations)
      .set({ claimedBy: userId })
      .where(
        and(
          eq(invitations.id, row.id),
          eq(invitations.state, 'pending'),
          eq(invitations.linkHash, row.linkHash),
        ),
      )
      .returning({ id: invitations.id });
    if (bound.length === 0) throw unknownLink();
    if (!isMailed) return;
    await proveAddress(tx, userId, row.email);
  }
}

/** The words that are guessed first of somebody invited. */
export const ownWordsOfInvited = ({ row, companyName }: FoundInvitation, name: string): OwnWords => ({
  name,
  email: row.email,
  organisations: [companyName],
});

function accountState(account: InvitedAccount | undefined): InvitationLink['account'] {
  if (account === undefined) return 'none';
  if (account.isOpen) return 'open';
  return account.isProven ? 'exists' : 'unproven';
}
