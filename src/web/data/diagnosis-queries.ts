import { queryOptions } from '@tanstack/react-query';
import type { ObjectRef } from '../../registry/commands/invocation.ts';
import type { ApiClient } from './client.ts';

/** Queries of what rules find. */
export const diagnosisQueriesOf = (api: ApiClient) => ({
  /** Why an object is in trouble. @param mark of its trouble: another one is asked about anew */
  diagnosis: ({ cluster, kind, namespace, name }: ObjectRef, mark: string) =>
    queryOptions({
      queryKey: ['diagnosis', cluster, kind, namespace, name, mark],
      staleTime: 10_000,
      retry: false,
      queryFn: ({ signal }) =>
        api.diagnoseObject(
          {
            params: { clusterId: Number(cluster), kind, name },
            query: namespace === undefined ? {} : { namespace },
          },
          { signal },
        ),
    }),
});
