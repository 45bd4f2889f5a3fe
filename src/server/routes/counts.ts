import type { countEndpoints } from '../../contract/counts.ts';
import type { Handlers } from '../http/handlers.ts';
import { countsFor, SidebarCounts } from '../objects/sidebar-counts.ts';
import type { RouteParts } from './parts.ts';

/** Counts for the sidebar. */
export function countHandlers({
  clusters,
  grants,
  clock,
}: Pick<RouteParts, 'clusters' | 'grants' | 'clock'>): Handlers<typeof countEndpoints> {
  const sidebar = new SidebarCounts((clusterId) => clusters.namespaces(clusterId), clock);
  return {
    async counts({ query: { namespace } }, { person, cluster }) {
      const transport = await clusters.transport(cluster.id);
      const { held: before, excluded } = await grants.access(person, cluster.id);
      const counted = await sidebar.read(transport, { reached: before.namespaces, excluded, namespace });
      // Counting takes a while, in which permissions may be withdrawn.
      const held = await grants.held(person, cluster.id);
      const { message } = counted;
      return { counts: countsFor(held, excluded, counted), ...(message === undefined ? {} : { message }) };
    },
  };
}
