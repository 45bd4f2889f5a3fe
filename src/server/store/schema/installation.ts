import { pgTable, text } from 'drizzle-orm/pg-core';

/** Facts about the installation itself (key check value, organisation of the playground …). */
export const installation = pgTable('installation', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
});
