import { type Query, queryOptions } from '@tanstack/react-query';
import type { FleetFigures } from '../../contract/fleet.ts';
import type { ApiClient } from './client.ts';

/** How often figures of all clusters are asked for again while somebody looks (ms). */
const fleetInterval = 10_000;
/** The same while some clusters are being counted for the first time (ms), for as many answers. */
const uncountedInterval = 3_000;
const uncountedAnswers = 20;

/** Key and fetcher of how all clusters do, by figures that open no watch. Beside the other queries, which every page loads. */
export const fleetQuery = (api: Pick<ApiClient, 'fleet'>) =>
  queryOptions({
    queryKey: ['fleet'],
    queryFn: async ({ signal }) => (await api.fleet({}, { signal })).clusters,
    staleTime: 2_000,
    refetchInterval: ({ state }: Query<FleetFigures[]>) =>
      state.dataUpdateCount < uncountedAnswers && state.data?.some(({ readAt }) => readAt === null) === true
        ? uncountedInterval
        : fleetInterval,
  });
