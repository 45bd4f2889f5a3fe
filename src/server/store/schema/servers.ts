import { sql } from 'drizzle-orm';
import { bigint, check, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { clusters } from './clusters.ts';
import { now, time } from './columns.ts';

/** The servers of the installation that live: each gives a sign of life every few seconds. */
export const servers = pgTable('servers', {
  id: text('id').primaryKey(),
  seenAt: time('seen_at').notNull().default(now),
  /** When it gave its first sign of life, or the first one after it counted as gone. */
  since: time('since').notNull().default(now),
  /** Names of the keys that it knows, in the order of its ring; null while it has not said so, as earlier versions never do. */
  keys: text('keys').array(),
  /** The name of the key that it seals with; null like `keys`. */
  sealing: text('sealing'),
});

/** The server that reads a cluster for all of them. */
export const clusterReaders = pgTable('cluster_readers', {
  clusterId: integer('cluster_id')
    .primaryKey()
    .references(() => clusters.id, { onDelete: 'cascade' }),
  /** Null where the last one gave it up. */
  server: text('server'),
  /** Where other servers reach it, `host:port`. */
  address: text('address').notNull(),
  /** Grows with each other server: what one with an earlier number says is not taken any more. */
  fence: bigint('fence', { mode: 'number' }).notNull().default(1),
});

/** One row: how long any server could give a sign of life. See `src/server/store/signs-of-life.ts`. */
export const signsOfLife = pgTable(
  'signs_of_life',
  {
    id: smallint('id').primaryKey().default(1),
    /** Since when they have come without a gap. */
    since: time('since').notNull().default(now),
    lastAt: time('last_at').notNull().default(now),
  },
  () => [check('signs_of_life_one_row', sql`id = 1`)],
);
