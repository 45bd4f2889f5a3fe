import type { Cluster } from '../../contract/clusters.ts';

/**
 * The clusters that still work when something of a cluster cannot be shown, with a space before it: `Other clusters are
 * fine.` if this cluster itself is known to be in trouble and every other one to be reachable. Otherwise empty: the
 * failure may be the console's own, or affect all.
 */
export function failureScope(
  clusters: readonly Pick<Cluster, 'id' | 'state'>[] | undefined,
  clusterId: number,
): string {
  const own = clusters?.find(({ id }) => id === clusterId)?.state.status;
  const others = clusters?.filter(({ id }) => id !== clusterId) ?? [];
  const isOfCluster = own !== undefined && own !== 'reachable' && own !== 'unknown';
  const areFine = others.length > 0 && others.every(({ state }) => state.status === 'reachable');
  return isOfCluster && areFine ? ' Other clusters are fine.' : '';
}
