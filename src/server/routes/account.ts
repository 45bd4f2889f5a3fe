import { eq } from 'drizzle-orm';
import type { accountEndpoints, User } from '../../contract/account.ts';
import type { RequestOf } from '../../contract/endpoint.ts';
import { orgRoles } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import { ownPath } from '../../registry/path.ts';
import { changePassword, createCompany, needsSetup, useSetupLink } from '../access/accounts.ts';
import { currentUser, personAtHome, type UserSource } from '../access/current-user.ts';
import { knownDevice, rememberDevice } from '../access/devices.ts';
import { fitsPassword, type HashingTurn, inHashingTurn } from '../access/passwords.ts';
import type { Sessions } from '../access/sessions.ts';
import type { Guess, Throttle } from '../access/throttle.ts';
import { describeError } from '../kit/describe-error.ts';
import type { Context, Handlers } from '../http/handlers.ts';
import { networkOf } from '../http/proxies.ts';
import type { Services } from '../http/services.ts';
import { users } from '../store/schema.ts';

/** Inputs of the account's handlers besides the services. */
export interface AccountParts {
  readonly sessions: Sessions;
  readonly throttle: Throttle;
  /** The time in ms. */
  readonly now: () => number;
}

/** One sentence for an unknown e-mail address and a wrong password: it must not reveal which of the two it was. */
const wrongSignIn = 'E-mail address or password is wrong.';

/** Sign-in, set-up and the person's own account. */
export function accountHandlers(
  services: Pick<Services, 'config' | 'store' | 'onCompanyCreated'>,
  parts: AccountParts,
): Handlers<typeof accountEndpoints> {
  const { store } = services;
  const account = new AccountCalls(services, parts);
  return {
    isAuthenticated: async (_request, { person }) =>
      person === undefined
        ? { isAuthenticated: false }
        : { isAuthenticated: true, user: await account.present(person) },

    currentUser: (_request, { person }) => account.present(person),

    signInOptions: async () => ({ password: true, needsSetup: await needsSetup(store) }),

    signInPage: ({ query }, { redirect }) => {
      const path = ownPath(query.returnUrl);
      redirect(path === undefined ? '/login' : `/login?returnUrl=${encodeURIComponent(path)}`);
      return undefined;
    },

    signIn: ({ body }, context) => account.signIn(body, context),

    logout: async (_request, { session }) => {
      await session.end();
      return undefined;
    },

    setup: ({ body }, context) => account.setUp(body, context),

    createCompany: async ({ body }, { person, log, audit }) => {
      const companyId = await createCompany(store, {
        userId: person.id,
        sessionHash: person.sessionHash,
        name: body.name,
        isOpen: services.config.isSignupOpen,
      });
      audit.actor({ ...person, companyId });
      try {
        await services.onCompanyCreated?.({ companyId, userId: person.id });
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
      return undefined;
    },
  };
}

type Calls = typeof accountEndpoints;

/** The calls that check a password or a set-up link, each guess braked by the throttle. */
class AccountCalls {
  readonly #store: Services['store'];
  readonly #isSignupOpen: boolean;
  readonly #parts: AccountParts;

  constructor({ config, store }: Pick<Services, 'config' | 'store'>, parts: AccountParts) {
    this.#store = store;
    this.#isSignupOpen = config.isSignupOpen;
    this.#parts = parts;
  }

  async signIn(body: RequestOf<Calls['signIn']>['body'], context: Context<Calls['signIn']>): Promise<User> {
    const [user] = await this.#store.db.select().from(users).where(eq(users.email, body.email));
    // An unknown e-mail address stays out of the audit: people type passwords into the wrong field.
    const atHome = user === undefined ? undefined : await personAtHome(this.#store.db, user.id);
    if (atHome !== undefined) context.audit.actor(atHome);
    const network = networkOf(context.address);
    const device = user === undefined ? undefined : knownDevice(context.device.value, user);
    const guess: Guess = { what: 'sign-in', account: body.email, network, device };
    const turn: HashingTurn =
      device === undefined ? { lane: 'strangers', who: network } : { lane: 'known', who: device };
    const fits = await this.#tryPassword(guess, turn, context, () =>
      fitsPassword(user?.passwordHash ?? null, body.password),
    );
    if (user === undefined || !fits) throw new Problem({ status: 401, title: wrongSignIn });
    await context.session.start(user.id);
    await this.#remember(context, user.id);
    return await this.user(user.id);
  }

  async setUp(body: RequestOf<Calls['setup']>['body'], context: Context<Calls['setup']>): Promise<User> {
    const { throttle, now } = this.#parts;
    const { audit, session, address } = context;
    const guess: Guess = { what: 'setup-link', network: networkOf(address) };
    await throttle.check(guess);
    await audit.begin();
    const userId = await useSetupLink(this.#store, body, now()).catch(async (error: unknown) => {
      if (error instanceof Problem && error.status === 410) await throttle.failed(guess);
      throw error;
    });
    audit.actor({ id: userId, companyId: null, email: body.email });
    await session.start(userId);
    await this.#remember(context, userId);
    return await this.user(userId);
  }

  async changePassword(
    body: RequestOf<Calls['changePassword']>['body'],
    context: Context<Calls['changePassword']>,
  ): Promise<void> {
    const { person } = context;
    const [user] = await this.#store.db.select().from(users).where(eq(users.id, person.id));
    const guess: Guess = { what: 'current-password', userId: person.id };
    const turn: HashingTurn = { lane: 'known', who: `person ${person.id}` };
    const fits = await this.#tryPassword(guess, turn, context, () =>
      fitsPassword(user?.passwordHash ?? null, body.current),
    );
    if (!fits) throw new Problem({ status: 403, title: 'The current password is wrong.' });
    await changePassword(this.#store, this.#parts.sessions, person, body.next);
    // The browser was known by a signature that includes the old password.
    await this.#remember(context, person.id);
  }

  /** The person of a session as the specification's calls give them. */
  present(person: UserSource): Promise<User> {
    return currentUser(this.#store.db, person, this.#isSignupOpen);
  }

  /** Somebody who has just signed in, as `present` gives them. Throws Problem 401 where they are gone. */
  async user(userId: number): Promise<User> {
    const person = await personAtHome(this.#store.db, userId);
    if (person === undefined) throw new Problem({ status: 401, title: 'Sign in to continue.' });
    return await this.present(person);
  }

  /** Marks the browser of somebody who has just shown that the account is theirs as known. */
  async #remember({ device }: Pick<Context, 'device'>, userId: number): Promise<void> {
    const [user] = await this.#store.db
      .select({ id: users.id, passwordHash: users.passwordHash })
      .from(users)
      .where(eq(users.id, userId));
    const value = user === undefined ? undefined : rememberDevice(device.value, user);
    if (value !== undefined) device.set(value);
  }

  /**
   * Checks a password that may be a guess, in a hashing turn. The throttle is asked before it waits, and again when its
   * turn comes, since others may have failed meanwhile. Only then a row is written to the audit.
   */
  async #tryPassword(
    guess: Guess,
    turn: HashingTurn,
    { audit, signal }: Pick<Context, 'audit' | 'signal'>,
    check: () => Promise<boolean>,
  ): Promise<boolean> {
    const { throttle } = this.#parts;
    await throttle.check(guess);
    const work = async () => {
      await throttle.check(guess);
      await audit.begin();
      const fits = await check();
      await (fits ? throttle.succeeded(guess) : throttle.failed(guess));
      return fits;
    };
    return await inHashingTurn(turn, work, signal);
  }
}
