import type { accountEndpoints, User } from '../../contract/account.ts';
import type { RequestOf } from '../../contract/endpoint.ts';
import { orgRoles } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import {
  changePassword,
  createCompany,
  letFound,
  requireSetupLink,
  takenAddress,
  useSetupLink,
} from '../access/accounts.ts';
import { currentUser, personAtHome, type UserSource } from '../access/current-user.ts';
import { passkeyOf, requireOpenCompany } from '../access/enforced.ts';
import { keptRowsKey } from '../access/kept-rows.ts';
import { accountAt } from '../access/password-account.ts';
import { isMember, type Person } from '../access/person.ts';
import type { Guess } from '../access/throttle.ts';
import { describeError } from '../kit/describe-error.ts';
import type { Context, Handlers } from '../http/handlers.ts';
import { networkOf } from '../http/proxies.ts';
import { rememberBrowser, tryOwnPassword, trySignIn } from './password-tries.ts';
import type { RouteParts } from './parts.ts';

type AccountParts = Pick<
  RouteParts,
  'config' | 'store' | 'vault' | 'onCompanyCreated' | 'sessions' | 'throttle' | 'notices' | 'clock'
>;

/** One sentence for an unknown email address and a wrong password: it must not reveal which of the two it was. */
const wrongSignIn = 'Email address or password is wrong.';

/** Sign-in, set-up and the person's own account. */
export function accountHandlers(parts: AccountParts): Handlers<typeof accountEndpoints> {
  const { config, store, notices, onCompanyCreated } = parts;
  const account = new AccountCalls(parts);
  return {
    isAuthenticated: async (_request, { person, session }) => {
      if (person === undefined) return { isAuthenticated: false };
      const [user, key] = await Promise.all([
        account.presentAtHome(person, session),
        isMember(person) ? keptRowsKey({ db: store.db, vault: parts.vault }, person) : undefined,
      ]);
      return { isAuthenticated: true, user, ...(key === undefined ? {} : { keptRowsKey: key }) };
    },

    currentUser: (_request, { person, session }) => account.presentAtHome(person, session),

    signIn: ({ body }, context) => account.signIn(body, context),

    logout: async (_request, { session }) => {
      await session.end();
      return undefined;
    },

    setup: ({ body }, context) => account.setUp(body, context),

    createCompany: async ({ body }, { person, log, audit, session }) => {
      const companyId = await createCompany(store, {
        userId: person.id,
        name: body.name,
        isOpen: config.isSignupOpen,
      });
      audit.actor({ ...person, companyId });
      // A new token: a copy of the former one does not become an Owner's. To found shows nothing of who does.
      await session.start(person.id, { companyId, goesOn: true });
      try {
        await onCompanyCreated({ companyId, userId: person.id });
      } catch (error) {
        // The organisation exists; what was to follow from it is tried again at the next start.
        log.error({ err: describeError(error), companyId }, 'The new organisation could not be furnished');
      }
      return await account.present({
        ...person,
        companyId,
        companyName: body.name,
        orgRole: orgRoles.Owner,
      });
    },

    changePassword: async ({ body }, context) => {
      await account.changePassword(body, context);
      await notices.tell({ userId: context.person.id, title: 'Your password was changed' }, context);
      return undefined;
    },
  };
}

type Calls = typeof accountEndpoints;

/** The calls that check a password or a set-up link, each guess braked by the throttle. */
class AccountCalls {
  readonly #store: AccountParts['store'];
  readonly #isSignupOpen: boolean;
  readonly #parts: AccountParts;

  constructor(parts: AccountParts) {
    this.#store = parts.store;
    this.#isSignupOpen = parts.config.isSignupOpen;
    this.#parts = parts;
  }

  async signIn(
    body: RequestOf<Calls['signIn']>['body'],
    context: Pick<
      Context<Calls['signIn']>,
      'audit' | 'address' | 'device' | 'log' | 'origin' | 'session' | 'signal'
    >,
  ): Promise<User> {
    const { email, password } = body;
    const account = await accountAt(this.#store.db, email);
    // An unknown email address stays out of the audit: people type passwords into the wrong field.
    // Asked for nobody as well: how long an answer takes tells of no account.
    const atHome = await personAtHome(this.#store.db, account?.id ?? 0);
    if (atHome !== undefined) context.audit.actor(atHome);
    const fits = await trySignIn(this.#parts, { email, account, password }, context);
    if (account === undefined || !fits) throw new Problem({ status: 401, title: wrongSignIn });
    await requireOpenCompany(this.#store.db, account.id);
    await context.session.start(account.id);
    await rememberBrowser(this.#store, context, account.id);
    return await this.user(account.id);
  }

  async setUp(body: RequestOf<Calls['setup']>['body'], context: Context<Calls['setup']>): Promise<User> {
    const { throttle, clock } = this.#parts;
    const { audit, session, address } = context;
    const guess: Guess = { what: 'setup-link', network: networkOf(address) };
    await throttle.check(guess);
    const countGuess = async (error: unknown): Promise<never> => {
      if (error instanceof Problem && error.status === 410) await throttle.failed(guess);
      throw error;
    };
    const known = await accountAt(this.#store.db, body.email);
    if (known !== undefined) {
      await requireSetupLink(this.#store, body.token, clock.now()).catch(async (error: unknown) => {
        // A guess is on record, whatever address it comes with.
        await audit.begin();
        return await countGuess(error);
      });
      // Whoever has an account uses the link with that: as at every other sign-in, by its password.
      await this.signIn(body, context).catch((error: unknown) => {
        throw error instanceof Problem && error.status === 401 ? takenAddress() : error;
      });
      await letFound(this.#store, { token: body.token, userId: known.id }, clock.now());
      return await this.user(known.id);
    }
    await audit.begin();
    const userId = await useSetupLink(this.#store, body, clock.now()).catch(countGuess);
    audit.actor({ id: userId, companyId: null, email: body.email });
    await session.start(userId);
    await rememberBrowser(this.#store, context, userId);
    return await this.user(userId);
  }

  async changePassword(
    body: RequestOf<Calls['changePassword']>['body'],
    context: Context<Calls['changePassword']>,
  ): Promise<void> {
    const { person } = context;
    if (!(await tryOwnPassword(this.#parts, body.current, context)))
      throw new Problem({ status: 403, title: 'The current password is wrong.' });
    await changePassword(this.#store, this.#parts.sessions, person, body.next);
    // The browser was known by a signature that includes the old password.
    await rememberBrowser(this.#store, context, person.id);
  }

  /** The person of a session as the specification's calls give them. */
  present(person: UserSource): Promise<User> {
    return currentUser(this.#store.db, person, {
      isSignupOpen: this.#isSignupOpen,
      now: this.#parts.clock.now(),
    });
  }

  /**
   * A person as `present` gives them. Somebody who belonged to no company when they signed in and whom one has let in
   * since (again) goes on in it, in a session of a new id: they need not sign in anew.
   */
  async presentAtHome(person: Person, session: Pick<Context['session'], 'start'>): Promise<User> {
    if (person.companyId !== null) return await this.present(person);
    const { db } = this.#store;
    const atHome = await personAtHome(db, person.id, undefined, passkeyOf(person.sessionHash));
    if (atHome === undefined || atHome.companyId === null) return await this.present(person);
    await session.start(person.id, { goesOn: true });
    return await this.present(atHome);
  }

  /** Somebody who has just signed in, as `present` gives them. Throws Problem 401 where they are gone. */
  async user(userId: number): Promise<User> {
    const person = await personAtHome(this.#store.db, userId);
    if (person === undefined) throw new Problem({ status: 401, title: 'Sign in to continue.' });
    return await this.present(person);
  }
}
