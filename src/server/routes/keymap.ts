import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type keymapEndpoints, keyOverrideSchema } from '../../contract/keymap.ts';
import type { Handlers } from '../http/handlers.ts';
import { describeError } from '../kit/describe-error.ts';
import { preferences } from '../store/schema/profile.ts';
import type { RouteParts } from './parts.ts';

/** The own keys of a person. */
export function keymapHandlers({ store }: Pick<RouteParts, 'store'>): Handlers<typeof keymapEndpoints> {
  return {
    keymap: async (_request, { person, log }) => {
      const [row] = await store.db
        .select({ keymap: preferences.keymap })
        .from(preferences)
        .where(eq(preferences.userId, person.id));
      const stored = z.array(keyOverrideSchema).safeParse(row?.keymap ?? []);
      // Only another version can have stored something else: the defaults work, and saving replaces it.
      if (!stored.success) log.error({ err: describeError(stored.error) }, 'A stored keymap cannot be read');
      return { keymap: stored.data ?? [] };
    },

    saveKeymap: async ({ body }, { person, audit }) => {
      audit.subject({ lines: body.keymap.length });
      const values = { keymap: body.keymap, updatedAt: sql`now()` };
      await store.db
        .insert(preferences)
        .values({ userId: person.id, ...values })
        .onConflictDoUpdate({ target: preferences.userId, set: values });
      await store.channel.notify('preferences', { userId: person.id });
      return { keymap: body.keymap };
    },
  };
}
