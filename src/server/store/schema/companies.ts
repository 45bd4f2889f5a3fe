import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { id, created } from './columns.ts';

export const companies = pgTable('companies', {
  id: id(),
  name: text('name').notNull(),
  /** The domain of its people's addresses, lower case: who asks for an invitation from there reaches its Owners. */
  domain: text('domain'),
  /** For how many days its audit is kept; null keeps all of it. */
  auditDays: integer('audit_days'),
  /** Whether its Owners sign in with a passkey alone. */
  ownersUsePasskeys: boolean('owners_use_passkeys').notNull().default(false),
  /** Whether everybody does: the flag for Owners is set beside it, for servers of a version that knows that one alone. */
  everybodyUsesPasskeys: boolean('everybody_uses_passkeys').notNull().default(false),
  /** Number of people who have to approve a request for temporary access: 1 or 2. */
  accessApprovers: integer('access_approvers').notNull().default(1),
  /** Whether browsers keep the last known rows of lists. */
  keepsRows: boolean('keeps_rows').notNull().default(true),
  createdAt: created(),
});

/** The company that a row belongs to; the row goes with it. */
export const companyId = () =>
  integer('company_id')
    .notNull()
    .references(() => companies.id, { onDelete: 'cascade' });
