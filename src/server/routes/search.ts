import type { searchEndpoints } from '../../contract/search.ts';
import type { Handlers } from '../http/handlers.ts';
import { ReachedSearch } from '../search/reached.ts';
import type { RouteParts } from './parts.ts';

/** Objects by name, in what people reach by their current grants. */
export function searchHandlers({
  grants,
  hub,
  search: index,
}: Pick<RouteParts, 'grants' | 'hub' | 'search'>): Handlers<typeof searchEndpoints> {
  const search = new ReachedSearch(index, hub);
  return {
    async search({ query }, { person, signal }) {
      const reached = (await grants.reach(person)).filter(
        ({ cluster }) => query.cluster === undefined || cluster.id === query.cluster,
      );
      return await search.find(reached, query, signal);
    },
    goneObjects: async ({ body }, { person }) => search.gone(await grants.reach(person), body.objects),
    searchKinds: async (_request, { person, cluster }) =>
      search.customKinds({ cluster, held: await grants.held(person, cluster.id) }),
  };
}
