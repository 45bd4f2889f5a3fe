import { inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { clusterTallies } from '../store/schema/fleet.ts';
import type { Store } from '../store/store.ts';

/**
 * Objects and failing ones by namespace, empty for kinds without, of each kind by its id; null for a kind of which there are
 * too many to be counted.
 */
const talliesSchema = z.record(
  z.string(),
  z.nullable(z.record(z.string(), z.tuple([z.number(), z.number()]))),
);
export type StoredTallies = z.infer<typeof talliesSchema>;

/** A cluster's figures. */
export interface FleetRow {
  readonly tallies: StoredTallies;
  /** ISO; null before the first. */
  readonly readAt: string | null;
}

/** One cluster's figures are written at most this often, by all servers together, s. */
const writtenEvery = 5;
/** A cluster that nobody reads is counted at most this often, by all servers together, s. */
export const countedEvery = 60;

/** The figures of all clusters, which all servers share. */
export class TallyStore {
  readonly #store: Pick<Store, 'db'>;

  constructor(store: Pick<Store, 'db'>) {
    this.#store = store;
  }

  /** Those of some clusters, by id. Throws errors of the database. */
  async read(clusterIds: readonly number[]): Promise<ReadonlyMap<number, FleetRow>> {
    if (clusterIds.length === 0) return new Map();
    const rows = await this.#store.db
      .select()
      .from(clusterTallies)
      .where(inArray(clusterTallies.clusterId, [...clusterIds]));
    return new Map(
      rows.map(({ clusterId, tallies, readAt }) => [
        clusterId,
        { tallies: talliesSchema.catch({}).parse(tallies), readAt },
      ]),
    );
  }

  /**
   * Writes a cluster's figures unless some were written a moment ago; answers whether it did. Throws errors of the
   * database.
   */
  async write(clusterId: number, tallies: StoredTallies): Promise<boolean> {
    const { rowCount } = await this.#store.db.execute(sql`
      insert into cluster_tallies as t (cluster_id, tallies, read_at)
      select id, ${JSON.stringify(tallies)}::jsonb, now() from clusters where id = ${clusterId}
      on conflict (cluster_id) do update set tallies = excluded.tallies, read_at = excluded.read_at
        where t.read_at is null or t.read_at <= now() - make_interval(secs => ${writtenEvery})`);
    return (rowCount ?? 0) > 0;
  }

  /**
   * Writes what was counted since `claim` gave the cluster, unless figures of what is read came meanwhile, which are newer.
   * Throws errors of the database.
   */
  async writeCount(clusterId: number, tallies: StoredTallies): Promise<void> {
    await this.#store.db.execute(sql`
      update cluster_tallies set tallies = ${JSON.stringify(tallies)}::jsonb, read_at = now()
      where cluster_id = ${clusterId} and (read_at is null or read_at <= counted_at)`);
  }

  /**
   * Which of these clusters this server is to count now: those whose figures are old and that no server counted a moment
   * ago. Throws errors of the database.
   */
  async claim(clusterIds: readonly number[]): Promise<readonly number[]> {
    if (clusterIds.length === 0) return [];
    const { rows } = await this.#store.db.execute<{ id: number }>(sql`
      insert into cluster_tallies as t (cluster_id, counted_at)
      select id, now() from clusters where id = any(${sql.param([...clusterIds])}::int[])
      on conflict (cluster_id) do update set counted_at = now()
        where (t.counted_at is null or t.counted_at <= now() - make_interval(secs => ${countedEvery}))
          and (t.read_at is null or t.read_at <= now() - make_interval(secs => ${countedEvery}))
      returning cluster_id as id`);
    return rows.map(({ id }) => id);
  }
}
