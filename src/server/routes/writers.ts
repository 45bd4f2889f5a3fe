import type { writerEndpoints } from '../../contract/writers.ts';
import { requireView, withKinds } from '../actions/named-objects.ts';
import type { Handlers } from '../http/handlers.ts';
import { objectWriters } from '../diagnosis/object-writers.ts';
import type { RouteParts } from './parts.ts';

/** The next writers of objects. The person has to view the objects; everything else is named only where they may view it. */
export function writerHandlers({
  clusters,
  grants,
  kinds,
  clock,
}: Pick<RouteParts, 'clusters' | 'grants' | 'kinds' | 'clock'>): Handlers<typeof writerEndpoints> {
  return {
    async objectWriters({ params, body }, { person, cluster, signal }) {
      const reach = await grants.access(person, params.clusterId);
      const named = await withKinds(kinds, cluster, body.refs);
      requireView(reach, named);
      const transport = await clusters.transport(params.clusterId);
      return await objectWriters({ reach, transport, kinds, clock, signal }, named, body);
    },
  };
}
