import { sql } from 'drizzle-orm';
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { bytea, time, id, created, now } from './columns.ts';
import { users } from './accounts.ts';
import { companyId } from './companies.ts';
import { memberships } from './memberships.ts';

export const clusters = pgTable(
  'clusters',
  {
    id: id(),
    companyId: companyId(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    /** kubeconfig, playground or operator. */
    source: text('source').notNull(),
    /** URL of the API server, without credentials. */
    server: text('server').notNull(),
    /** The chosen context, rewritten and sealed; null for playground and operator, whose credential lives outside. */
    kubeconfig: bytea('kubeconfig'),
    /** The operator's context name (source operator); which of the playground's clusters it is, null for the first. */
    context: text('context'),
    /** Goes up with each replaced credential. */
    credentialVersion: integer('credential_version').notNull().default(1),
    credentialExpiresAt: time('credential_expires_at'),
    colour: smallint('colour').notNull(),
    isProtected: boolean('is_protected').notNull().default(false),
    /** Whether each dangerous act on it takes a passkey at that moment. */
    isPasskeyRequired: boolean('is_passkey_required').notNull().default(false),
    isReadOnly: boolean('is_read_only').notNull().default(false),
    isShellAllowed: boolean('is_shell_allowed').notNull().default(true),
    isShellRecorded: boolean('is_shell_recorded').notNull().default(false),
    /** Namespaces to watch one by one where the credential may not list the whole cluster. */
    namespaces: text('namespaces').array().notNull().default(sql`'{}'`),
    /** Whether changes reach the cluster as the people who make them. */
    isImpersonating: boolean('is_impersonating').notNull().default(false),
    /** What the cluster is for, in the company's own words: production, staging … Empty without one. */
    environment: text('environment').notNull().default(''),
    /** Namespaces that everybody's views leave out. */
    excludedNamespaces: text('excluded_namespaces').array().notNull().default(sql`'{}'`),
    /** The Prometheus that usage is read from, as the contract has it; null where the cluster's metrics.k8s.io is. */
    metricsSource: jsonb('metrics_source'),
    /** What that Prometheus asks for, sealed; null where it asks for nothing. */
    metricsCredential: bytea('metrics_credential'),
    /** The address from before metrics sources had an allow list of their own: it goes on by that of clusters. */
    carriedOver: text('carried_over'),
    /** Who answers in its chat: the model and the rules, the rules alone, or nobody. */
    chatMode: text('chat_mode', { enum: ['model', 'rules', 'off'] })
      .notNull()
      .default('model'),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: created(),
  },
  (table) => [
    uniqueIndex('clusters_company_name').on(table.companyId, table.name),
    unique('clusters_id_company').on(table.id, table.companyId),
  ],
);

export type ClusterRow = typeof clusters.$inferSelect;

/** How a person looks at a cluster. Without a row there are the defaults. */
export const userClusterSettings = pgTable(
  'user_cluster_settings',
  {
    companyId: companyId(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    clusterId: integer('cluster_id')
      .notNull()
      .references(() => clusters.id, { onDelete: 'cascade' }),
    /** Namespaces that the person's views leave out. */
    excludedNamespaces: text('excluded_namespaces').array().notNull().default(sql`'{}'`),
    /** Namespaces that are offered before the others, in this order. */
    favouriteNamespaces: text('favourite_namespaces').array().notNull().default(sql`'{}'`),
    /** The order of lists that have none of their own, as the contract writes it; null for that of the kind. */
    sort: text('sort'),
    /** Whether lists that say nothing themselves begin with their wide columns. */
    isWide: boolean('is_wide').notNull().default(false),
    updatedAt: time('updated_at').notNull().default(now),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.clusterId] }),
    index('user_cluster_settings_cluster').on(table.clusterId),
    foreignKey({
      name: 'user_cluster_settings_membership',
      columns: [table.userId, table.companyId],
      foreignColumns: [memberships.userId, memberships.companyId],
    }).onDelete('cascade'),
    foreignKey({
      name: 'user_cluster_settings_cluster_of_company',
      columns: [table.clusterId, table.companyId],
      foreignColumns: [clusters.id, clusters.companyId],
    }).onDelete('cascade'),
  ],
);
