import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { time, id, now } from './columns.ts';
import { users } from './accounts.ts';
import { clusters } from './clusters.ts';
import { companyId } from './companies.ts';

/** Work that a server does step by step. A row outlives its job: others see it, and how it ended. */
export const jobs = pgTable(
  'jobs',
  {
    id: id(),
    companyId: companyId(),
    clusterId: integer('cluster_id')
      .notNull()
      .references(() => clusters.id, { onDelete: 'cascade' }),
    userId: integer('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** Who began it in words. */
    actor: text('actor').notNull(),
    /** Id of the action that began it. */
    action: text('action').notNull(),
    /** The object; the namespace is empty for cluster-scoped ones. */
    kind: text('kind').notNull(),
    namespace: text('namespace').notNull(),
    name: text('name').notNull(),
    /** The namespaces of what it works on; null where it is about the cluster itself, or not known. */
    namespaces: text('namespaces').array(),
    title: text('title').notNull(),
    /** A job status of the contract. */
    status: text('status').notNull().default('running'),
    message: text('message').notNull(),
    /** Steps of the contract. */
    steps: jsonb('steps').notNull().default([]),
    /** Who asked it to stop. */
    cancelledBy: text('cancelled_by'),
    /** The server that runs it, empty while it is handed over; `beatAt` is its last sign of life. */
    server: text('server').notNull(),
    /** By what another server goes on with it, a `Resumption` without secrets; null where it cannot. */
    resumption: jsonb('resumption'),
    /** Who began it, for the row of the audit that says how it ended, a `JobStarter`; null once that is written. */
    starter: jsonb('starter'),
    /** How often a server went on with it. */
    moves: integer('moves').notNull().default(0),
    /** Grows whenever a server takes it: a write of an execution before that one finds that it came too late. */
    epoch: integer('epoch').notNull().default(0),
    beatAt: time('beat_at').notNull().default(now),
    startedAt: time('started_at').notNull().default(now),
    finishedAt: time('finished_at'),
  },
  (table) => [
    index('jobs_cluster').on(table.clusterId, table.startedAt),
    // One at a time on each object, whichever server does it.
    uniqueIndex('jobs_running')
      .on(table.clusterId, table.kind, table.namespace, table.name)
      .where(sql`status = 'running'`),
  ],
);

export type JobRow = typeof jobs.$inferSelect;
