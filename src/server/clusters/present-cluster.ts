import type { Cluster } from '../../contract/clusters.ts';
import { covers } from '../access/held.ts';
import type { Sight } from '../access/sight.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import { metricsSourceOf } from './metrics-source.ts';
import type { StoredUserSettings } from './user-settings.ts';

/** A row as people see it: never its credential, its address only with clusters.view. */
export function presentCluster(row: ClusterRow, state: Cluster['state'], { held, excluded }: Sight): Cluster {
  // Names of excluded namespaces may be unknown to people whose grants do not reach them.
  const seen = [...excluded].filter((namespace) => covers(held.namespaces, { namespace })).sort();
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    source: row.source === 'playground' || row.source === 'operator' ? row.source : 'kubeconfig',
    server: held.may('clusters.view', 'cluster') ? hostOf(row) : '',
    colour: row.colour,
    ...(row.environment === '' ? {} : { environment: row.environment }),
    isProtected: row.isProtected,
    isReadOnly: row.isReadOnly,
    isShellAllowed: row.isShellAllowed,
    isShellRecorded: row.isShellRecorded,
    ...(metricsSourceOf(row).from === 'metrics.k8s.io' ? {} : { hasUsageHistory: true as const }),
    credentialExpiresAt:
      row.credentialExpiresAt === null ? null : new Date(row.credentialExpiresAt).toISOString(),
    state,
    ...(held.namespaces === 'all' ? {} : { namespaces: [...held.namespaces].sort() }),
    ...(seen.length === 0 ? {} : { excludedNamespaces: seen }),
  };
}

/** How a person's lists begin; nothing where they never said. */
export function defaultsIn(own: StoredUserSettings | undefined): Pick<Cluster, 'defaults'> {
  if (own === undefined) return {};
  const { favouriteNamespaces, sort, isWide } = own;
  const isUsual = favouriteNamespaces.length === 0 && sort === null && !isWide;
  return isUsual ? {} : { defaults: { favouriteNamespaces, sort, isWide } };
}

/** Host and port of a cluster's API server. */
export function hostOf({ server }: Pick<ClusterRow, 'server'>): string {
  return URL.parse(server)?.host ?? '';
}
