import type { User } from '../../contract/account.ts';
import type { RequestOf } from '../../contract/endpoint.ts';
import type { invitationEndpoints } from '../../contract/invitations.ts';
import { Problem } from '../../contract/problem.ts';
import { currentUser, personAtHome, type UserSource } from '../access/current-user.ts';
import { onlyByProvider, passkeyOf } from '../access/enforced.ts';
import { guessableProblem } from '../access/new-password.ts';
import type { Guess } from '../access/throttle.ts';
import { requireOwnSession } from '../http/guard.ts';
import type { Context, Handlers } from '../http/handlers.ts';
import { networkOf } from '../http/proxies.ts';
import { InvitationMails } from '../organisation/invitation-mail.ts';
import {
  type FoundInvitation,
  InvitationLinks,
  type InvitedAccount,
  ownWordsOfInvited,
} from '../organisation/invitation-links.ts';
import { InvitationReplies } from '../organisation/invitation-replies.ts';
import { InvitationRequests } from '../organisation/invitation-requests.ts';
import { unknownLink } from '../organisation/invitation-state.ts';
import { Invitations } from '../organisation/invitations.ts';
import { inviteMany } from '../organisation/invite-many.ts';
import { factsOfMany, refusedWords } from '../organisation/invite-facts.ts';
import { acceptedFacts, placeWords } from '../organisation/offered-words.ts';
import { rememberBrowser, trySignIn } from './password-tries.ts';
import type { RouteParts } from './parts.ts';

type InvitationHandlerParts = Pick<
  RouteParts,
  'config' | 'store' | 'throttle' | 'notices' | 'mailer' | 'limits' | 'clock' | 'origin'
>;

/** Invitations: of Owners, by links, and those of the signed-in person. */
export function invitationHandlers(parts: InvitationHandlerParts): Handlers<typeof invitationEndpoints> {
  const { store, mailer, limits, clock, origin } = parts;
  const mails = new InvitationMails({ mailer });
  const invitations = new Invitations({ store, mails, limits, clock, origin });
  const replies = new InvitationReplies({ store, limits, clock });
  const requests = new InvitationRequests({ store, mailer, clock, origin });
  const links = new LinkCalls(parts);
  return {
    invitations: async (_request, { person }) => ({
      invitations: await invitations.list(person),
      requests: await invitations.requests(person),
      isMailed: invitations.isMailed,
    }),
    invite: async ({ body }, { person, audit }) => {
      const { email, orgRole, teams } = body;
      const words = await placeWords(store.db, person.companyId, teams);
      audit.subject({ email, orgRole, teams: words(teams) });
      return await invitations.create(person, body);
    },
    inviteMany: async ({ body }, { person, audit, log }) => {
      await audit.record('inviteMany', await factsOfMany(store.db, person.companyId, body));
      const outcomes = await inviteMany(invitations, person, body, log);
      const invited = outcomes.filter(({ result }) => result === 'invited').length;
      audit.subject({ invited, refused: refusedWords(outcomes) });
      return outcomes;
    },
    resendInvitation: ({ params }, { person }) => invitations.resend(person, params.inviteId),
    revokeInvitation: async ({ params }, { person }) => {
      await invitations.revoke(person, params.inviteId);
      return undefined;
    },
    dismissInvitationRequest: async ({ params }, { person, audit }) => {
      audit.subject({ email: await invitations.dismissRequest(person, params.userId) });
      return undefined;
    },
    readInvitation: ({ body }, context) => links.read(body.token, context),
    claimInvitation: ({ body }, context) => links.claim(body, context),
    pendingInvitations: (_request, { person }) => replies.pending(person.id),
    acceptInvitation: async ({ body }, { person, audit, session }) => {
      audit.subject({ inviteId: body.inviteId });
      const accepted = await replies.accept(person.id, body.inviteId);
      const { companyId } = accepted;
      audit.subject(await acceptedFacts(store.db, accepted));
      audit.actor({ ...person, companyId });
      if (person.companyId !== null) return await links.present(person);
      const joined = await personAtHome(store.db, person.id, companyId, passkeyOf(person.sessionHash));
      // A company that opens by its own provider alone does not open by this session.
      if (joined === undefined || joined.companyId === null) return await links.present(person);
      await session.start(person.id, { companyId, goesOn: true });
      return await links.present(joined);
    },
    rejectInvitation: async ({ params }, { person, audit }) => {
      const { companyId, email, invitedBy } = await replies.reject(person.id, params.inviteId);
      audit.subject({ email, invitedBy });
      audit.actor({ ...person, companyId });
      return await links.present(person);
    },
    requestInvite: async (_request, { person }) => {
      await requests.ask(person);
      return undefined;
    },
  };
}

type Calls = typeof invitationEndpoints;

/** Name and password of somebody who is signed out, as they enter them. */
interface Entrance {
  readonly name: string | undefined;
  readonly password: string;
  readonly takesAddress: boolean | undefined;
}

/** The calls of a link's bearer. */
class LinkCalls {
  readonly #parts: InvitationHandlerParts;
  readonly #links: InvitationLinks;

  constructor(parts: InvitationHandlerParts) {
    this.#parts = parts;
    this.#links = new InvitationLinks(parts);
  }

  async read(token: string, context: Pick<Context, 'address'>) {
    return await this.#links.describe(await this.#find(token, context));
  }

  async claim(
    { token, name, password, takesAddress }: RequestOf<Calls['claimInvitation']>['body'],
    context: Context<Calls['claimInvitation']>,
  ): Promise<User> {
    const { person, audit, session } = context;
    const found = await this.#find(token, context);
    audit.subject({ inviteId: found.row.id, email: found.row.email });
    if (person !== undefined) {
      requireOwnSession(person);
      await audit.begin();
      await this.#links.claim(found, person);
      // A claim that fails stays on the record of who made it: another company's is not theirs to fill.
      audit.actor({ ...person, companyId: found.row.companyId });
      return await this.present(person);
    }
    if (password === undefined) {
      throw new Problem({
        status: 400,
        title: 'Enter a password, or sign in first and open the link again.',
      });
    }
    const userId = await this.#enter(found, { name, password, takesAddress }, context);
    audit.actor({ id: userId, companyId: found.row.companyId, email: found.row.email });
    await session.start(userId);
    await rememberBrowser(this.#parts.store, context, userId);
    return await this.user(userId);
  }

  /** A person as the specification's calls give them. */
  present(person: UserSource): Promise<User> {
    return currentUser(this.#parts.store.db, person, {
      isSignupOpen: this.#parts.config.isSignupOpen,
      now: this.#parts.clock.now(),
    });
  }

  /** Somebody whose session has just begun. Throws Problem 401 where they are gone. */
  async user(userId: number): Promise<User> {
    const person = await personAtHome(this.#parts.store.db, userId);
    if (person === undefined) throw new Problem({ status: 401, title: 'Sign in to continue.' });
    return await this.present(person);
  }

  /** Throws Problem 410 for an unknown token, which counts as a guess, and for one that is no longer open. */
  async #find(token: string, { address }: Pick<Context, 'address'>): Promise<FoundInvitation> {
    const guess: Guess = { what: 'invitation-link', network: networkOf(address) };
    await this.#parts.throttle.check(guess);
    const found = await this.#links.find(token);
    if (found !== undefined) return found;
    await this.#parts.throttle.failed(guess);
    throw unknownLink();
  }

  /** Signs up, or in to the account that the address has; answers the id of the account. */
  async #enter(
    found: FoundInvitation,
    { name, password, takesAddress = false }: Entrance,
    context: Context<Calls['claimInvitation']>,
  ): Promise<number> {
    const account = await this.#links.account(found.row.email);
    // A link that came by hand asks everybody for a name: whether there is an account is not told by that.
    const isKnown = account !== undefined && found.isMailed && !account.isOpen;
    if (name === undefined && !isKnown) throw new Problem({ status: 400, title: 'Enter your name.' });
    if (name !== undefined && !found.isMailed) {
      // Nor by the refusal of a password: one that is easy to guess is tried at the account, whether there is one or not.
      const refusal = guessableProblem(password, ownWordsOfInvited(found, name));
      if (refusal !== undefined)
        await this.#signIn(found, account, password, context).catch((error: unknown) => {
          throw error instanceof Problem && error.status === 401 ? refusal : error;
        });
    }
    if (name !== undefined && account === undefined) {
      await context.audit.begin();
      return await this.#links.signUp(found, { name, password });
    }
    if (name !== undefined && account !== undefined && account.isOpen && found.isMailed) {
      await context.audit.begin();
      await this.#links.takeOver(found, account, { name, password });
      return account.id;
    }
    if (account === undefined) throw unknownLink();
    if (takesAddress && name !== undefined && found.isMailed) {
      const { address, requestId } = context;
      await context.audit.begin();
      return await this.#links.takeAddress(found, account, { name, password, address, requestId });
    }
    await this.#signIn(found, account, password, context);
    await this.#requireOpen(found, account);
    await this.#links.claim(found, { id: account.id, email: found.row.email });
    return account.id;
  }

  /**
   * Throws Problem 403 where signing in by password alone would be refused. The mailed link shows besides that its bearer
   * reads the mail of the address: only so does somebody of such a company come into another one.
   */
  async #requireOpen({ row, isMailed }: FoundInvitation, { id }: InvitedAccount): Promise<void> {
    if (isMailed) return;
    const company = await onlyByProvider(this.#parts.store.db, id);
    if (company === undefined) return;
    const { name, provider } = company;
    throw new Problem({
      status: 403,
      title: `${name} lets its people sign in only with ${provider.label}, so the password of ${row.email} is not enough here. Open the link that was mailed to ${row.email}, or ask to be invited at another address.`,
    });
  }

  async #signIn(
    { row }: FoundInvitation,
    account: InvitedAccount | undefined,
    password: string,
    context: Context<Calls['claimInvitation']>,
  ): Promise<void> {
    const { email } = row;
    const fits = await trySignIn(this.#parts, { email, account, password }, context);
    if (fits) return;
    throw new Problem({
      status: 401,
      title: `${email} has an account here with a different password. Enter the password of that account, or sign in first.`,
    });
  }
}
