import { and, eq, sql } from 'drizzle-orm';
import { clusterReaders } from '../store/schema/servers.ts';
import type { Store } from '../store/store.ts';

/** The server that reads a cluster, as the store has it. */
export type ReaderRow = typeof clusterReaders.$inferSelect;

/** Reads and writes which server reads which cluster. */
export class ReaderRows {
  readonly #db: Store['db'];

  constructor({ db }: Pick<Store, 'db'>) {
    this.#db = db;
  }

  async all(): Promise<readonly ReaderRow[]> {
    return await this.#db.select().from(clusterReaders);
  }

  /** Notes that this server reads a cluster from now on: with the next number, unless it did already. */
  async claim(clusterId: number, own: { readonly server: string; readonly address: string }): Promise<void> {
    const isAnother = sql`${clusterReaders.server} is distinct from excluded.server`;
    await this.#db
      .insert(clusterReaders)
      .values({ clusterId, ...own })
      .onConflictDoUpdate({
        target: clusterReaders.clusterId,
        set: { ...own, fence: sql`${clusterReaders.fence} + (case when ${isAnother} then 1 else 0 end)` },
      });
  }

  /** Notes that this server does not read a cluster any more, unless another one does already. */
  async giveUp(clusterId: number, server: string): Promise<void> {
    await this.#db
      .update(clusterReaders)
      .set({ server: null })
      .where(and(eq(clusterReaders.clusterId, clusterId), eq(clusterReaders.server, server)));
  }
}
