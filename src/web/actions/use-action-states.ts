import { useQuery } from '@tanstack/react-query';
import { useApp } from '../app/context.ts';
import { plainRef, type Refs } from './acting.ts';

/** Which actions the person may do on some objects, and what keeps one from being done now. Asked anew each time. */
export function useActionStates(refs: Refs) {
  const { api } = useApp();
  return useQuery({
    queryKey: ['actions', refs],
    gcTime: 0,
    retry: false,
    queryFn: async ({ signal }) =>
      (
        await api.availableActions(
          { params: { clusterId: Number(refs[0].cluster) }, body: { refs: refs.map(plainRef) } },
          { signal },
        )
      ).actions,
  });
}
