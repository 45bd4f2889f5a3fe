import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Reads anew what is known of a log that is read page by page, after a page that is being read: each of the two would
 * cancel the other.
 */
export async function rereadLog(queryClient: QueryClient, queryKey: QueryKey): Promise<void> {
  const query = queryClient.getQueryCache().find({ queryKey, exact: true });
  while (query?.state.fetchStatus === 'fetching' && query.state.fetchMeta?.fetchMore !== undefined)
    // The page itself shows why it could not be read.
    await query.promise?.catch(() => undefined);
  await queryClient.invalidateQueries({ queryKey, exact: true });
}
