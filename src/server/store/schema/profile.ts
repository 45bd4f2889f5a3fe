import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytea, time, created, now } from './columns.ts';
import { users } from './accounts.ts';
import { companyId } from './companies.ts';

/** Preferences of a person, on the server, so that they follow to every browser and company: they name nothing of one. */
export const preferences = pgTable('preferences', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Lines of the contract's keymap, later ones over earlier ones. */
  keymap: jsonb('keymap').notNull().default([]),
  /** How a change by a single key is guarded, one of the contract's guards. */
  changes: text('changes').notNull().default('confirm'),
  /** How they are alerted, as the contract has it; null before they chose anything. */
  alerts: jsonb('alerts'),
  updatedAt: time('updated_at').notNull().default(now),
});

/** Filters of lists that people keep by a name. */
export const savedFilters = pgTable(
  'saved_filters',
  {
    companyId: companyId(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** The list and its search, below any cluster. */
    place: text('place').notNull(),
    createdAt: created(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.companyId, table.name] }),
    index('saved_filters_company').on(table.companyId),
  ],
);

/** Texts that people have not yet applied or discarded. */
export const drafts = pgTable(
  'drafts',
  {
    companyId: companyId(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Where it was written: the dialog that creates, or the object that is edited. */
    place: text('place').notNull(),
    /** Sealed, bound to person and place. */
    text: bytea('text').notNull(),
    /** The version that an edit began from. */
    base: text('base'),
    savedAt: time('saved_at').notNull().default(now),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.companyId, table.place] }),
    index('drafts_company').on(table.companyId),
  ],
);
