import { queryOptions } from '@tanstack/react-query';
import type { ApiClient } from './client.ts';

/** They are asked for again this often where the live socket tells of nothing, ms. */
const interval = 60_000;

/** What a person follows, what they were told of it, and which troubles they acknowledged. */
export function notificationQueries(api: ApiClient) {
  return {
    notifications: queryOptions({
      queryKey: ['notifications'],
      refetchInterval: interval,
      queryFn: ({ signal }) => api.notifications({}, { signal }),
    }),
    acknowledgements: queryOptions({
      queryKey: ['acknowledgements'],
      refetchInterval: interval,
      queryFn: ({ signal }) => api.acknowledgements({}, { signal }),
    }),
    follows: queryOptions({
      queryKey: ['follows'],
      queryFn: ({ signal }) => api.follows({}, { signal }),
    }),
  };
}
