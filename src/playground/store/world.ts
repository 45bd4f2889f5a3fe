import type { Clock } from '../kit/clock.ts';
import type { Chance } from '../kit/random.ts';
import type { Registry } from '../registry/registry.ts';
import type { Store } from './store.ts';

/** What everything that reads or writes objects shares: where they are kept, what kinds there are, time and chance. */
export interface World {
  readonly store: Store;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly chance: Chance;
  /** Whether pods get their service account and its token volume, as on a cluster with controllers. */
  readonly serviceAccounts?: boolean;
  /** What pods are told to trust; known once the certificates are made, which takes longer than planting a seed. */
  readonly trust?: { authority?: string };
}
