import { useQuery } from '@tanstack/react-query';
import { useData } from '../../data/port.ts';
import { plainRef, type Refs } from './acting.ts';

/**
 * Which actions the person may do on some objects, and what keeps one from being done now. Asked anew each time; not
 * at all without objects.
 */
export function useActionStates(refs: Refs | undefined) {
  const { api } = useData();
  return useQuery({
    queryKey: ['actions', refs],
    gcTime: 0,
    retry: false,
    enabled: refs !== undefined,
    queryFn: async ({ signal }) => {
      const clusterId = Number(refs?.[0].cluster ?? 0);
      const body = { refs: (refs ?? []).map(plainRef) };
      return (await api.availableActions({ params: { clusterId }, body }, { signal })).actions;
    },
  });
}
