import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { AlertSettings } from '../../contract/alerts.ts';
import { type KeyOverride, keyOverrideSchema } from '../../contract/keymap.ts';
import { type ChangeGuard, changeGuards } from '../../contract/preferences.ts';
import { describeError } from '../kit/describe-error.ts';
import { alertsOf } from '../notifications/alert-settings.ts';
import { preferences } from '../store/schema/profile.ts';
import type { Store } from '../store/store.ts';

/** Preferences of people, the same in every browser and company. */
export class PersonalPreferences {
  readonly #store: Pick<Store, 'db' | 'channel'>;

  constructor(store: Pick<Store, 'db' | 'channel'>) {
    this.#store = store;
  }

  /** How a change by a single key is guarded. An unknown value, stored by another version, counts as the default. */
  async changes(userId: number): Promise<ChangeGuard> {
    const row = await this.#read(userId);
    return changeGuards.find((one) => one === row?.changes) ?? 'confirm';
  }

  /** The own keys; none where another version stored what this one cannot read, which is logged. */
  async keymap(
    userId: number,
    log: { error(details: object, message: string): void },
  ): Promise<KeyOverride[]> {
    const row = await this.#read(userId);
    const stored = z.array(keyOverrideSchema).safeParse(row?.keymap ?? []);
    if (!stored.success) log.error({ err: describeError(stored.error) }, 'A stored keymap cannot be read');
    return stored.data ?? [];
  }

  /** How the person is alerted: in the bell alone, before they chose anything. */
  async alerts(userId: number): Promise<AlertSettings> {
    return alertsOf((await this.#read(userId))?.alerts);
  }

  /** Saves some of a person's preferences and leaves the others as they are. */
  async save(
    userId: number,
    changed:
      | { readonly changes: ChangeGuard }
      | { readonly keymap: readonly KeyOverride[] }
      | { readonly alerts: AlertSettings },
  ): Promise<void> {
    const { db, channel } = this.#store;
    const values = { ...changed, updatedAt: sql`now()` };
    await db
      .insert(preferences)
      .values({ userId, ...values })
      .onConflictDoUpdate({ target: preferences.userId, set: values });
    await channel.notify('preferences', { userId });
  }

  async #read(userId: number): Promise<typeof preferences.$inferSelect | undefined> {
    const [row] = await this.#store.db.select().from(preferences).where(eq(preferences.userId, userId));
    return row;
  }
}
