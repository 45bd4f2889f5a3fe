import { sql } from 'drizzle-orm';
import { boolean, integer, pgTable, smallint, text, unique, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytea, time, id, created } from './columns.ts';
import { users } from './accounts.ts';
import { companyId } from './companies.ts';

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
    isReadOnly: boolean('is_read_only').notNull().default(false),
    isShellAllowed: boolean('is_shell_allowed').notNull().default(true),
    /** Namespaces to watch one by one where the credential may not list the whole cluster. */
    namespaces: text('namespaces').array().notNull().default(sql`'{}'`),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: created(),
  },
  (table) => [
    uniqueIndex('clusters_company_name').on(table.companyId, table.name),
    unique('clusters_id_company').on(table.id, table.companyId),
  ],
);

export type ClusterRow = typeof clusters.$inferSelect;
