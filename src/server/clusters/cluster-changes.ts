import { and, eq, sql } from 'drizzle-orm';
import type { GlobalSettingsChange } from '../../contract/cluster-settings.ts';
import { noSuchCluster } from '../access/grants.ts';
import { type ClusterRow, clusters } from '../store/schema/clusters.ts';
import type { Channel, Database, Transaction } from '../store/store.ts';

/** A cluster as a person of its company names it. */
export interface OwnCluster {
  readonly companyId: number;
  readonly clusterId: number;
}

/** The store of the changes, and the channel by which every replica hears of them. */
export interface ChangeParts {
  readonly db: Database;
  readonly channel: Channel;
}

const isOwn = ({ companyId, clusterId }: OwnCluster) =>
  and(eq(clusters.id, clusterId), eq(clusters.companyId, companyId));

/** Notifies every replica that a cluster changed, when the transaction is committed. */
export async function notifyChange(
  channel: Channel,
  tx: Transaction,
  { companyId, id: clusterId }: Pick<ClusterRow, 'id' | 'companyId'>,
): Promise<void> {
  await channel.notify('clusters', { companyId, clusterId }, tx);
}

/** As `notifyChange`, for a cluster that was added or removed: the grants of its company change with it. */
export async function notifyGrantsChange(
  channel: Channel,
  tx: Transaction,
  row: Pick<ClusterRow, 'id' | 'companyId'>,
): Promise<void> {
  await notifyChange(channel, tx, row);
  await channel.notify('grants', { companyId: row.companyId }, tx);
}

/** A cluster by its id; undefined when there is none. */
export async function readCluster(db: Database, clusterId: number): Promise<ClusterRow | undefined> {
  const [row] = await db.select().from(clusters).where(eq(clusters.id, clusterId));
  return row;
}

/** A cluster by its id. Throws Problem 404. */
export async function findCluster(db: Database, clusterId: number): Promise<ClusterRow> {
  const row = await readCluster(db, clusterId);
  if (row === undefined) throw noSuchCluster();
  return row;
}

/** A cluster of a company. Throws Problem 404. */
export async function findOwnCluster(db: Database, own: OwnCluster): Promise<ClusterRow> {
  const [row] = await db.select().from(clusters).where(isOwn(own));
  if (row === undefined) throw noSuchCluster();
  return row;
}

/** Replaces the sealed credential of a cluster. Throws Problem 404. */
export async function updateCredential(
  { db, channel }: ChangeParts,
  own: OwnCluster,
  values: Pick<ClusterRow, 'kubeconfig' | 'server' | 'credentialExpiresAt'>,
): Promise<ClusterRow> {
  return await db.transaction(async (tx) => {
    const [row] = await tx
      .update(clusters)
      .set({ ...values, credentialVersion: sql`${clusters.credentialVersion} + 1` })
      .where(isOwn(own))
      .returning();
    if (row === undefined) throw noSuchCluster();
    await notifyChange(channel, tx, row);
    return row;
  });
}

/** Changes the settings of a cluster that hold for everybody. Throws Problem 404. */
export async function updateSettings(
  { db, channel }: ChangeParts,
  own: OwnCluster,
  { isProtected, isReadOnly, isShellAllowed, isShellRecorded, namespaces }: GlobalSettingsChange,
): Promise<ClusterRow> {
  return await db.transaction(async (tx) => {
    const [row] = await tx
      .update(clusters)
      .set({
        isProtected,
        isReadOnly,
        isShellAllowed,
        ...(isShellRecorded === undefined ? {} : { isShellRecorded }),
        ...(namespaces === undefined ? {} : { namespaces: [...new Set(namespaces)] }),
      })
      .where(isOwn(own))
      .returning();
    if (row === undefined) throw noSuchCluster();
    await notifyChange(channel, tx, row);
    return row;
  });
}

/** Deletes a cluster. Throws Problem 404. */
export async function deleteCluster({ db, channel }: ChangeParts, own: OwnCluster): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx
      .delete(clusters)
      .where(isOwn(own))
      .returning({ id: clusters.id, companyId: clusters.companyId });
    if (row === undefined) throw noSuchCluster();
    await notifyGrantsChange(channel, tx, row);
  });
}
