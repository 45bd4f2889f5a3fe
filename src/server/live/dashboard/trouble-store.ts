import { and, eq, or, sql } from 'drizzle-orm';
import { troubles } from '../../store/schema/troubles.ts';
import type { Store } from '../../store/store.ts';
import type { RememberedTrouble, TroubleStore } from './trouble-memory.ts';

/** Troubles in one statement. */
const batch = 500;

type Row = typeof troubles.$inferSelect;

const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
const seconds = (time: string) => Math.floor(Date.parse(time) / 1000);

const readRow = ({ uid, rule, kind, since, isSinceLatest, extent, worseAt }: Row): RememberedTrouble => ({
  uid,
  rule,
  kind,
  since: seconds(since),
  isSinceLatest,
  extent,
  worseAt: worseAt === null ? null : seconds(worseAt),
});

function* batchesOf<T>(items: readonly T[]): Iterable<readonly T[]> {
  for (let at = 0; at < items.length; at += batch) yield items.slice(at, at + batch);
}

/** The troubles of one cluster in the database. Servers that see the same trouble agree on its earliest start. */
export function createTroubleStore({ db }: Pick<Store, 'db'>, clusterId: number): TroubleStore {
  return {
    read: async () =>
      (await db.select().from(troubles).where(eq(troubles.clusterId, clusterId))).map(readRow),

    async keep(kept) {
      const stored: RememberedTrouble[] = [];
      for (const some of batchesOf(kept)) {
        const values = some.map(({ since, worseAt, ...rest }) => ({
          clusterId,
          ...rest,
          since: iso(since),
          worseAt: worseAt === null ? null : iso(worseAt),
        }));
        const rows = await db
          .insert(troubles)
          .values(values)
          .onConflictDoUpdate({
            target: [troubles.clusterId, troubles.uid, troubles.rule],
            set: {
              since: sql`least(${troubles.since}, excluded.since)`,
              isSinceLatest: sql`case when excluded.since < ${troubles.since} then excluded.is_since_latest
                when excluded.since = ${troubles.since} then excluded.is_since_latest and ${troubles.isSinceLatest}
                else ${troubles.isSinceLatest} end`,
              extent: sql`greatest(${troubles.extent}, excluded.extent)`,
              // The server that saw it first tells when.
              worseAt: sql`case when excluded.extent > ${troubles.extent} then excluded.worse_at else ${troubles.worseAt} end`,
            },
          })
          .returning();
        stored.push(...rows.map(readRow));
      }
      return stored;
    },

    async forget(gone) {
      for (const some of batchesOf(gone)) {
        const each = some.map(({ uid, rule }) => and(eq(troubles.uid, uid), eq(troubles.rule, rule)));
        await db.delete(troubles).where(and(eq(troubles.clusterId, clusterId), or(...each)));
      }
    },
  };
}
