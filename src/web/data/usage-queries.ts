import { queryOptions } from '@tanstack/react-query';
import { historyRanges, type HistorySeconds } from '../../contract/usage-ranges.ts';
import type { StoredHistory } from '../../contract/usage.ts';
import type { ApiClient } from './client.ts';

/** An object whose usage is asked for. */
export interface MeasuredObject {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** What a Prometheus told. */
export interface StoredUsage extends StoredHistory {
  /** What was added up, of a cluster. */
  readonly of?: 'nodes' | 'namespaces';
}

/** A minute: an older chart of a long range is hardly another one. */
const longestInterval = 60_000;

/** How often the history of a range is asked for again while somebody looks, ms. */
const intervalOf = (seconds: HistorySeconds) =>
  Math.min(longestInterval, (historyRanges.find((one) => one.seconds === seconds)?.step ?? 60) * 1000);

/** Queries of the usage that a cluster's Prometheus keeps. */
export const usageQueriesOf = (api: ApiClient) => ({
  /**
   * @param object of whose usage; all that the person sees of the cluster without one
   * @param withExcluded of a cluster: with the namespaces that the person leaves out of their views
   */
  storedUsage: (
    clusterId: number,
    object: MeasuredObject | undefined,
    seconds: HistorySeconds,
    withExcluded = false,
  ) =>
    queryOptions({
      queryKey: ['stored-usage', clusterId, object, seconds, withExcluded],
      staleTime: 10_000,
      refetchInterval: intervalOf(seconds),
      // The chart of the former range stays until the next one is there; that of another object does not.
      placeholderData: (before: StoredUsage | undefined, query) =>
        JSON.stringify(query?.queryKey.slice(0, 3)) === JSON.stringify(['stored-usage', clusterId, object])
          ? before
          : undefined,
      queryFn: ({ signal }): Promise<StoredUsage> => {
        const range = { seconds: String(seconds) as `${HistorySeconds}` };
        return object === undefined
          ? api.clusterUsageHistory(
              {
                params: { clusterId },
                query: { ...range, ...(withExcluded ? { excluded: 'shown' as const } : {}) },
              },
              { signal },
            )
          : api.objectUsageHistory(
              {
                params: { clusterId, kind: object.kind },
                query: { namespace: object.namespace, name: object.name, ...range },
              },
              { signal },
            );
      },
    }),
});
