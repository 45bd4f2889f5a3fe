import { randomInt } from 'node:crypto';
import { Client, type ClientConfig } from 'pg';
import { StartError } from '../kit/start-error.ts';
import { connectTimeout } from './reach.ts';

/**
 * In session mode each connection has one session of PostgreSQL for itself. In this order also a pooler that gives out
 * its sessions in turn gives one of the two connections another session than before.
 */
const askedInOrder = ['a', 'b', 'b', 'a', 'a', 'b'] as const;

/**
 * Refuses a database on which the console cannot work: one that takes no changes, and one behind a pooler that hands
 * a session to several connections. Migrations, duties and the messages between servers rely on what a session keeps:
 * locks and `listen`. Throws StartError with what to do, and errors of the database.
 * @param host for the sentences
 */
export async function requireFitDatabase(connection: ClientConfig, host: string): Promise<void> {
  const [a, b] = [open(connection), open(connection)];
  try {
    await Promise.all([a.connect(), b.connect()]);
    await requireWritable(a, host);
    await requireOwnSessions({ a, b }, host);
  } finally {
    await Promise.all([a, b].map((client) => client.end().catch(() => undefined)));
  }
}

function open(connection: ClientConfig): Client {
  const client = new Client({ ...connection, connectionTimeoutMillis: connectTimeout });
  // A connection that is lost shows in the statement that follows.
  client.on('error', () => undefined);
  return client;
}

async function requireWritable(client: Client, host: string): Promise<void> {
  const { rows } = await client.query<{ standby: boolean; readonly: string }>(
    `select pg_is_in_recovery() as standby, current_setting('transaction_read_only') as readonly`,
  );
  if (rows[0]?.standby)
    throw new StartError(
      `The database at ${host} (DATABASE_URL) is a standby and takes no changes. Name the primary, best by an address that moves to a new one.`,
    );
  if (rows[0]?.readonly === 'on')
    throw new StartError(
      `The database at ${host} (DATABASE_URL) takes no changes: default_transaction_read_only is on, as some providers set it when the disk is full. Make room, and switch it off for this database and role.`,
    );
}

async function requireOwnSessions(clients: Readonly<Record<'a' | 'b', Client>>, host: string): Promise<void> {
  const lock = randomInt(2 ** 47);
  const seen: Record<'a' | 'b', Set<number>> = { a: new Set(), b: new Set() };
  // A session that has the lock already gets it again; another one does not.
  await clients.a.query('select pg_advisory_lock($1)', [lock]);
  for (const name of askedInOrder) {
    const { rows } = await clients[name].query<{ pid: number }>('select pg_backend_pid() as pid');
    if (rows[0] !== undefined) seen[name].add(rows[0].pid);
  }
  const taken = await clients.b.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [lock]);
  const hasMoved = seen.a.size !== 1 || seen.b.size !== 1 || [...seen.a].some((pid) => seen.b.has(pid));
  const isShared = hasMoved || (taken.rows[0]?.got ?? false);
  if (!isShared) return;
  // Whichever session has it: behind a pooler it outlives both connections.
  for (const client of [clients.a, clients.b, clients.b, clients.a])
    await client.query('select pg_advisory_unlock_all()');
  throw new StartError(
    `The database at ${host} (DATABASE_URL) is behind a pooler that gives a session to several connections (transaction or statement mode), which breaks locks and messages between servers. Set pool_mode = session for this database in PgBouncer, or name PostgreSQL itself, at the port that your provider gives for direct connections.`,
  );
}
