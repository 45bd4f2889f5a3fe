import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { time, now } from './columns.ts';
import { users } from './accounts.ts';
import { companies } from './companies.ts';

/** Calls by which people who are signed out try to get in. */
export const tries: ReadonlySet<string> = new Set(['signIn', 'setup']);

/**
 * Which rows of the audit are such tries that failed: the only ones that are ever deleted. Literals, as the index on
 * these rows serves only a query that says the same.
 */
export const isFailedTry = sql`action in ('signIn', 'setup') and status >= 400`;

/** Who did what. A row is written before a change and completed after it: no row, no change. */
export const audit = pgTable(
  'audit',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    companyId: integer('company_id').references(() => companies.id, { onDelete: 'cascade' }),
    userId: integer('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** Who it was in words, so that the row outlives the account. */
    actor: text('actor').notNull(),
    /** Id of the endpoint or action. */
    action: text('action').notNull(),
    clusterId: integer('cluster_id'),
    /** Its subject: ids and names only, never a body. */
    subject: jsonb('subject').notNull().default({}),
    address: text('address').notNull(),
    requestId: text('request_id').notNull(),
    startedAt: time('started_at').notNull().default(now),
    /** Null while it runs, or when the server died meanwhile. */
    finishedAt: time('finished_at'),
    /** HTTP status of the outcome. */
    status: smallint('status'),
  },
  (table) => [
    index('audit_company_time').on(table.companyId, table.startedAt),
    index('audit_failed_tries').on(table.id).where(isFailedTry),
  ],
);
