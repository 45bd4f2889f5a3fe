import { sql } from 'drizzle-orm';
import { boolean, foreignKey, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { clusters } from './clusters.ts';
import { users } from './accounts.ts';
import { created, time } from './columns.ts';
import { companies, companyId } from './companies.ts';
import { memberships } from './memberships.ts';
import { happenings } from './webhooks.ts';

/**
 * What people follow: a cluster, a namespace of it, or one object. Each is one person's, and goes with their membership.
 */
export const follows = pgTable(
  'follows',
  {
    id: uuid('id').primaryKey(),
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    clusterId: integer('cluster_id').notNull(),
    /** The kind of the object; empty for a cluster or a namespace as a whole. */
    kind: text('kind').notNull().default(''),
    /** Empty for a cluster as a whole, and for objects without a namespace. */
    namespace: text('namespace').notNull().default(''),
    /** The name of the object; empty for a cluster or a namespace as a whole. */
    name: text('name').notNull().default(''),
    /** Whether it ends with the news that the object is ready. */
    isUntilReady: boolean('is_until_ready').notNull().default(false),
    createdAt: created(),
  },
  (table) => [
    uniqueIndex('follows_once').on(
      table.userId,
      table.companyId,
      table.clusterId,
      table.kind,
      table.namespace,
      table.name,
      // Whoever follows something for good may wait for it besides.
      table.isUntilReady,
    ),
    index('follows_cluster').on(table.clusterId),
    foreignKey({
      name: 'follows_membership',
      columns: [table.userId, table.companyId],
      foreignColumns: [memberships.userId, memberships.companyId],
    }).onDelete('cascade'),
    foreignKey({
      name: 'follows_cluster_of_company',
      columns: [table.clusterId, table.companyId],
      foreignColumns: [clusters.id, clusters.companyId],
    }).onDelete('cascade'),
  ],
);

/** Clusters and namespaces whose new trouble alerts people. Each is one person's, and goes with their membership. */
export const alerts = pgTable(
  'alerts',
  {
    id: uuid('id').primaryKey(),
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    clusterId: integer('cluster_id').notNull(),
    /** Empty for a cluster as a whole. */
    namespace: text('namespace').notNull().default(''),
    /** Types of events that it is about, their ends included. */
    events: text('events').array().notNull(),
    createdAt: created(),
  },
  (table) => [
    uniqueIndex('alerts_once').on(table.userId, table.companyId, table.clusterId, table.namespace),
    index('alerts_cluster').on(table.clusterId),
    foreignKey({
      name: 'alerts_membership',
      columns: [table.userId, table.companyId],
      foreignColumns: [memberships.userId, memberships.companyId],
    }).onDelete('cascade'),
    foreignKey({
      name: 'alerts_cluster_of_company',
      columns: [table.clusterId, table.companyId],
      foreignColumns: [clusters.id, clusters.companyId],
    }).onDelete('cascade'),
  ],
);

/** What people are told in the console. What it tells is the happening's, and goes with it. */
export const notifications = pgTable(
  'notifications',
  {
    id: uuid('id').primaryKey(),
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    happeningId: uuid('happening_id')
      .notNull()
      .references(() => happenings.id, { onDelete: 'cascade' }),
    /** Null while it is unread. */
    readAt: time('read_at'),
    /** The bell alone shows it: it came in quiet hours, or beyond what an hour may have. */
    isQuiet: boolean('is_quiet').notNull().default(false),
    /** When it is mailed; null where it is not, or was. */
    mailAt: time('mail_at'),
    createdAt: created(),
  },
  (table) => [
    uniqueIndex('notifications_once').on(table.userId, table.happeningId),
    index('notifications_person').on(table.userId, table.companyId, table.createdAt),
    index('notifications_happening').on(table.happeningId),
    index('notifications_mail').on(table.mailAt).where(sql`mail_at is not null`),
    foreignKey({
      name: 'notifications_membership',
      columns: [table.userId, table.companyId],
      foreignColumns: [memberships.userId, memberships.companyId],
    }).onDelete('cascade'),
  ],
);

/** Notices of accounts, shown in the bell. */
export const accountNotices = pgTable(
  'account_notices',
  {
    id: uuid('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** A personal event of the contract. */
    type: text('type').notNull().default('account.changed'),
    /** A sentence without a full stop. */
    title: text('title').notNull(),
    /** The company that it is about; null for one of the account itself. */
    companyId: integer('company_id').references(() => companies.id, { onDelete: 'cascade' }),
    /** Null while it is unread. */
    readAt: time('read_at'),
    createdAt: created(),
  },
  (table) => [index('account_notices_person').on(table.userId, table.createdAt)],
);
