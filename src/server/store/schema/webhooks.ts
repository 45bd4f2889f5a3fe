import { sql } from 'drizzle-orm';
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
import { bytea, created, now, time } from './columns.ts';
import { companyId } from './companies.ts';
import { memberships } from './memberships.ts';

/** Where people want to hear of what happens on a cluster. Each is one person's, and goes with their membership. */
export const webhooks = pgTable(
  'webhooks',
  {
    id: uuid('id').primaryKey(),
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    clusterId: integer('cluster_id').notNull(),
    /** The address, sealed: its path may be a secret, as with Slack. */
    url: bytea('url').notNull(),
    /** Scheme, host and port of the address: all of it that is ever shown. */
    origin: text('origin').notNull(),
    /** A format of the contract. */
    format: text('format').notNull(),
    /** Event types of the contract. */
    events: text('events').array().notNull(),
    /** What deliveries are signed with, sealed. */
    secret: bytea('secret').notNull(),
    /** The secret before, sealed: until `previous_until` deliveries bear its signature as well. */
    previousSecret: bytea('previous_secret'),
    previousUntil: time('previous_until'),
    /** The one before that, where it was changed twice within the time for which a secret before is good. */
    olderSecret: bytea('older_secret'),
    olderUntil: time('older_until'),
    createdAt: created(),
    disabledAt: time('disabled_at'),
    /** Why it is disabled, a sentence; null while it is not. */
    disabledReason: text('disabled_reason'),
  },
  (table) => [
    index('webhooks_cluster').on(table.clusterId),
    index('webhooks_person').on(table.userId, table.companyId),
    foreignKey({
      name: 'webhooks_membership',
      columns: [table.userId, table.companyId],
      foreignColumns: [memberships.userId, memberships.companyId],
    }).onDelete('cascade'),
    foreignKey({
      name: 'webhooks_cluster_of_company',
      columns: [table.clusterId, table.companyId],
      foreignColumns: [clusters.id, clusters.companyId],
    }).onDelete('cascade'),
  ],
);

/** What happened on clusters, each once whichever server saw it, for whoever wants to hear of it. */
export const happenings = pgTable(
  'happenings',
  {
    id: uuid('id').primaryKey(),
    /** What makes it one: a second one with this key is the same. */
    key: text('key').notNull(),
    companyId: companyId(),
    clusterId: integer('cluster_id')
      .notNull()
      .references(() => clusters.id, { onDelete: 'cascade' }),
    /** An event type of the contract. */
    type: text('type').notNull(),
    /** The permission that one needs to hear of it; empty where reaching the cluster is enough. */
    permission: text('permission').notNull(),
    /** The namespace that it is about; empty for the cluster. */
    namespace: text('namespace').notNull(),
    /** Names, states and paths, as deliveries have them. */
    data: jsonb('data').notNull(),
    /** The access request that it is about: whoever asked and whoever may decide hear of it; null for all else. */
    accessRequestId: integer('access_request_id'),
    at: time('at').notNull().default(now),
  },
  (table) => [uniqueIndex('happenings_key').on(table.key), index('happenings_at').on(table.at)],
);

/** What is in trouble on a cluster. */
export const incidents = pgTable(
  'incidents',
  {
    clusterId: integer('cluster_id')
      .notNull()
      .references(() => clusters.id, { onDelete: 'cascade' }),
    /** The object and the cause. */
    key: text('key').notNull(),
    /** What was told, as a happening has it. */
    data: jsonb('data').notNull(),
    /** Whether it was told, so that its recovery is as well: what was there before anybody wanted to hear is not. */
    isReported: boolean('is_reported').notNull().default(true),
    openedAt: time('opened_at').notNull().default(now),
  },
  (table) => [primaryKey({ columns: [table.clusterId, table.key] })],
);

/**
 * What every object of a kind came to last, as it was told or would have been: what is there when somebody begins to
 * want to hear of a kind is stored and not told. The row without a uid says since when a kind is followed.
 */
export const milestones = pgTable(
  'milestones',
  {
    clusterId: integer('cluster_id')
      .notNull()
      .references(() => clusters.id, { onDelete: 'cascade' }),
    /** Id of the kind. */
    kind: text('kind').notNull(),
    /** Of the object; empty for the kind itself. */
    uid: text('uid').notNull(),
    /** The event that told of it. */
    event: text('event').notNull(),
    /** What it came to: another text is another milestone. */
    mark: text('mark').notNull(),
    namespace: text('namespace').notNull(),
    name: text('name').notNull(),
    at: time('at').notNull().default(now),
  },
  (table) => [primaryKey({ columns: [table.clusterId, table.kind, table.uid] })],
);

/** Up to when the audit was read for what happened on a cluster: whoever reads on begins there. */
export const auditCursors = pgTable('audit_cursors', {
  clusterId: integer('cluster_id')
    .primaryKey()
    .references(() => clusters.id, { onDelete: 'cascade' }),
  readUntil: time('read_until').notNull(),
});

/** What was or will be sent to a webhook. The id is that of the message: every try bears it. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid('id').primaryKey(),
    webhookId: uuid('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    /** What it tells of; null for a test. */
    happeningId: uuid('happening_id').references(() => happenings.id, { onDelete: 'cascade' }),
    type: text('type').notNull(),
    /** The request's body, the same at every try. */
    body: text('body').notNull(),
    /** Of a summary: how many events of each type it stands for. */
    counts: jsonb('counts'),
    state: text('state', { enum: ['waiting', 'delivered', 'failed', 'dropped'] })
      .notNull()
      .default('waiting'),
    /** Tries in all. */
    tries: integer('tries').notNull().default(0),
    /** Tries since it was sent or sent anew, which decide on the wait. */
    step: integer('step').notNull().default(0),
    nextAt: time('next_at').notNull().default(now),
    /** The newest tries as the contract has them. */
    attempts: jsonb('attempts').notNull().default([]),
    createdAt: created(),
  },
  (table) => [
    uniqueIndex('webhook_deliveries_once').on(table.webhookId, table.happeningId),
    index('webhook_deliveries_log').on(table.webhookId, table.createdAt),
    index('webhook_deliveries_next').on(table.nextAt).where(sql`state = 'waiting'`),
  ],
);
