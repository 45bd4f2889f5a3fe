import { and, eq, sql } from 'drizzle-orm';
import type { UserSettings } from '../../contract/user-settings.ts';
import { userClusterSettings } from '../store/schema/clusters.ts';
import type { Store } from '../store/store.ts';

/** A person's settings of a cluster, without their webhooks, which are rows of their own. */
export type StoredUserSettings = Omit<UserSettings, 'webhooks'>;

/** Whose settings of which cluster. The person was authorised for the cluster. */
export interface SettingsOwner {
  readonly userId: number;
  readonly companyId: number;
  readonly clusterId: number;
}

/** How a person looks at a cluster; the defaults where they never said. */
export async function readUserSettings(
  { db }: Pick<Store, 'db'>,
  { userId, clusterId }: SettingsOwner,
): Promise<StoredUserSettings> {
  const [row] = await db
    .select({ excludedNamespaces: userClusterSettings.excludedNamespaces })
    .from(userClusterSettings)
    .where(and(eq(userClusterSettings.userId, userId), eq(userClusterSettings.clusterId, clusterId)));
  return row ?? { excludedNamespaces: [] };
}

/** Stores how a person looks at a cluster and tells every replica, whose pages follow. */
export async function saveUserSettings(
  { db, channel }: Pick<Store, 'db' | 'channel'>,
  { userId, companyId, clusterId }: SettingsOwner,
  { excludedNamespaces }: StoredUserSettings,
): Promise<StoredUserSettings> {
  const values = { excludedNamespaces: [...new Set(excludedNamespaces)].sort() };
  await db
    .insert(userClusterSettings)
    .values({ userId, companyId, clusterId, ...values })
    .onConflictDoUpdate({
      target: [userClusterSettings.userId, userClusterSettings.clusterId],
      set: { ...values, updatedAt: sql`now()` },
    });
  await channel.notify('userSettings', { userId, clusterId });
  return values;
}
