import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { ApiClient } from './client.ts';

/** The site that the checkout's script is told where the server cannot say which it is. */
const usualSite = 'wheelhouse';

/** Keys and fetchers of the subscription. No list waits for them: they are no part of `createQueries`. */
export function subscriptionQueries(api: ApiClient) {
  return {
    /** The plan of the company, what it allows and what is used. */
    subscription: queryOptions({
      queryKey: ['subscription'],
      staleTime: 5_000,
      queryFn: ({ signal }) => api.subscription({}, { signal }),
    }),
    /** The plans on offer. */
    plans: queryOptions({
      queryKey: ['plans'],
      staleTime: 60_000,
      retry: false,
      queryFn: ({ signal }) => api.plans({}, { signal }),
    }),
    /** The name of the site that the checkout's script is told. */
    checkoutSite: queryOptions({
      queryKey: ['checkout-site'],
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
      queryFn: async ({ signal }) => (await api.subscriptionConfig({}, { signal })).chargebeeSiteName,
    }),
    /** The next invoice and those before; for Owners. */
    invoices: queryOptions({
      queryKey: ['invoices'],
      retry: false,
      queryFn: ({ signal }) => api.invoices({}, { signal }),
    }),
  };
}

/** The site that the checkout's script is told. Where the server cannot say it, the usual one, and it is asked again. */
export async function readCheckoutSite(api: ApiClient, queryClient: QueryClient): Promise<string> {
  try {
    return await queryClient.fetchQuery(subscriptionQueries(api).checkoutSite);
  } catch {
    return usualSite;
  }
}
