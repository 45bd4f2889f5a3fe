import type { Clock } from '../kit/clock.ts';
import type { Chance } from '../kit/random.ts';
import type { Registry } from '../registry/registry.ts';
import type { Store } from './store.ts';

/** The state of a cluster: objects, resources, time and randomness. */
export interface World {
  readonly store: Store;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly chance: Chance;
  /** Whether pods get a service account and its token volume, as on a cluster with controllers. */
  readonly serviceAccounts?: boolean;
  /**
   * The certificate authority that pods trust; set once the certificates are generated, which takes longer than
   * seeding.
   */
  readonly trust?: { authority?: string };
}
