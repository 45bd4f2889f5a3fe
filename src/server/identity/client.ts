import * as oidc from 'openid-client';
import {
  type AddressGuard,
  AddressRefused,
  createAddressGuard,
  guardOfEntered,
} from '../clusters/address.ts';
import type { Config } from '../kit/config.ts';
import { isStorable } from '../kit/storable.ts';
import type { SignInFailure } from '../../contract/sign-in.ts';
import { cleanText } from '../../kube/text.ts';
import { looksLikeAnother } from '../access/address-letters.ts';
import { createGuardedFetch, type Fetch } from './guarded-fetch.ts';
import type { Claims, Provider } from './provider.ts';
import type { Clock } from '../kit/clock.ts';

/** A provider's configuration is read again after this, ms. */
const configurationLifetime = 10 * 60_000;
/** A provider has this long for each answer, s. */
const answerLimit = 10;
/** The clocks of a provider and of the console may differ by this, ms. */
export const clockTolerance = 60_000;
/** Groups beyond this many are not read. */
const groupLimit = 1_000;
const maxGroupLength = 256;

/** A sign-in that a provider did not let happen, as the page says it. The cause is for the log. */
export class SignInFault extends Error {
  readonly failure: SignInFailure;

  constructor(failure: SignInFailure, options?: ErrorOptions) {
    super(`The sign-in ended: ${failure}`, options);
    this.name = 'SignInFault';
    this.failure = failure;
  }
}

/** What a sign-in carries from its start to its end. */
export interface Checks {
  readonly state: string;
  readonly nonce: string;
  /** Secret half of PKCE. */
  readonly verifier: string;
}

/** New random checks. */
export function newChecks(): Checks {
  return {
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
  };
}

interface Discovery {
  readonly settings: string;
  readonly readAt: number;
  readonly configuration: Promise<oidc.Configuration>;
}

/** The settings that say which addresses issuers may have. */
export type IssuerConfig = Pick<Config, 'allowCidrs' | 'issuerCidrs'>;

/** Speaks OpenID Connect with providers: code flow with PKCE, state and nonce, and discovery. */
export class OidcClient {
  readonly #config: IssuerConfig;
  readonly #guard: AddressGuard;
  readonly #clock: Clock;
  readonly #known = new Map<string, Discovery>();

  constructor({ config, clock }: { readonly config: IssuerConfig; readonly clock: Clock }) {
    this.#config = config;
    this.#guard = createAddressGuard(config.issuerCidrs);
    this.#clock = clock;
  }

  /**
   * Where the browser is sent to sign in. Throws SignInFault.
   * @param redirectUri where the provider sends it back
   * @param loginHint the address that the person chose beforehand
   * @param signsInAgain whether a session of the person there is not enough
   */
  async authorizationUrl(
    provider: Provider,
    { state, nonce, verifier }: Checks,
    redirectUri: string,
    {
      loginHint,
      signsInAgain = false,
    }: { readonly loginHint?: string | undefined; readonly signsInAgain?: boolean },
  ): Promise<string> {
    return await asFault(async () => {
      const configuration = await this.#configurationOf(provider);
      const supported = configuration.serverMetadata().scopes_supported;
      const scope = ['openid', 'email', 'profile'];
      // Some providers give groups only where this scope is asked for; others refuse scopes that they do not know.
      if (provider.groupsClaim !== null && supported?.includes('groups') === true) scope.push('groups');
      const url = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: scope.join(' '),
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(loginHint === undefined ? {} : { login_hint: loginHint }),
        ...(signsInAgain ? { prompt: 'login', max_age: '0' } : {}),
      });
      if (url.protocol !== 'https:' && url.protocol !== provider.issuer.protocol)
        throw new Error('The authorization endpoint has no https address.');
      return url.href;
    });
  }

  /**
   * Exchanges what the provider sent back for what it says of the person: code, issuer, signature, audience, times, state
   * and nonce are checked. Throws SignInFault.
   * @param address that the provider sent the browser to, with its query
   * @param signsInAgain the time of the sign-in is needed, unless the provider says that it knows none
   */
  async claims(
    provider: Provider,
    { state, nonce, verifier }: Checks,
    address: URL,
    signsInAgain = false,
  ): Promise<Claims> {
    if (address.searchParams.get('error') === 'access_denied') throw new SignInFault('refused');
    return await asFault(async () => {
      const configuration = await this.#configurationOf(provider);
      const tokens = await oidc.authorizationCodeGrant(configuration, address, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const token = tokens.claims();
      if (token === undefined) throw new Error('The provider sent no ID token.');
      if (token.iat * 1_000 > this.#clock.now() + clockTolerance) throw new SignInFault('ahead-of-time');
      const isDated = configuration.serverMetadata().claims_supported?.includes('auth_time') === true;
      if (signsInAgain && isDated && token.auth_time === undefined) throw new SignInFault('undated');
      const { groupsClaim } = provider;
      const isComplete = hasAddress(token) && (groupsClaim === null || token[groupsClaim] !== undefined);
      const more =
        isComplete || configuration.serverMetadata().userinfo_endpoint === undefined
          ? {}
          : await oidc.fetchUserInfo(configuration, tokens.access_token, token.sub);
      const claims = joinClaims(token, more);
      const kept = [token.sub, claims['email'], claims['name'], groupsClaim && claims[groupsClaim]];
      if (!isStorable(kept)) throw new SignInFault('not-storable');
      return readClaims(claims, token.iss, token.sub, groupsClaim);
    });
  }

  async #configurationOf(provider: Provider): Promise<oidc.Configuration> {
    const { key, issuer, clientId, clientSecret } = provider;
    const settings = JSON.stringify([issuer.href, clientId, clientSecret, provider.company?.carriedOver]);
    const before = this.#known.get(key);
    if (before?.settings === settings && this.#clock.now() - before.readAt < configurationLifetime)
      return await before.configuration;
    const configuration = discover(provider, this.#fetchFor(provider));
    const known = { settings, readAt: this.#clock.now(), configuration };
    this.#known.set(key, known);
    configuration.catch(() => {
      // What failed is tried again at once.
      if (this.#known.get(key) === known) this.#known.delete(key);
    });
    return await configuration;
  }

  #fetchFor({ company, issuer }: Provider): Fetch {
    if (company === null) return createGuardedFetch(this.#guard, { trusted: issuer });
    const address = { url: issuer.href, carriedOver: company.carriedOver };
    const own = guardOfEntered(this.#guard, address, this.#config.allowCidrs);
    return createGuardedFetch(this.#guard, { trusted: issuer, guardOfTrusted: own });
  }
}

async function discover(
  { issuer, clientId, clientSecret }: Provider,
  fetch: Fetch,
): Promise<oidc.Configuration> {
  // Providers differ in which of the two they take, and say so; without a word it is Basic.
  const authenticate: oidc.ClientAuth = (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? [];
    const isPost = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
    const by = isPost ? oidc.ClientSecretPost(clientSecret) : oidc.ClientSecretBasic(clientSecret);
    return by(server, client, body, headers);
  };
  return await oidc.discovery(issuer, clientId, undefined, authenticate, {
    [oidc.customFetch]: (url, options) => fetch(url, options as RequestInit),
    timeout: answerLimit,
    execute: [
      oidc.enableNonRepudiationChecks,
      ...(issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
    ],
  });
}

/** Whether claims say an address and, either way, whether it is verified. */
const hasAddress = (claims: Readonly<Record<string, unknown>>): boolean =>
  claims['email'] !== undefined && claims['email_verified'] !== undefined;

/**
 * The claims of an ID token, completed by those of the userinfo endpoint. The address and whether it is verified come
 * from one of the two: the verification of one address must never count for another.
 */
export function joinClaims(
  token: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { email, email_verified } = hasAddress(token) ? token : more;
  return { ...more, ...token, email, email_verified };
}

/** What the sign-in needs of a person's claims. Throws on what is none of the expected types. */
function readClaims(
  claims: Readonly<Record<string, unknown>>,
  issuer: string,
  subject: string,
  groupsClaim: string | null,
): Claims {
  const { email, email_verified: isVerified, name, auth_time: authTime } = claims;
  const groups = groupsClaim === null ? [] : claims[groupsClaim];
  const listed = Array.isArray(groups) ? groups : [groups];
  return {
    issuer,
    subject,
    // Only the boolean: a provider that sends "false" as a text must not be believed.
    email:
      typeof email === 'string' &&
      isVerified === true &&
      /^[^\s@]{1,64}@[^\s@]{1,189}$/u.test(email) &&
      // Before it is lower case: the Kelvin sign becomes a k, and the address that of somebody else.
      !looksLikeAnother(email)
        ? email.toLowerCase()
        : null,
    name: typeof name === 'string' ? nameIn(name) : null,
    signedInAt: typeof authTime === 'number' ? authTime * 1_000 : null,
    groups: listed
      .filter((group) => typeof group === 'string' && group !== '' && group.length <= maxGroupLength)
      .slice(0, groupLimit) as string[],
  };
}

/** A name as people give one here: one visible line. */
function nameIn(claim: string): string | null {
  return cleanText(claim).replaceAll(/\s+/gu, ' ').trim().slice(0, 100).trim() || null;
}

/**
 * Runs a step with a provider; whatever goes wrong is a SignInFault, and the same one: an Owner who enters an address must
 * not learn which ports of other machines are open.
 */
async function asFault<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof SignInFault) throw error;
    throw new SignInFault('unusable', { cause: refusedAddress(error) ?? error });
  }
}

/** The error for the log of an address that the console does not connect to; undefined for any other failure. */
function refusedAddress(error: unknown): Error | undefined {
  for (let one: unknown = error; one instanceof Error; one = one.cause)
    if (one instanceof AddressRefused)
      return new Error(`${one.message} The operator can list it in WHEELHOUSE_ISSUER_ALLOW_CIDRS.`);
  return undefined;
}
