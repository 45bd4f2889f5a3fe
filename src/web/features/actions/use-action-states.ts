import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ApiClient } from '../../data/client.ts';
import { useData } from '../../data/port.ts';
import { plainRef, type Refs } from './acting.ts';

const statesQuery = (api: ApiClient, refs: Refs | undefined) =>
  queryOptions({
    queryKey: ['actions', refs],
    gcTime: 0,
    retry: false,
    enabled: refs !== undefined,
    queryFn: ({ signal }) => {
      const clusterId = Number(refs?.[0].cluster ?? 0);
      const body = { refs: (refs ?? []).map(plainRef) };
      return api.availableActions({ params: { clusterId }, body }, { signal });
    },
  });

/**
 * Which actions the person may do on some objects, and what keeps one from being done now. Asked anew each time; not
 * at all without objects.
 */
export function useActionStates(refs: Refs | undefined) {
  const { api } = useData();
  return useQuery({ ...statesQuery(api, refs), select: ({ actions }) => actions });
}

/** Ids of the actions on these objects that the person lacks the permission for; undefined until it is known. */
export function useRefusedActions(refs: Refs | undefined): readonly string[] | undefined {
  const { api } = useData();
  return useQuery({ ...statesQuery(api, refs), select: ({ refused }) => refused }).data;
}
