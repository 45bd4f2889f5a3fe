import type { Person } from '../access/person.ts';
import { type Checks, type IssuerConfig, OidcClient, SignInFault } from './client.ts';
import { type Pending, PendingSignIns, type Purpose } from './pending.ts';
import type { Claims, Provider } from './provider.ts';
import type { Providers } from './providers.ts';
import type { Store } from '../store/store.ts';
import type { Clock } from '../kit/clock.ts';

interface SignInsParts {
  readonly providers: Providers;
  readonly store: Pick<Store, 'db'>;
  readonly config: IssuerConfig;
  readonly clock: Clock;
}

/** How a sign-in begins. */
export interface Beginning {
  readonly purpose: Purpose;
  /** Key of the provider. */
  readonly provider: string;
  /** A path of this console. */
  readonly returnUrl: string;
  /** The person that connects, tests or confirms; null for a sign-in. */
  readonly by: Pick<Person, 'id' | 'sessionHash'> | null;
  /** The origin at which the person opened the console. */
  readonly origin: string;
  /** The value of the browser's cookie, if it has one. */
  readonly browser: string | undefined;
  readonly loginHint?: string | undefined;
}

/** What a provider sent the browser back with. */
export interface Return {
  readonly provider: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly origin: string;
  readonly browser: string | undefined;
}

/** A sign-in that came back, taken out of the store. */
export interface Returned extends Pending {
  readonly checks: Checks;
  /** When it began, in ms since 1970. */
  readonly beganAt: number;
}

/** Sign-ins at providers, from where they begin to what the provider says of the person. */
export class SignIns {
  readonly #providers: Providers;
  readonly #pending: PendingSignIns;
  readonly #client: OidcClient;

  constructor({ providers, store, config, clock }: SignInsParts) {
    this.#providers = providers;
    this.#pending = new PendingSignIns(store, clock);
    this.#client = new OidcClient({ config, clock });
  }

  /** Where the browser goes, and the cookie that it takes along. Throws SignInFault. */
  async begin(beginning: Beginning): Promise<{ readonly url: string; readonly browser: string }> {
    const { origin, loginHint, purpose, returnUrl, by } = beginning;
    const provider = await this.provider(beginning.provider);
    const pending = { provider: provider.key, purpose, returnUrl, by };
    const { browser, ...checks } = await this.#pending.begin(pending, beginning.browser);
    const url = await this.#client.authorizationUrl(provider, checks, redirectUri(origin, provider.key), {
      loginHint,
      signsInAgain: purpose === 'confirm',
    });
    return { url, browser };
  }

  /** The sign-in that a return belongs to, once. Throws SignInFault for any that is none. */
  async take({ provider, query, browser }: Return): Promise<Returned> {
    const { state } = query;
    const pending =
      state === undefined || browser === undefined
        ? undefined
        : await this.#pending.take(state, browser, provider);
    if (pending === undefined) throw new SignInFault('expired');
    return pending;
  }

  /** What the provider says of the person. Throws SignInFault. */
  async claims(
    provider: Provider,
    { checks, purpose }: Pick<Returned, 'checks' | 'purpose'>,
    { query, origin }: Return,
  ): Promise<Claims> {
    const address = new URL(redirectUri(origin, provider.key));
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) address.searchParams.set(name, value);
    return await this.#client.claims(provider, checks, address, purpose === 'confirm');
  }

  /** The provider with a key. Throws SignInFault for an unknown one. */
  async provider(key: string): Promise<Provider> {
    const provider = await this.#providers.find(key);
    if (provider === undefined) throw new SignInFault('unknown-provider');
    return provider;
  }
}

/** Where a provider sends the browser back to: an address of its own for each, so that none answers for another. */
export function redirectUri(origin: string, key: string): string {
  return `${origin}/api/auth/callback/${key}`;
}
