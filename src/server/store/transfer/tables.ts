import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import type { Client } from 'pg';
import { schema } from '../tables.ts';
import type { ExportTable } from './format.ts';

/** Names of this version's tables. */
export const tableNames: readonly string[] = Object.values<unknown>(schema)
  .filter((value) => is(value, PgTable))
  .map((table) => getTableName(table));

/** This version's tables as the database has them, each after the tables that it refers to. */
export async function ownTables(client: Client): Promise<ExportTable[]> {
  const { rows } = await client.query<{ table: string; name: string; type: string }>(
    `select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname = any($1)
       and a.attnum > 0 and not a.attisdropped
     order by c.relname, a.attnum`,
    [tableNames],
  );
  const references = await client.query<{ from: string; to: string }>(
    `select f.relname as from, t.relname as to from pg_constraint k
     join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
     where k.contype = 'f' and f.relnamespace = 'public'::regnamespace and f.oid <> t.oid`,
  );
  const left = new Set(rows.map((row) => row.table));
  const ordered: string[] = [];
  while (left.size > 0) {
    const next = [...left].filter((name) => !references.rows.some((r) => r.from === name && left.has(r.to)));
    if (next.length === 0)
      throw new Error(`The tables ${[...left].join(', ')} refer to each other in a ring.`);
    for (const name of next) {
      ordered.push(name);
      left.delete(name);
    }
  }
  return ordered.map((name) => ({
    name,
    columns: rows.filter((row) => row.table === name).map((row) => ({ name: row.name, type: row.type })),
  }));
}
