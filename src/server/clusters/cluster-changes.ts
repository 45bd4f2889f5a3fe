import { and, eq, ne, sql } from 'drizzle-orm';
import type { GlobalSettingsChange } from '../../contract/cluster-settings.ts';
import { noSuchCluster } from '../access/grants.ts';
import { lockCompany, nameTaken } from './cluster-rows.ts';
import type { StoredMetricsSource } from './metrics-source.ts';
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

/**
 * Ends what runs on a cluster, on whichever server, within the transaction that deletes it: its rows would go with the
 * cluster, and nothing would tell how it ended. Throws errors of the database.
 */
export type EndClusterWork = (
  tx: Transaction,
  cluster: Pick<ClusterRow, 'id' | 'companyId'>,
) => Promise<void>;

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

/**
 * Changes the settings of a cluster that hold for everybody; what the change lacks stays as it is. Throws Problem 404,
 * and 409 for a name that another cluster of the company has.
 */
export async function updateSettings(
  { db, channel }: ChangeParts,
  own: OwnCluster,
  {
    namespaces,
    excludedNamespaces,
    ...rules
  }: Omit<GlobalSettingsChange, 'metrics'> & Partial<StoredMetricsSource>,
): Promise<ClusterRow> {
  return await db.transaction(async (tx) => {
    if (rules.name !== undefined) await requireFreeName(tx, own, rules.name);
    const [row] = await tx
      .update(clusters)
      .set({
        ...rules,
        ...(namespaces === undefined ? {} : { namespaces: [...new Set(namespaces)] }),
        ...(excludedNamespaces === undefined
          ? {}
          : { excludedNamespaces: [...new Set(excludedNamespaces)].sort() }),
      })
      .where(isOwn(own))
      .returning();
    if (row === undefined) throw noSuchCluster();
    await notifyChange(channel, tx, row);
    return row;
  });
}

/** Throws Problem 409 where another cluster has the name; it stays free until the transaction ends. */
async function requireFreeName(tx: Transaction, own: OwnCluster, name: string): Promise<void> {
  await lockCompany(tx, own.companyId);
  const [other] = await tx
    .select({ id: clusters.id })
    .from(clusters)
    .where(
      and(eq(clusters.companyId, own.companyId), eq(clusters.name, name), ne(clusters.id, own.clusterId)),
    );
  if (other !== undefined) throw nameTaken(name);
}

/** Deletes a cluster, and ends first what runs on it. Throws Problem 404. */
export async function deleteCluster(
  { db, channel }: ChangeParts,
  own: OwnCluster,
  endWork: EndClusterWork,
): Promise<void> {
  await db.transaction(async (tx) => {
    // No job begins on it from here on: the row of a job refers to its cluster.
    const [row] = await tx
      .select({ id: clusters.id, companyId: clusters.companyId })
      .from(clusters)
      .where(isOwn(own))
      .for('update');
    if (row === undefined) throw noSuchCluster();
    await endWork(tx, row);
    await tx.delete(clusters).where(eq(clusters.id, row.id));
    await notifyGrantsChange(channel, tx, row);
  });
}
