import { eq, sql } from 'drizzle-orm';
import { changeGuards, type preferencesEndpoints } from '../../contract/preferences.ts';
import type { Handlers } from '../http/handlers.ts';
import { preferences } from '../store/schema/profile.ts';
import type { RouteParts } from './parts.ts';

/** How a person likes to work. */
export function preferencesHandlers({
  store,
}: Pick<RouteParts, 'store'>): Handlers<typeof preferencesEndpoints> {
  return {
    preferences: async (_request, { person }) => {
      const [row] = await store.db
        .select({ changes: preferences.changes })
        .from(preferences)
        .where(eq(preferences.userId, person.id));
      // An unknown value, stored by another version, counts as the careful default.
      return { changes: changeGuards.find((one) => one === row?.changes) ?? 'confirm' };
    },

    savePreferences: async ({ body: { changes } }, { person, audit }) => {
      audit.subject({ changes });
      const values = { changes, updatedAt: sql`now()` };
      await store.db
        .insert(preferences)
        .values({ userId: person.id, ...values })
        .onConflictDoUpdate({ target: preferences.userId, set: values });
      await store.channel.notify('preferences', { userId: person.id });
      return { changes };
    },
  };
}
