import { createReadStream } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { Client, type ClientConfig } from 'pg';
import { z } from 'zod';
import { StartError } from '../../kit/start-error.ts';
import { migrateDatabase, migrationsFolder, newestMigration } from '../migrate.ts';
import {
  type ExportHeader,
  type ExportTable,
  type ExportTrailer,
  headerSchema,
  quoteName,
  rowSchema,
  trailerSchema,
} from './format.ts';
import { tableNames } from './tables.ts';
import { disableTriggers } from './triggers.ts';

const batch = 200;

/**
 * Fills an unused installation from an export, of any PostgreSQL version. An export of an older console goes into that
 * version's schema, which is then migrated. Rows come in one transaction: all, or none. Returns the rows by table,
 * counted in the database. Throws StartError for a target with people or organisations, and for a file that is damaged
 * or too new.
 * @param check looks at the rows before they stay; what it throws leaves none
 */
export async function importFrom(
  file: string,
  connection: ClientConfig,
  check: (db: NodePgDatabase) => Promise<void> = async () => undefined,
): Promise<ExportTrailer['counts']> {
  const header = await readHeader(file);
  if (header.migration > newestMigration())
    throw new StartError(
      `${file} was made by a newer Wheelhouse (${header.createdAt}). Import it with that version.`,
    );
  const client = new Client({ ...connection, statement_timeout: 0 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await clearUnused(client);
    const folder = await migrationsUpTo(header.migration);
    try {
      await migrateDatabase(connection, folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    await client.query('begin');
    const enableTriggers = await disableTriggers(client);
    const trailer = await copyRows(client, file, header);
    await enableTriggers();
    await check(drizzle(client));
    await client.query('commit');
    await migrateDatabase(connection);
    return trailer.counts;
  } finally {
    await client.end();
  }
}

/** Refuses a target in use; what an unused one has (a set-up link, a check value) goes, with its empty tables. */
async function clearUnused(client: Client): Promise<void> {
  for (const table of ['users', 'companies']) {
    const exists = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [
      `public.${table}`,
    ]);
    if (!(exists.rows[0]?.found ?? false)) continue;
    const rows = await client.query(`select 1 from ${table} limit 1`);
    if (rows.rowCount !== 0)
      throw new StartError(
        'This installation is in use: it has people or organisations. Import into an empty one (another WHEELHOUSE_DATA or DATABASE_URL).',
      );
  }
  await client.query(`drop table if exists ${tableNames.map(quoteName).join(', ')} cascade`);
  await client.query('drop table if exists drizzle.__drizzle_migrations');
}

async function copyRows(client: Client, file: string, header: ExportHeader): Promise<ExportTrailer> {
  const tables = new Map(header.tables.map((table) => [table.name, table]));
  let current: ExportTable | undefined;
  let waiting: (string | null)[][] = [];
  const flush = async (): Promise<void> => {
    if (current !== undefined && waiting.length > 0) await insert(client, current, waiting, file);
    waiting = [];
  };
  let trailer: ExportTrailer | undefined;
  for await (const text of linesOf(file)) {
    if (trailer !== undefined) throw damaged(file);
    const value: unknown = parseLine(text, file);
    const row = rowSchema.safeParse(value);
    if (!row.success) {
      if (headerSchema.safeParse(value).success) continue;
      trailer = trailerSchema.safeParse(value).data;
      if (trailer === undefined) throw damaged(file);
      continue;
    }
    const [name, values] = row.data;
    if (name !== current?.name || waiting.length >= batch) {
      await flush();
      current = tables.get(name);
      if (current === undefined) throw damaged(file);
    }
    waiting.push(values);
  }
  await flush();
  if (trailer === undefined) throw damaged(file);
  await verify(client, header, trailer, file);
  for (const { table, column, last, isCalled } of trailer.sequences)
    await client.query('select setval(pg_get_serial_sequence(quote_ident($1), $2), $3::bigint, $4)', [
      table,
      column,
      last,
      isCalled,
    ]);
  return trailer;
}

async function insert(
  client: Client,
  table: ExportTable,
  rows: (string | null)[][],
  file: string,
): Promise<void> {
  const names = table.columns.map(({ name }) => quoteName(name)).join(', ');
  // One array of texts a column, cast to the column's own type: no limit on parameters, one plan for every batch.
  const arrays = table.columns.map((_column, index) => `$${index + 1}::text[]`).join(', ');
  const casts = table.columns.map(({ type }, index) => `c${index}::${type}`).join(', ');
  const aliases = table.columns.map((_column, index) => `c${index}`).join(', ');
  const statement = `insert into ${quoteName(table.name)} (${names}) overriding system value
     select ${casts} from unnest(${arrays}) as rows(${aliases})`;
  const values = table.columns.map((_column, index) => rows.map((row) => row[index] ?? null));
  try {
    await client.query(statement, values);
  } catch (error) {
    // Values that do not fit their columns, or rows that refer to missing ones.
    if (/^(22|23|42)/.test((error as { code?: string }).code ?? '')) throw damaged(file, error);
    throw error;
  }
}

async function verify(
  client: Client,
  header: ExportHeader,
  trailer: ExportTrailer,
  file: string,
): Promise<void> {
  for (const { name } of header.tables) {
    const { rows } = await client.query<{ n: number }>(`select count(*)::int as n from ${quoteName(name)}`);
    if (rows[0]?.n !== trailer.counts[name])
      throw new StartError(
        `${file} says that ${name} has ${trailer.counts[name]} rows, and ${rows[0]?.n} arrived. Nothing was imported.`,
      );
  }
}

async function readHeader(file: string): Promise<ExportHeader> {
  for await (const text of linesOf(file)) {
    const header = headerSchema.safeParse(parseLine(text, file));
    if (!header.success) break;
    // Types come from the file into SQL: names of types only.
    for (const table of header.data.tables)
      for (const { type } of table.columns)
        if (!/^[a-z][a-z0-9_ ]*(\(\d+(,\d+)?\))?(\[\])*$/.test(type)) throw damaged(file);
    return header.data;
  }
  throw damaged(file);
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const unzipped = pipeline(createReadStream(file), createGunzip(), () => undefined);
  const failure = new Promise<never>((_resolve, reject) => unzipped.on('error', reject));
  failure.catch(() => undefined);
  try {
    for await (const text of createInterface({ input: unzipped, crlfDelay: Infinity })) yield text;
    if (unzipped.errored !== null) await failure;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR')
      throw new StartError(`${file} cannot be read (${(error as Error).message}).`, { cause: error });
    if (code?.startsWith('Z_') === true) throw damaged(file);
    throw error;
  } finally {
    unzipped.destroy();
  }
}

function parseLine(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw damaged(file);
  }
}

function damaged(file: string, cause?: unknown): StartError {
  return new StartError(`${file} is not a complete export of Wheelhouse. Nothing was imported.`, { cause });
}

const journalSchema = z.looseObject({ entries: z.array(z.looseObject({ when: z.number() })) });

/** A copy of the migrations' folder that ends with a given one: drizzle always runs the whole folder. */
async function migrationsUpTo(time: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-migrations-'));
  await cp(migrationsFolder, folder, { recursive: true });
  const journalFile = join(folder, 'meta/_journal.json');
  const journal = journalSchema.parse(JSON.parse(await readFile(journalFile, 'utf8')));
  journal.entries = journal.entries.filter((entry) => entry.when <= time);
  await writeFile(journalFile, JSON.stringify(journal));
  return folder;
}
