import { queryOptions } from '@tanstack/react-query';
import type { ApiClient } from './client.ts';

/** What a person's webhooks are asked. */
export function webhookQueries(api: ApiClient) {
  return {
    /** What was sent to a webhook of theirs. */
    webhookDeliveries: (params: { readonly clusterId: number; readonly webhookId: string }) =>
      queryOptions({
        queryKey: ['webhook-deliveries', params],
        queryFn: ({ signal }) => api.webhookDeliveries({ params }, { signal }),
      }),
  };
}
