import { eq, inArray } from 'drizzle-orm';
import { playgroundKeys } from '../clusters/adopt.ts';
import type { EndClusterWork } from '../clusters/cluster-changes.ts';
import { clusters } from '../store/schema/clusters.ts';
import { installation } from '../store/schema/installation.ts';
import type { Store } from '../store/store.ts';

/**
 * Takes the playground's cluster away from an installation that runs without one (WHEELHOUSE_PLAYGROUND=off, or moved
 * to DATABASE_URL): nothing could answer behind it. Switched on again, it comes back; one that a person removed does not.
 */
export async function removePlaygroundRow(
  store: Pick<Store, 'db' | 'channel'>,
  endWork: EndClusterWork,
): Promise<void> {
  await store.db.transaction(async (tx) => {
    const ofPlayground = eq(clusters.source, 'playground');
    const rows = await tx.select().from(clusters).where(ofPlayground).for('update');
    for (const row of rows) await endWork(tx, row);
    await tx.delete(clusters).where(ofPlayground);
    if (rows.length > 0) await tx.delete(installation).where(inArray(installation.key, [...playgroundKeys]));
    for (const { companyId, id } of rows)
      await store.channel.notify('clusters', { companyId, clusterId: id }, tx);
  });
}
