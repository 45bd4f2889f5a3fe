import { and, count, eq, ne } from 'drizzle-orm';
import { filtersLimit, type SavedFilter } from '../../contract/filters.ts';
import { Problem } from '../../contract/problem.ts';
import type { Member } from '../access/person.ts';
import { byName } from '../organisation/by-name.ts';
import { savedFilters } from '../store/schema/profile.ts';
import type { Store } from '../store/store.ts';

const own = (person: Member) =>
  and(eq(savedFilters.userId, person.id), eq(savedFilters.companyId, person.companyId));

/** The saved filters of people, each person's own in the company of their session. */
export class SavedFilters {
  readonly #store: Pick<Store, 'db' | 'channel'>;

  constructor(store: Pick<Store, 'db' | 'channel'>) {
    this.#store = store;
  }

  /** A person's filters by name. */
  async list(person: Member): Promise<SavedFilter[]> {
    return await this.#store.db
      .select({ name: savedFilters.name, place: savedFilters.place })
      .from(savedFilters)
      .where(own(person))
      .orderBy(byName(savedFilters.name));
  }

  /** Saves a filter in place of the one of that name. Throws Problem 409 for one more than `filtersLimit`. */
  async save(person: Member, { name, place }: SavedFilter): Promise<void> {
    const { db, channel } = this.#store;
    const [kept] = await db
      .select({ others: count() })
      .from(savedFilters)
      .where(and(own(person), ne(savedFilters.name, name)));
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
  }

  /** Deletes the filter of a name. Throws Problem 404. */
  async delete(person: Member, name: string): Promise<void> {
    const { db, channel } = this.#store;
    const gone = await db
      .delete(savedFilters)
      .where(and(own(person), eq(savedFilters.name, name)))
      .returning({ name: savedFilters.name });
    if (gone.length === 0)
      throw new Problem({ status: 404, title: `There is no saved filter “${name}” any more.` });
    await channel.notify('preferences', { userId: person.id });
  }
}
