import type { InstallationProvider } from '../kit/config-identity.ts';

/** An identity provider, ready to be asked: of the installation, or of one company. */
export interface Provider extends InstallationProvider {
  /** The company that it belongs to; null for a provider of the installation. */
  readonly company: {
    readonly id: number;
    /** Id of the provider's row. */
    readonly providerId: number;
    readonly name: string;
    /** The issuer that the allow list of clusters opens; null without. */
    readonly carriedOver: string | null;
  } | null;
}

/** What a provider says of a person, verified. */
export interface Claims {
  readonly issuer: string;
  readonly subject: string;
  /** The address, lower case; null unless the provider says that it is verified. */
  readonly email: string | null;
  readonly name: string | null;
  /** When the person last signed in there, in ms since 1970; null where the provider does not say. */
  readonly signedInAt: number | null;
  /** The groups of the provider's groups claim; empty where none is read. */
  readonly groups: readonly string[];
}
