import { Problem } from '../../contract/problem.ts';
import {
  failureParam,
  providerParam,
  type SignInFailure,
  type signInEndpoints,
} from '../../contract/sign-in.ts';
import { ownPath, splitHref } from '../../registry/path.ts';
import { needsSetup } from '../access/accounts.ts';
import { AddressLinks } from '../access/address-links.ts';
import { personAtHome } from '../access/current-user.ts';
import { needsPasskeyBesides } from '../access/enforced.ts';
import type { Person } from '../access/person.ts';
import type { Context, Handlers } from '../http/handlers.ts';
import { clockTolerance, SignInFault } from '../identity/client.ts';
import { CompanyProviders } from '../identity/company-providers.ts';
import { applyGroups } from '../identity/groups.ts';
import { CompanyPeople } from '../identity/company-people.ts';
import { connectIdentity, isIdentityOf, personOfInstallation } from '../identity/people.ts';
import type { Claims, Provider } from '../identity/provider.ts';
import type { Return, Returned, SignIns } from '../identity/sign-ins.ts';
import { SignInWays } from '../identity/ways.ts';
import { failureOf, leaveFor } from './providers.ts';
import { sendAddressLink } from './own-address.ts';
import { noteProof, providerOfSession } from '../passkeys/proof.ts';
import type { RouteParts } from './parts.ts';
import type { Clock } from '../kit/clock.ts';

type Calls = typeof signInEndpoints;

type SignInParts = Pick<
  RouteParts,
  'store' | 'vault' | 'limits' | 'providers' | 'signIns' | 'mailer' | 'notices' | 'requireProof' | 'clock'
>;

/** Sign-in at identity providers, and the ways by which people sign in. */
export function signInHandlers(parts: SignInParts): Handlers<Calls> {
  const { store, vault, providers, signIns, mailer, notices } = parts;
  const ways = new SignInWays(store, providers);
  const companyProviders = new CompanyProviders(store, vault);
  const end = new SignInEnd({ ...parts, companyProviders });
  return {
    signInPage: async ({ query }, { redirect, origin, isSentByOthers, signInBrowser, log }) => {
      const returnUrl = ownPath(query.returnUrl);
      // A provider may let in without a word: sent there by another site, somebody would go on in an account of others.
      if (query.provider === undefined || isSentByOthers) {
        redirect(loginPath({ returnUrl, provider: query.provider }));
        return undefined;
      }
      try {
        const { url, browser } = await signIns.begin({
          purpose: 'sign-in',
          provider: query.provider,
          returnUrl: returnUrl ?? '/',
          by: null,
          origin,
          browser: signInBrowser.value,
          loginHint: query.loginHint,
        });
        signInBrowser.set(browser);
        redirect(url);
      } catch (error) {
        redirect(loginPath({ returnUrl, provider: query.provider, failure: failureOf(error, log) }));
      }
      return undefined;
    },

    signInOptions: async ({ query }) => {
      const named = query.provider === undefined ? undefined : await providers.find(query.provider);
      const all = named?.company == null ? providers.installation : [...providers.installation, named];
      return {
        password: true,
        needsSetup: await needsSetup(store),
        mailsResets: mailer.isConfigured,
        providers: all.map(({ key, label }) => ({ key, label })),
      };
    },

    signInCallback: async ({ params, query }, context) => {
      const { redirect, origin, signInBrowser } = context;
      redirect(
        await end.run({ provider: params.provider, query, origin, browser: signInBrowser.value }, context),
      );
      return undefined;
    },

    identities: async (_request, { person }) => {
      const { identities, connectable, hasPassword } = await ways.of(person.id);
      return { hasPassword, identities: [...identities], connectable: [...connectable] };
    },

    connectIdentity: async ({ body }, context) => {
      const { person, audit } = context;
      audit.subject({ provider: body.provider });
      if (!(await ways.mayConnect(person.id, body.provider)))
        throw new Problem({ status: 404, title: 'There is no such provider here. Reload the page.' });
      const asked = {
        purpose: 'connect',
        provider: body.provider,
        returnUrl: ownPath(body.returnUrl) ?? '/settings',
        by: person,
      } as const;
      return await leaveFor(signIns, asked, context);
    },

    confirmAtProvider: async (_request, context) => {
      const { person, audit } = context;
      const provider = await providerOfSession(store.db, providers, person);
      if (provider === undefined)
        throw new Problem({
          status: 409,
          title: 'A provider cannot confirm your identity in this session. Reload the page and try again.',
        });
      audit.subject({ provider: provider.key });
      const asked = {
        purpose: 'confirm',
        provider: provider.key,
        returnUrl: '/confirmed',
        by: person,
      } as const;
      return await leaveFor(signIns, asked, context);
    },

    disconnectIdentity: async ({ params }, context) => {
      await disconnect({ ways, notices }, params.identityId, context);
      return undefined;
    },
  };
}

/** Disconnects a provider from the caller's account, and tells them by its label. */
async function disconnect(
  { ways, notices }: { readonly ways: SignInWays } & Pick<SignInParts, 'notices'>,
  identityId: number,
  context: Context<Calls['disconnectIdentity']>,
): Promise<void> {
  const { person } = context;
  const { identities } = await ways.of(person.id);
  await ways.disconnect(person, identityId);
  const label = identities.find(({ id }) => id === identityId)?.label ?? 'A provider';
  await notices.tell({ userId: person.id, title: `${label} was disconnected from your account` }, context);
}

/** What follows when a provider has sent a browser back. */
class SignInEnd {
  readonly #store: SignInParts['store'];
  readonly #signIns: SignIns;
  readonly #companyProviders: CompanyProviders;
  readonly #companyPeople: CompanyPeople;
  readonly #notices: SignInParts['notices'];
  readonly #mailer: SignInParts['mailer'];
  readonly #addressLinks: AddressLinks;
  readonly #requireProof: SignInParts['requireProof'];
  readonly #clock: Clock;

  constructor({
    store,
    signIns,
    companyProviders,
    notices,
    limits,
    mailer,
    requireProof,
    clock,
  }: Pick<SignInParts, 'store' | 'signIns' | 'notices' | 'limits' | 'mailer' | 'requireProof' | 'clock'> & {
    readonly companyProviders: CompanyProviders;
  }) {
    this.#store = store;
    this.#signIns = signIns;
    this.#companyProviders = companyProviders;
    this.#notices = notices;
    this.#requireProof = requireProof;
    this.#mailer = mailer;
    this.#addressLinks = new AddressLinks(store, clock);
    this.#companyPeople = new CompanyPeople({ store, limits, clock });
    this.#clock = clock;
  }

  /** Signs in, or connects, and returns where the browser goes. Never throws: every failure is a page's sentence. */
  async run(back: Return, context: Context<Calls['signInCallback']>): Promise<string> {
    let pending: Returned | undefined;
    try {
      pending = await this.#signIns.take(back);
      const provider = await this.#signIns.provider(pending.provider);
      const claims = await this.#signIns.claims(provider, pending, back);
      if (pending.purpose === 'test') {
        ownerOf(pending, context.person);
        await context.audit.record('testProvider', { provider: provider.key });
        await this.#companyProviders.tested(provider.key, provider.issuer.href);
      } else if (pending.purpose === 'confirm') {
        const person = ownerOf(pending, context.person);
        await context.audit.record('confirmAtProvider', { provider: provider.key });
        await this.#confirm(provider, claims, person, pending.beganAt);
      } else if (pending.purpose === 'connect') {
        const person = ownerOf(pending, context.person);
        await context.audit.record('connectIdentity', { provider: provider.key });
        await this.#requireRecent(person);
        const isNew = await this.#connect(provider, claims, person, context);
        const title = `${provider.label} was connected to your account`;
        if (isNew) await this.#notices.tell({ userId: person.id, title }, context);
        // Somebody in no company came for the one that opens by this provider alone.
        if (provider.company !== null && person.companyId === null)
          await this.#enter(provider, claims, context);
      } else {
        await context.audit.enter('signIn', { provider: provider.key });
        await this.#enter(provider, claims, context);
      }
      return pending.returnUrl;
    } catch (error) {
      const failure = failureOf(error, context.log);
      const { provider } = back;
      return pending === undefined || pending.purpose === 'sign-in'
        ? loginPath({ returnUrl: pending?.returnUrl, provider, failure })
        : withParams(pending.returnUrl, { [failureParam]: failure });
    }
  }

  /** Connects an identity as `connectIdentity` does; mails a link where that would let it in. Throws SignInFault. */
  async #connect(
    provider: Provider,
    claims: Claims,
    person: Person,
    { origin, log }: Context<Calls['signInCallback']>,
  ): Promise<boolean> {
    try {
      return await connectIdentity(this.#store, provider, claims, person, this.#clock.now());
    } catch (error) {
      if (!(error instanceof SignInFault) || error.failure !== 'other-address') throw error;
      if (!this.#mailer.isConfigured) throw new SignInFault('other-address-unmailed');
      try {
        const sort = 'session';
        const token = await this.#addressLinks.make(person, sort);
        await sendAddressLink(this.#mailer, { person, origin, token, sort, now: this.#clock.now() });
      } catch (limit) {
        // Enough links were mailed.
        if (!(limit instanceof Problem)) throw limit;
        log.info({ problem: limit.title }, 'No further link was mailed');
      }
      throw error;
    }
  }

  /** Throws SignInFault unless the person confirmed their identity recently, as the call that began asked. */
  async #requireRecent(person: Person): Promise<void> {
    try {
      await this.#requireProof(person);
    } catch (error) {
      if (error instanceof Problem && error.code === 'identity-not-confirmed')
        throw new SignInFault('confirmed-earlier');
      throw error;
    }
  }

  /** Notes that the person of a session signed in at a provider again. Throws SignInFault. */
  async #confirm(provider: Provider, claims: Claims, person: Person, beganAt: number): Promise<void> {
    const { signedInAt } = claims;
    const isAgain = signedInAt === null || signedInAt >= beganAt - clockTolerance;
    if (!isAgain || !(await isIdentityOf(this.#store.db, provider, claims, person.id)))
      throw new SignInFault('not-confirmed');
    await noteProof(this.#store.db, person, 'provedAt', this.#clock.now());
  }

  /** Opens a session of whose identity it is, with the places in teams that their groups give. Throws SignInFault. */
  async #enter(provider: Provider, claims: Claims, context: Context<Calls['signInCallback']>): Promise<void> {
    const { company } = provider;
    let userId: number;
    if (company === null)
      userId = await personOfInstallation(this.#store, provider, claims, this.#clock.now(), context);
    else {
      const entered = await this.#companyPeople.signIn({ ...provider, company }, claims, {
        address: context.address,
        requestId: context.requestId,
      });
      if (entered.inviteId !== undefined) context.audit.subject({ inviteId: entered.inviteId });
      ({ userId } = entered);
    }
    await applyGroups(this.#store, provider, claims, userId);
    await this.#open(provider, userId, context);
  }

  async #open(
    { key, company, groupsClaim }: Provider,
    userId: number,
    { session, audit }: Context<Calls['signInCallback']>,
  ): Promise<void> {
    const person = await personAtHome(this.#store.db, userId);
    if (person !== undefined) audit.actor(company === null ? person : { ...person, companyId: company.id });
    const binding = company === null ? {} : { companyId: company.id, providerId: company.providerId };
    // A session that the rule of the company does not let in would be over at once, without a word.
    if (company !== null && (await needsPasskeyBesides(this.#store.db, userId, company)))
      throw new SignInFault('passkey-needed');
    await session.start(userId, { ...binding, way: key, readsGroups: groupsClaim !== null });
  }
}

/** The person of the session that began; throws SignInFault where another session came back, or none. */
function ownerOf({ by }: Returned, person: Person | undefined): Person {
  if (person === undefined || by?.id !== person.id || by.sessionHash !== person.sessionHash)
    throw new SignInFault('signed-out');
  return person;
}

type LoginFacts = Partial<
  Readonly<Record<'returnUrl' | 'provider', string | undefined>> & { readonly failure: SignInFailure }
>;

/** The sign-in page, with what it says. */
function loginPath({ returnUrl, provider, failure }: LoginFacts): string {
  return withParams('/login', {
    ...(returnUrl === undefined || (failure !== undefined && returnUrl === '/') ? {} : { returnUrl }),
    ...(failure === undefined ? {} : { [failureParam]: failure }),
    ...(provider === undefined ? {} : { [providerParam]: provider }),
  });
}

function withParams(path: string, params: Readonly<Record<string, string>>): string {
  const { pathname, search, hash } = splitHref(path);
  const all = [
    search.slice(1),
    ...Object.entries(params).map(([name, value]) => `${name}=${encodeURIComponent(value)}`),
  ];
  const joined = all.filter((part) => part !== '').join('&');
  return `${pathname}${joined === '' ? '' : `?${joined}`}${hash}`;
}
