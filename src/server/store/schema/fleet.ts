import { integer, jsonb, pgTable } from 'drizzle-orm/pg-core';
import { clusters } from './clusters.ts';
import { time } from './columns.ts';

/** How many objects a cluster has and how many of them fail, by kind and namespace, for views of all clusters. */
export const clusterTallies = pgTable('cluster_tallies', {
  clusterId: integer('cluster_id')
    .primaryKey()
    .references(() => clusters.id, { onDelete: 'cascade' }),
  /** By id of the kind and namespace, empty for kinds without: objects and failing ones. */
  tallies: jsonb('tallies').notNull().default({}),
  /** When they were true; null before that. */
  readAt: time('read_at'),
  /** When a server last began to count them. */
  countedAt: time('counted_at'),
});
