import { sql, type SQL } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';

/** Orders by a name as people sort, whatever the database's own collation is. */
export function byName(column: AnyPgColumn): SQL {
  return sql`${column} collate "und-x-icu"`;
}
