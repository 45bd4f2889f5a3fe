import type { keymapEndpoints } from '../../contract/keymap.ts';
import type { Handlers } from '../http/handlers.ts';
import { PersonalPreferences } from '../profile/preferences.ts';
import type { RouteParts } from './parts.ts';

/** The own keys of a person. */
export function keymapHandlers({ store }: Pick<RouteParts, 'store'>): Handlers<typeof keymapEndpoints> {
  const preferences = new PersonalPreferences(store);
  return {
    keymap: async (_request, { person, log }) => ({ keymap: await preferences.keymap(person.id, log) }),

    saveKeymap: async ({ body: { keymap } }, { person, audit }) => {
      audit.subject({ lines: keymap.length });
      await preferences.save(person.id, { keymap });
      return { keymap };
    },
  };
}
