import { useQuery } from '@tanstack/react-query';
import { useData } from './port.ts';
import { subscriptionQueries } from './subscription-queries.ts';

/** The plan of the company, what it allows and what is used; not asked for where the console sells none. */
export function useCompanySubscription() {
  const { api, queries } = useData();
  const hasBilling = useQuery(queries.config).data?.hasBilling === true;
  return useQuery({ ...subscriptionQueries(api).subscription, enabled: hasBilling });
}
