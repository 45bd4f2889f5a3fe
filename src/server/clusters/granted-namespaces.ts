import { and, eq, isNotNull } from 'drizzle-orm';
import type { ClusterRow } from '../store/schema/clusters.ts';
import { teamClusters } from '../store/schema/teams.ts';
import type { Store } from '../store/store.ts';

/** The namespaces of a cluster that grants name, each once, in order. Throws errors of the database. */
export async function grantedNamespaces(
  { db }: Pick<Store, 'db'>,
  { id, companyId }: Pick<ClusterRow, 'id' | 'companyId'>,
): Promise<readonly string[]> {
  const grants = await db
    .select({ namespaces: teamClusters.namespaces })
    .from(teamClusters)
    .where(
      and(
        eq(teamClusters.companyId, companyId),
        eq(teamClusters.clusterId, id),
        isNotNull(teamClusters.namespaces),
      ),
    );
  return [...new Set(grants.flatMap(({ namespaces }) => namespaces ?? []))].sort();
}
