import * as oidc from 'openid-client';
import { type AddressGuard, AddressRefused } from '../clusters/address.ts';
import type { SignInFailure } from '../../contract/sign-in.ts';
import { cleanText } from '../../kube/text.ts';
import { looksLikeAnother } from '../access/address-letters.ts';
import { createGuardedFetch, type Fetch } from './guarded-fetch.ts';
import type { Claims, Provider } from './provider.ts';

/** A provider's configuration is read again after this, ms. */
const configurationLifetime = 10 * 60_000;
/** A provider has this long for each answer, s. */
const answerLimit = 10;
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

/** Speaks OpenID Connect with providers: code flow with PKCE, state and nonce, and discovery. */
export class OidcClient {
  readonly #guard: AddressGuard;
  readonly #now: () => number;
  readonly #known = new Map<string, Discovery>();

  constructor({ guard, now }: { readonly guard: AddressGuard; readonly now: () => number }) {
    this.#guard = guard;
    this.#now = now;
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
        ...(signsInAgain ? { prompt: 'login' } : {}),
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
   */
  async claims(provider: Provider, { state, nonce, verifier }: Checks, address: URL): Promise<Claims> {
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
      const { groupsClaim } = provider;
      const isComplete = hasAddress(token) && (groupsClaim === null || token[groupsClaim] !== undefined);
      const more =
        isComplete || configuration.serverMetadata().userinfo_endpoint === undefined
          ? {}
          : await oidc.fetchUserInfo(configuration, tokens.access_token, token.sub);
      return readClaims(joinClaims(token, more), token.iss, token.sub, groupsClaim);
    });
  }

  async #configurationOf(provider: Provider): Promise<oidc.Configuration> {
    const { key, issuer, clientId, clientSecret } = provider;
    const settings = JSON.stringify([issuer.href, clientId, clientSecret]);
    const before = this.#known.get(key);
    if (before?.settings === settings && this.#now() - before.readAt < configurationLifetime)
      return await before.configuration;
    const configuration = discover(provider, this.#fetchFor(provider));
    const known = { settings, readAt: this.#now(), configuration };
    this.#known.set(key, known);
    configuration.catch(() => {
      // What failed is tried again at once.
      if (this.#known.get(key) === known) this.#known.delete(key);
    });
    return await configuration;
  }

  #fetchFor({ company, issuer }: Provider): Fetch {
    return createGuardedFetch(this.#guard, company === null ? issuer : undefined);
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

/** Runs a step with a provider; whatever goes wrong is a SignInFault. */
async function asFault<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof SignInFault) throw error;
    throw new SignInFault(isUnreachable(error) ? 'down' : 'nonsense', { cause: error });
  }
}

const networkCodes =
  /^(E(CONN|HOST|NET|TIMEDOUT|NOTFOUND|AI_AGAIN|PIPE|PROTO)|UND_ERR|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|ADDRESS_REFUSED)/;

/** Whether the provider did not answer, or with a failure of its own. */
function isUnreachable(error: unknown): boolean {
  for (let one: unknown = error, depth = 0; one instanceof Error && depth < 8; one = one.cause, depth += 1) {
    if (one instanceof AddressRefused || one.name === 'TimeoutError' || one.name === 'AbortError')
      return true;
    const { code } = one as NodeJS.ErrnoException;
    if (typeof code === 'string' && networkCodes.test(code)) return true;
    if (one instanceof AggregateError && one.errors.some(isUnreachable)) return true;
    const { cause } = one;
    if (cause instanceof Response && cause.status >= 500) return true;
  }
  return false;
}
