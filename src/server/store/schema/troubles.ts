import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { clusters } from './clusters.ts';
import { created, time } from './columns.ts';
import { companyId } from './companies.ts';
import { memberships } from './memberships.ts';

/**
 * Since when something is in trouble, where the cluster records no start of it, and how much was wrong at most. All
 * servers agree on it. Rows go when the trouble is over.
 */
export const troubles = pgTable(
  'troubles',
  {
    clusterId: integer('cluster_id')
      .notNull()
      .references(() => clusters.id, { onDelete: 'cascade' }),
    /** Of the workload of the objects in trouble, or of the object itself. */
    uid: text('uid').notNull(),
    /** The rule that tells of it, and after a space which of the problems that the rule reports. */
    rule: text('rule').notNull(),
    /** Id of the kind of the objects in trouble. */
    kind: text('kind').notNull(),
    since: time('since').notNull(),
    /** Whether it began then or earlier. */
    isSinceLatest: boolean('is_since_latest').notNull(),
    /** How much was wrong at most, such as the number of pods. */
    extent: integer('extent').notNull(),
    /** When its extent last grew, or it took the place of another cause by its rule. */
    worseAt: time('worse_at'),
  },
  (table) => [primaryKey({ columns: [table.clusterId, table.uid, table.rule] })],
);

/**
 * Troubles that people acknowledged for themselves: they are folded until then, unless they get worse. Each is one
 * person's, and goes with their membership.
 */
export const acknowledgements = pgTable(
  'acknowledgements',
  {
    id: uuid('id').primaryKey(),
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    clusterId: integer('cluster_id').notNull(),
    /** The object in trouble: id of its kind, namespace (empty without one) and name. */
    kind: text('kind').notNull(),
    namespace: text('namespace').notNull(),
    name: text('name').notNull(),
    /** The causes that were there, with their extent, as the contract has them. */
    causes: jsonb('causes').notNull(),
    until: time('until').notNull(),
    createdAt: created(),
  },
  (table) => [
    uniqueIndex('acknowledgements_once').on(
      table.userId,
      table.companyId,
      table.clusterId,
      table.kind,
      table.namespace,
      table.name,
    ),
    index('acknowledgements_cluster').on(table.clusterId),
    foreignKey({
      name: 'acknowledgements_membership',
      columns: [table.userId, table.companyId],
      foreignColumns: [memberships.userId, memberships.companyId],
    }).onDelete('cascade'),
    foreignKey({
      name: 'acknowledgements_cluster_of_company',
      columns: [table.clusterId, table.companyId],
      foreignColumns: [clusters.id, clusters.companyId],
    }).onDelete('cascade'),
  ],
);
