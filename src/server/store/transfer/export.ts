import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Client, type ClientConfig } from 'pg';
import { StartError } from '../../kit/start-error.ts';
import { syncFolder } from '../files.ts';
import { ownTables } from './tables.ts';
import {
  type ExportHeader,
  type ExportTable,
  type ExportTrailer,
  exportFormat,
  quoteName,
} from './format.ts';

const page = 500;

/**
 * Writes every row of an installation into a new file (0600), as of one moment. Returns the rows by table.
 * Throws StartError when the file exists or cannot be written.
 */
export async function exportTo(
  file: string,
  connection: ClientConfig,
  now: number,
): Promise<ExportTrailer['counts']> {
  const client = new Client({ ...connection, statement_timeout: 0 });
  client.on('error', () => undefined);
  await client.connect();
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  const counts: Record<string, number> = {};
  try {
    await client.query('begin isolation level repeatable read read only');
    const lines = Readable.from(linesOf(client, counts, now));
    await pipeline(lines, createGzip(), createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }));
    // Unlike a rename, this never replaces a file.
    await link(draft, file);
    await syncFolder(dirname(file));
    return counts;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new StartError(`${file} already exists. Choose another name, or remove it.`, { cause: error });
    if (code === 'ENOENT' || code === 'EACCES' || code === 'ENOSPC' || code === 'EROFS')
      throw new StartError(`${file} cannot be written (${(error as Error).message}).`, { cause: error });
    throw error;
  } finally {
    await rm(draft, { force: true });
    await client.end();
  }
}

async function* linesOf(client: Client, counts: Record<string, number>, now: number): AsyncGenerator<string> {
  const tables = await ownTables(client);
  const newest = await client.query<{ at: string }>(
    'select max(created_at)::text as at from drizzle.__drizzle_migrations',
  );
  const header: ExportHeader = {
    wheelhouse: 'export',
    format: exportFormat,
    createdAt: new Date(now).toISOString(),
    migration: Number(newest.rows[0]?.at),
    tables,
  };
  yield line(header);
  for (const table of tables) {
    counts[table.name] = 0;
    for await (const values of rowsOf(client, table)) {
      counts[table.name] = (counts[table.name] ?? 0) + 1;
      yield line([table.name, values]);
    }
  }
  const trailer: ExportTrailer = { counts, sequences: await sequencesOf(client) };
  yield line(trailer);
}

async function* rowsOf(client: Client, table: ExportTable): AsyncGenerator<(string | null)[]> {
  const columns = table.columns.map(({ name }) => `${quoteName(name)}::text`).join(', ');
  await client.query(`declare rows no scroll cursor for select ${columns} from ${quoteName(table.name)}`);
  for (;;) {
    const { rows } = await client.query<(string | null)[]>({
      text: `fetch ${page} from rows`,
      rowMode: 'array',
    });
    yield* rows;
    if (rows.length < page) break;
  }
  await client.query('close rows');
}

async function sequencesOf(client: Client): Promise<ExportTrailer['sequences']> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `select c.relname as table, a.attname as column, pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attidentity <> '' order by 1`,
  );
  const found: ExportTrailer['sequences'] = [];
  for (const { table, column, sequence } of rows) {
    const state = await client.query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from ${sequence}`,
    );
    const [row] = state.rows;
    if (row !== undefined) found.push({ table, column, last: row.last, isCalled: row.called });
  }
  return found;
}

/** JSON allows U+2028 and U+2029 as they are, and readers of lines take them for ends of lines. */
function line(value: unknown): string {
  return `${JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`;
}
