import type { Logger } from 'pino';
import { permissions } from '../../contract/permissions.ts';
import { createHeld } from '../access/held.ts';
import { noneExcluded, type Sight } from '../access/sight.ts';
import type { Clock } from '../kit/clock.ts';
import type { ClusterLive } from '../live/cluster/cluster.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { Store } from '../store/store.ts';
import type { Happenings } from '../webhooks/happenings.ts';

/** The whole cluster: who may hear of what is asked for each event. */
export const wholeCluster: Sight = {
  held: createHeld(new Map(permissions.map((name) => [name, 'all'])), true),
  excluded: noneExcluded,
};

/** Key of the incident that the cluster itself is unreachable. */
export const reachKey = 'cluster unreachable';

/** Inputs of what watches the dashboard of a cluster. */
export interface WatchParts {
  readonly cluster: ClusterRow;
  readonly live: Pick<ClusterLive, 'board' | 'kind' | 'customKinds'>;
  readonly store: Pick<Store, 'db'>;
  readonly happenings: Pick<Happenings, 'record'>;
  readonly clock: Clock;
  readonly log: Logger;
}
