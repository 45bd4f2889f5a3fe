import { z } from 'zod';

/**
 * An export: gzip over lines of JSON. The first is the header, then each row on a line `["table", [values …]]` with
 * every value in PostgreSQL's own text form (null stays null), and the last is the trailer: a file without it is cut
 * short. Sealed values stay sealed; the key is not in the file.
 */
export const exportFormat = 1;

const tableSchema = z.object({
  name: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
});
/** One table: name, and columns in the order of a row's values. */
export type ExportTable = z.infer<typeof tableSchema>;

export const headerSchema = z.object({
  wheelhouse: z.literal('export'),
  format: z.literal(exportFormat),
  /** ISO. */
  createdAt: z.string(),
  /** Time of the newest migration of the schema that the rows fit, ms. */
  migration: z.number(),
  /** Each after the tables that it refers to. */
  tables: z.array(tableSchema),
});
export type ExportHeader = z.infer<typeof headerSchema>;

export const rowSchema = z.tuple([z.string(), z.array(z.string().nullable())]);

export const trailerSchema = z.object({
  /** Rows by table. */
  counts: z.record(z.string(), z.number()),
  /** Where each table's ids go on. */
  sequences: z.array(
    z.object({ table: z.string(), column: z.string(), last: z.string(), isCalled: z.boolean() }),
  ),
});
export type ExportTrailer = z.infer<typeof trailerSchema>;

/** Quotes a name for SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
