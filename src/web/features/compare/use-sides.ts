import { useQuery } from '@tanstack/react-query';
import type { ObjectBody } from '../../../contract/objects.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { useData } from '../../data/port.ts';
import { useView } from '../../workspace/view.ts';

/** How often the other side is read again while somebody looks, ms. */
const interval = 15_000;

/** Both sides of a comparison, as far as they are read. */
export interface Sides {
  readonly left: ObjectBody | undefined;
  readonly right: ObjectBody | undefined;
}

/**
 * The sides of a comparison: the object is followed live, the other is read again and again. Two Secrets come with
 * marks that tell whether their values are the same.
 * @param isMasked whether their values are: then both sides are read and compared on the server
 * @param other undefined while nothing is chosen, or where it is no object of a cluster
 */
export function useSides(
  self: ObjectRef,
  object: ObjectBody,
  other: ObjectRef | undefined,
  isMasked: boolean,
) {
  const { api } = useData();
  const { isVisible } = useView();
  const read = useQuery({
    // Of a Secret both sides are read: again with each of its versions.
    queryKey: ['compared', self, other, isMasked ? object.metadata?.['resourceVersion'] : ''],
    enabled: other !== undefined,
    gcTime: 0,
    retry: 1,
    // Each comparison of Secrets is on record: they are read when somebody asks, and with each version of their own.
    refetchInterval: isVisible && !isMasked ? interval : false,
    refetchOnWindowFocus: !isMasked,
    refetchOnReconnect: !isMasked,
    queryFn: async ({ signal }): Promise<Sides> => {
      if (other === undefined) throw new Error('There is nothing to compare with.');
      const { cluster, kind, namespace, name } = other;
      if (isMasked) {
        return await api.compareSecrets(
          {
            params: { clusterId: Number(self.cluster), namespace: self.namespace ?? '', name: self.name },
            query: { otherCluster: Number(cluster), otherNamespace: namespace ?? '', otherName: name },
          },
          { signal },
        );
      }
      const right = await api.object(
        {
          params: { clusterId: Number(cluster), kind, name },
          query: namespace === undefined ? {} : { namespace },
        },
        { signal },
      );
      return { left: undefined, right };
    },
  });
  const { data } = read;
  return { read, left: data?.left ?? object, right: other === undefined ? undefined : data?.right };
}
