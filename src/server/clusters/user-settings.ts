import { and, eq, sql } from 'drizzle-orm';
import { firstSorts } from '../../contract/clusters.ts';
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

const columns = {
  excludedNamespaces: userClusterSettings.excludedNamespaces,
  favouriteNamespaces: userClusterSettings.favouriteNamespaces,
  sort: userClusterSettings.sort,
  isWide: userClusterSettings.isWide,
};

/** How a person looks at a cluster; undefined where they never said. */
export async function findUserSettings(
  { db }: Pick<Store, 'db'>,
  { userId, clusterId }: Pick<SettingsOwner, 'userId' | 'clusterId'>,
): Promise<StoredUserSettings | undefined> {
  const [row] = await db
    .select(columns)
    .from(userClusterSettings)
    .where(and(eq(userClusterSettings.userId, userId), eq(userClusterSettings.clusterId, clusterId)));
  // An unknown order, stored by another version, counts as none.
  return row && { ...row, sort: firstSorts.find((one) => one === row.sort) ?? null };
}

/** How a person looks at a cluster; the defaults where they never said. */
export async function readUserSettings(
  store: Pick<Store, 'db'>,
  owner: SettingsOwner,
): Promise<StoredUserSettings> {
  const stored = await findUserSettings(store, owner);
  return stored ?? { excludedNamespaces: [], favouriteNamespaces: [], sort: null, isWide: false };
}

/** A change of a person's settings; what it lacks stays as it is. */
export type UserSettingsChange = {
  readonly [K in keyof StoredUserSettings]?: StoredUserSettings[K] | undefined;
};

/** Stores how a person looks at a cluster and tells every replica, whose pages follow. Answers all of it. */
export async function saveUserSettings(
  store: Pick<Store, 'db' | 'channel'>,
  owner: SettingsOwner,
  { excludedNamespaces, favouriteNamespaces, sort, isWide }: UserSettingsChange,
): Promise<StoredUserSettings> {
  const { userId, clusterId } = owner;
  const values = {
    ...(excludedNamespaces === undefined
      ? {}
      : { excludedNamespaces: [...new Set(excludedNamespaces)].sort() }),
    ...(favouriteNamespaces === undefined ? {} : { favouriteNamespaces: [...new Set(favouriteNamespaces)] }),
    ...(sort === undefined ? {} : { sort }),
    ...(isWide === undefined ? {} : { isWide }),
  };
  await store.db
    .insert(userClusterSettings)
    .values({ ...owner, ...values })
    .onConflictDoUpdate({
      target: [userClusterSettings.userId, userClusterSettings.clusterId],
      set: { ...values, updatedAt: sql`now()` },
    });
  await store.channel.notify('userSettings', { userId, clusterId });
  return await readUserSettings(store, owner);
}
