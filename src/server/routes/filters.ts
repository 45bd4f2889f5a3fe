import type { filterEndpoints } from '../../contract/filters.ts';
import type { Handlers } from '../http/handlers.ts';
import { SavedFilters } from '../profile/saved-filters.ts';
import type { RouteParts } from './parts.ts';

/** The saved filters of a person. */
export function filterHandlers({ store }: Pick<RouteParts, 'store'>): Handlers<typeof filterEndpoints> {
  const filters = new SavedFilters(store);
  return {
    filters: async (_request, { person }) => ({ filters: await filters.list(person) }),
    saveFilter: async ({ params: { name }, body: { place } }, { person }) => {
      await filters.save(person, { name, place });
    },
    deleteFilter: async ({ params: { name } }, { person }) => {
      await filters.delete(person, name);
    },
  };
}
