import { queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '../../data/client.ts';

/** How the person is alerted. Asked again with their other preferences, whose key it begins with. */
export const alertsQuery = (api: ApiClient, userId: number) =>
  queryOptions({
    queryKey: ['preferences', userId, 'alerts'],
    queryFn: ({ signal }) => api.alertSettings({}, { signal }),
  });
