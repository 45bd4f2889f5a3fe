import { eq } from 'drizzle-orm';
import type { InstallationProvider } from '../kit/config-identity.ts';
import { companies } from '../store/schema/companies.ts';
import { identityProviders } from '../store/schema/identities.ts';
import { clientSecretContext } from '../store/sealed.ts';
import type { Store } from '../store/store.ts';
import type { Vault } from '../store/vault.ts';
import type { Provider } from './provider.ts';

interface ProvidersParts {
  readonly installation: readonly InstallationProvider[];
  readonly store: Pick<Store, 'db'>;
  readonly vault: Pick<Vault, 'open'>;
}

/** The providers by which people may sign in: those of the environment, and those that companies bring. */
export class Providers {
  readonly #installation: readonly Provider[];
  readonly #store: Pick<Store, 'db'>;
  readonly #vault: Pick<Vault, 'open'>;

  constructor({ installation, store, vault }: ProvidersParts) {
    this.#installation = installation.map((one) => ({ ...one, company: null }));
    this.#store = store;
    this.#vault = vault;
  }

  /** Those of the installation, in the order of their buttons. */
  get installation(): readonly Provider[] {
    return this.#installation;
  }

  /**
   * The provider with a key, read anew each time; undefined for an unknown one, and for one without a secret: the operator
   * gave it up with a lost key. Throws SealError.
   */
  async find(key: string): Promise<Provider | undefined> {
    const own = this.#installation.find((one) => one.key === key);
    if (own !== undefined) return own;
    const [row] = await this.#store.db
      .select({ provider: identityProviders, companyName: companies.name })
      .from(identityProviders)
      .innerJoin(companies, eq(companies.id, identityProviders.companyId))
      .where(eq(identityProviders.key, key));
    if (row === undefined || row.provider.clientSecret.length === 0) return undefined;
    const { provider, companyName } = row;
    return {
      key: provider.key,
      label: provider.name,
      issuer: new URL(provider.issuer),
      clientId: provider.clientId,
      clientSecret: this.#vault.open(provider.clientSecret, clientSecretContext(provider.key)),
      groupsClaim: provider.groupsClaim,
      company: {
        id: provider.companyId,
        providerId: provider.id,
        name: companyName,
        carriedOver: provider.carriedOver,
      },
    };
  }
}
