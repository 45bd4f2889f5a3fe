import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { useData } from '../../data/port.ts';
import { baseOf, type EditBase } from './base.ts';

/** An object as it is edited, read again whenever the live one has another version. */
export function useSource(self: ObjectRef, liveVersion: string | undefined) {
  const { api } = useData();
  const queryClient = useQueryClient();
  const key = useMemo(() => ['edit-source', self], [self]);
  const source = useQuery({
    queryKey: key,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
    queryFn: async ({ signal }): Promise<EditBase> => {
      const { resourceVersion, object } = await api.editSource(
        {
          params: { clusterId: Number(self.cluster), kind: self.kind, name: self.name },
          query: self.namespace === undefined ? {} : { namespace: self.namespace },
        },
        { signal },
      );
      return baseOf(resourceVersion, object);
    },
  });
  const known = source.data?.resourceVersion;
  useEffect(() => {
    if (liveVersion === undefined || known === undefined || liveVersion === known) return;
    void queryClient.invalidateQueries({ queryKey: key });
  }, [queryClient, key, liveVersion, known]);
  return source;
}
