import { infiniteQueryOptions } from '@tanstack/react-query';
import { deliveriesPerPage } from '../../../contract/webhooks.ts';
import type { ApiClient } from '../../data/client.ts';

/** What was sent to a person's webhook, page by page. It comes with its dialog: no other page asks. */
export const deliveriesQuery = (
  api: ApiClient,
  params: { readonly clusterId: number; readonly webhookId: string },
) =>
  infiniteQueryOptions({
    queryKey: ['webhook-deliveries', params],
    initialPageParam: '',
    queryFn: ({ signal, pageParam }) =>
      api.webhookDeliveries({ params, query: pageParam === '' ? {} : { after: pageParam } }, { signal }),
    getNextPageParam: (page) => (page.length < deliveriesPerPage ? undefined : page.at(-1)?.id),
  });
