import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Client, type ClientConfig } from 'pg';
import { StartError } from '../kit/start-error.ts';
import { migrateQueue } from './queue-tables.ts';

/** Any number will do, as long as every Wheelhouse asks for the same one. */
const migrationLock = 5_727_210_401;
const oldestServer = 140_000;

/** This version's migrations. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/**
 * Brings a database to this version's schema, on a connection of its own and under an advisory lock
 * (drizzle's migrate takes none), so that any number of servers may start together.
 * @param folder With the migrations; this version's without it.
 * Throws StartError for a PostgreSQL older than 14 and for a database that a newer Wheelhouse has written.
 */
export async function migrateDatabase(
  connection: ClientConfig,
  folder: string = migrationsFolder,
): Promise<void> {
  const client = new Client(connection);
  // A lost connection shows in the query that follows.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const version = await client.query<{ number: number; text: string }>(
      `select current_setting('server_version_num')::int as number, current_setting('server_version') as text`,
    );
    const server = version.rows[0];
    if (server !== undefined && server.number < oldestServer)
      throw new StartError(
        `The database is PostgreSQL ${server.text}; Wheelhouse needs version 14 or later.`,
      );
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await refuseNewer(client);
    await migrate(drizzle(client), { migrationsFolder: folder });
    await migrateQueue(client);
  } finally {
    // Closing the connection releases the lock in any case.
    await client.end();
  }
}

/** The newest migration that this version knows: its time, ms since 1970. */
export function newestMigration(): number {
  return Math.max(0, ...readMigrationFiles({ migrationsFolder }).map((migration) => migration.folderMillis));
}

async function refuseNewer(client: Client): Promise<void> {
  const table = await client.query<{ found: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as found`,
  );
  if (!(table.rows[0]?.found ?? false)) return;
  const newest = await client.query<{ at: string | null }>(
    'select max(created_at)::text as at from drizzle.__drizzle_migrations',
  );
  if (Number(newest.rows[0]?.at ?? 0) > newestMigration())
    throw new StartError(
      'A newer Wheelhouse has written to this database. Start that version again, or restore a backup made before the upgrade.',
    );
}
