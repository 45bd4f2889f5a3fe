import type { User } from '../../contract/account.ts';
import type { RequestOf } from '../../contract/endpoint.ts';
import type { passkeyEndpoints } from '../../contract/passkeys.ts';
import { Problem } from '../../contract/problem.ts';
import { currentUser, personByPasskey } from '../access/current-user.ts';
import { requireOpenCompany } from '../access/enforced.ts';
import type { Person } from '../access/person.ts';
import { newToken } from '../access/sessions.ts';
import type { Guess } from '../access/throttle.ts';
import type { Context, Handlers } from '../http/handlers.ts';
import { networkOf } from '../http/proxies.ts';
import { PasskeyList } from '../passkeys/list.ts';
import { noteProof, noteSignInByPasskey, requirePasswordProof, rulingCompany } from '../passkeys/proof.ts';
import { PasskeyRegistration } from '../passkeys/registration.ts';
import { relyingParty } from '../passkeys/relying-party.ts';
import { PasskeyRule } from '../passkeys/rule.ts';
import { PasskeySignIn } from '../passkeys/sign-in.ts';
import { rememberBrowser, tryOwnPassword } from './password-tries.ts';
import type { RouteParts } from './parts.ts';

type PasskeyParts = Pick<RouteParts, 'config' | 'store' | 'throttle' | 'notices' | 'clock'>;

type Calls = typeof passkeyEndpoints;

/** One sentence for everything that does not sign in: it must not reveal which passkeys there are. */
const wrongPasskey =
  'This passkey belongs to no account here, or the sign-in took too long. Try again, or sign in another way.';

/** Signing in with passkeys, the own ones, and the rule of a company for passkeys. */
export function passkeyHandlers(parts: PasskeyParts): Handlers<Calls> {
  const { store, notices, clock } = parts;
  const signIn = new PasskeySignIn(store, clock);
  const registration = new PasskeyRegistration(store, clock);
  const list = new PasskeyList(store);
  const rule = new PasskeyRule(store);
  const entrance = new PasskeyEntrance(signIn, parts);
  return {
    passkeySignInOptions: async (_request, { origin, signInBrowser }) => {
      const party = relyingParty(origin);
      const known = signInBrowser.value;
      const browser = known !== undefined && /^[\w-]{43}$/.test(known) ? known : newToken();
      signInBrowser.set(browser);
      return await signIn.options(party, browser);
    },

    passkeySignIn: ({ body }, context) => entrance.signIn(body, context),

    passkeys: async (_request, { person }) => ({
      passkeys: await list.of(person.id),
      requiredBy: await rulingCompany(store.db, person.id),
    }),

    passkeyOptions: async (_request, { person, origin }) => {
      const party = relyingParty(origin);
      return await registration.options(party, person);
    },

    addPasskey: async ({ body }, context) => {
      const { person, origin, audit } = context;
      const { name, credential } = body;
      audit.subject({ name });
      const passkeyId = await registration.add(relyingParty(origin), person, name, credential);
      audit.subject({ name, passkeyId });
      const title = `A passkey was added to your account: ${name}`;
      await notices.tell({ userId: person.id, title }, context);
      return await entrance.open({ userId: person.id, passkeyId }, context);
    },

    renamePasskey: async ({ params, body }, { person, audit }) => {
      audit.subject({ name: body.name });
      const before = await list.rename(person, params.passkeyId, body.name);
      audit.changed({ name: before }, { name: body.name });
      return undefined;
    },

    removePasskey: async ({ params }, context) => {
      const { person, audit } = context;
      const name = await list.remove(person, params.passkeyId);
      audit.subject({ name });
      const title = `A passkey of your account was removed: ${name}`;
      await notices.tell({ userId: person.id, title }, context);
      return undefined;
    },

    // The call itself needs what it checks.
    checkIdentity: async () => undefined,

    confirmPassword: async ({ body }, context) => {
      const { person } = context;
      await requirePasswordProof(store.db, person, clock.now());
      if (!(await tryOwnPassword(parts, body.password, context)))
        throw new Problem({ status: 403, title: 'The password is wrong.' });
      await noteProof(store.db, person, 'provedAt', clock.now());
      return undefined;
    },

    confirmAct: ({ body }, context) => entrance.confirmAct(body, context),

    removeMemberPasskeys: async ({ params }, context) => {
      const { person, audit } = context;
      const removed = await list.removeOfMember(person, params.userId);
      audit.subject({ removed });
      const title = `${person.name}, an Owner of ${person.companyName}, removed the passkeys of your account`;
      if (removed > 0) await notices.tell({ userId: params.userId, title }, context);
      return { removed };
    },

    passkeyRule: (_request, { person, origin }) => rule.read(person, origin),

    setPasskeyRule: async ({ body: { requiredOf } }, { person, origin, audit }) => {
      audit.subject({ requiredOf });
      const before = await rule.set(person, requiredOf, origin);
      audit.changed({ passkeysRequiredOf: before }, { passkeysRequiredOf: requiredOf });
      return await rule.read(person, origin);
    },
  };
}

/** How a passkey opens a session. */
class PasskeyEntrance {
  readonly #store: PasskeyParts['store'];
  readonly #isSignupOpen: boolean;
  readonly #signIn: PasskeySignIn;
  readonly #parts: PasskeyParts;

  constructor(signIn: PasskeySignIn, parts: PasskeyParts) {
    this.#store = parts.store;
    this.#isSignupOpen = parts.config.isSignupOpen;
    this.#signIn = signIn;
    this.#parts = parts;
  }

  async signIn(
    assertion: RequestOf<Calls['passkeySignIn']>['body'],
    context: Context<Calls['passkeySignIn']>,
  ): Promise<User> {
    const { throttle } = this.#parts;
    const { audit, address, origin, signInBrowser } = context;
    const party = relyingParty(origin);
    const guess: Guess = { what: 'passkey', network: networkOf(address) };
    await throttle.check(guess);
    await audit.begin();
    const browser = signInBrowser.value ?? '';
    const named = await this.#signIn.verify(party, browser, assertion);
    if (named !== undefined) audit.subject({ passkeyId: named.passkeyId });
    if (named?.opens !== true) {
      // Like a wrong password it is a try that the person's company reads of.
      const atHome = named === undefined ? undefined : await personByPasskey(this.#store.db, named);
      if (atHome !== undefined) audit.actor(atHome);
      await throttle.failed(guess);
      throw new Problem({ status: 401, title: wrongPasskey });
    }
    return await this.open(named, context);
  }

  /** Confirms one act in the session of the call, however that was opened, by a passkey of its person. */
  async confirmAct(
    assertion: RequestOf<Calls['confirmAct']>['body'],
    context: Context<Calls['confirmAct']>,
  ): Promise<undefined> {
    const { throttle, clock } = this.#parts;
    const { audit, address, origin, signInBrowser, person } = context;
    const party = relyingParty(origin);
    const guess: Guess = { what: 'passkey', network: networkOf(address) };
    await throttle.check(guess);
    await audit.begin();
    const named = await this.#signIn.verify(party, signInBrowser.value ?? '', assertion);
    if (named?.opens !== true || named.userId !== person.id) {
      await throttle.failed(guess);
      throw new Problem({
        status: 403,
        title: 'This is not a passkey of your account, or it was used too late. Try again with one of yours.',
      });
    }
    audit.subject({ passkeyId: named.passkeyId });
    await noteProof(this.#store.db, person, 'actProvedAt', clock.now());
    return undefined;
  }

  /**
   * Opens a session by a passkey. Who is in a company already goes on in the session that they have, which counts as opened
   * by the passkey from then on: a new one would end what their page has open.
   */
  async open(
    { userId, passkeyId }: { readonly userId: number; readonly passkeyId: number },
    context: Pick<Context, 'audit' | 'session' | 'device'> & { readonly person: Person | undefined },
  ): Promise<User> {
    const { db } = this.#store;
    const { audit, session, person } = context;
    const current = person?.id === userId && person.providerId === null ? person : undefined;
    const atHome =
      current !== undefined && current.companyId !== null
        ? current
        : await personByPasskey(db, { userId, passkeyId });
    if (atHome === undefined) throw new Problem({ status: 401, title: wrongPasskey });
    audit.actor(atHome);
    if (atHome === current) {
      await noteSignInByPasskey(db, current, passkeyId, this.#parts.clock.now());
    } else {
      await requireOpenCompany(db, userId);
      const { companyId } = atHome;
      await session.start(userId, {
        way: 'passkey',
        passkeyId,
        ...(companyId === null ? {} : { companyId }),
      });
    }
    await rememberBrowser(this.#store, context, userId);
    return await currentUser(db, atHome, { isSignupOpen: this.#isSignupOpen, now: this.#parts.clock.now() });
  }
}
