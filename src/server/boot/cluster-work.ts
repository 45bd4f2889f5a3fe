import type { EndClusterWork } from '../clusters/cluster-changes.ts';
import { cancelJobsOf } from '../jobs/job-end.ts';
import { endShellsOf } from '../shells/end-shells.ts';
import type { Store } from '../store/store.ts';
import type { Vault } from '../store/vault.ts';

/** Ends the jobs and shells of a cluster that is removed, with their rows in the audit; their servers then stop them. */
export function createClusterWorkEnd({ channel }: Pick<Store, 'channel'>, vault: Vault): EndClusterWork {
  return async (tx, cluster) => {
    for (const { id } of await cancelJobsOf(tx, cluster))
      await channel.notify('jobs', { clusterId: cluster.id, jobId: id }, tx);
    await endShellsOf(tx, vault, cluster.id);
  };
}
