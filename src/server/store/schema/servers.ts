import { pgTable, text } from 'drizzle-orm/pg-core';
import { now, time } from './columns.ts';

/** The servers of the installation that live: each gives a sign of life every few seconds. */
export const servers = pgTable('servers', {
  id: text('id').primaryKey(),
  seenAt: time('seen_at').notNull().default(now),
});
