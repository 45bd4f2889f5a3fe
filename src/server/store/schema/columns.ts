import { sql } from 'drizzle-orm';
import { customType, integer } from 'drizzle-orm/pg-core';

/** Bytes: digests and what is sealed. */
export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** A number that the database gives. */
export const id = () => integer('id').primaryKey().generatedAlwaysAsIdentity();

/** A moment, as an ISO string in UTC. */
export const time = customType<{ data: string }>({
  dataType: () => 'timestamp with time zone',
  fromDriver: (value) => new Date(String(value)).toISOString(),
});

/** The moment of the statement's transaction, by the database's clock. */
export const now = sql`now()`;

/** When the row came. */
export const created = () => time('created_at').notNull().default(now);
