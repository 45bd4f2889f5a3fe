import type { customResourceEndpoints } from '../../contract/custom-resources.ts';
import { orgRoles } from '../../contract/permissions.ts';
import { ClusterProblem } from '../clusters/transport.ts';
import type { Handlers } from '../http/handlers.ts';
import { readAddOns } from '../objects/add-ons.ts';
import { CustomObjects } from '../objects/custom-objects.ts';
import { Definitions } from '../objects/definitions.ts';
import { discoverDefinitions } from '../objects/discovered.ts';
import type { RouteParts } from './parts.ts';

/** Custom resources and the definitions that make them. */
export function customResourceHandlers({
  clusters,
  clock,
}: Pick<RouteParts, 'clusters' | 'clock'>): Handlers<typeof customResourceEndpoints> {
  const definitions = new Definitions(clock);
  const objects = new CustomObjects(clusters);
  return {
    async definitions({ params }, { cluster, person }) {
      const transport = await clusters.transport(params.clusterId);
      const found = await definitions.of(transport, cluster.name).catch(async (error: unknown) => {
        const isDenied = error instanceof ClusterProblem && error.upstream.status === 403;
        // Without its definition nobody but an Owner may view a custom resource.
        if (!isDenied || person.orgRole !== orgRoles.Owner) throw error;
        return await discoverDefinitions(transport, await clusters.rules(params.clusterId));
      });
      // By code unit: names are lower-case ASCII, and every replica must agree.
      return found.toSorted((a, b) =>
        a.metadata.name < b.metadata.name ? -1 : a.metadata.name > b.metadata.name ? 1 : 0,
      );
    },
    addOns: ({ params }) => readAddOns(clusters, params.clusterId),
    customObjects: ({ query }, place) => objects.list(place, undefined, query),
    customObjectsIn: ({ params, query }, place) => objects.list(place, params.ns, query),
    customObject: ({ params }, place) => objects.one(place, { name: params.name }),
    customObjectIn: ({ params }, place) => objects.one(place, { namespace: params.ns, name: params.name }),
  };
}
