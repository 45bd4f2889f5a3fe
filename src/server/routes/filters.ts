import { and, count, eq, sql } from 'drizzle-orm';
import { type filterEndpoints, filtersLimit } from '../../contract/filters.ts';
import { Problem } from '../../contract/problem.ts';
import type { Member } from '../access/person.ts';
import type { Handlers } from '../http/handlers.ts';
import { savedFilters } from '../store/schema/profile.ts';
import type { RouteParts } from './parts.ts';

/** The saved filters of a person. */
export function filterHandlers({ store }: Pick<RouteParts, 'store'>): Handlers<typeof filterEndpoints> {
  const { db, channel } = store;
  const own = (person: Member) =>
    and(eq(savedFilters.userId, person.id), eq(savedFilters.companyId, person.companyId));
  const called = (person: Member, name: string) => and(own(person), eq(savedFilters.name, name));

  return {
    filters: async (_request, { person }) => {
      const filters = await db
        .select({ name: savedFilters.name, place: savedFilters.place })
        .from(savedFilters)
        .where(own(person))
        .orderBy(sql`${savedFilters.name} collate "und-x-icu"`);
      return { filters };
    },

    saveFilter: async ({ params: { name }, body: { place } }, { person }) => {
      const [kept] = await db
        .select({ others: count() })
        .from(savedFilters)
        .where(and(own(person), sql`${savedFilters.name} <> ${name}`));
      if ((kept?.others ?? 0) >= filtersLimit) {
        throw new Problem({
          status: 409,
          title: `You have ${filtersLimit} filters, the maximum. Delete one first.`,
        });
      }
      await db
        .insert(savedFilters)
        .values({ userId: person.id, companyId: person.companyId, name, place })
        .onConflictDoUpdate({
          target: [savedFilters.userId, savedFilters.companyId, savedFilters.name],
          set: { place },
        });
      await channel.notify('preferences', { userId: person.id });
    },

    deleteFilter: async ({ params: { name } }, { person }) => {
      const gone = await db
        .delete(savedFilters)
        .where(called(person, name))
        .returning({ name: savedFilters.name });
      if (gone.length === 0)
        throw new Problem({ status: 404, title: `There is no saved filter “${name}” any more.` });
      await channel.notify('preferences', { userId: person.id });
    },
  };
}
