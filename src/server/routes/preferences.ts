import type { preferencesEndpoints } from '../../contract/preferences.ts';
import type { Handlers } from '../http/handlers.ts';
import { PersonalPreferences } from '../profile/preferences.ts';
import type { RouteParts } from './parts.ts';

/** How a person likes to work. */
export function preferencesHandlers({
  store,
}: Pick<RouteParts, 'store'>): Handlers<typeof preferencesEndpoints> {
  const preferences = new PersonalPreferences(store);
  return {
    preferences: async (_request, { person }) => ({ changes: await preferences.changes(person.id) }),

    savePreferences: async ({ body: { changes } }, { person, audit }) => {
      audit.subject({ changes });
      await preferences.save(person.id, { changes });
      return { changes };
    },
  };
}
