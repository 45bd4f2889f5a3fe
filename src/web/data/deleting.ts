import type { QueryClient } from '@tanstack/react-query';

/** Key of the call that deletes a cluster from the console. */
export const deletingKey = (clusterId: number) => ['delete-cluster', clusterId] as const;

/**
 * Whether this page deletes a cluster, or did so a moment ago: who did it needs no second message that it is gone. The
 * server's word of it may come before its answer does.
 */
export function isDeletedHere(queryClient: QueryClient, clusterId: number): boolean {
  return queryClient
    .getMutationCache()
    .findAll({ mutationKey: deletingKey(clusterId), exact: true })
    .some(({ state }) => state.status === 'pending' || state.status === 'success');
}
