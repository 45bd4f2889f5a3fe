import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Client } from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../kit/clock.ts';
import type { Measures } from '../kit/measures.ts';
import { describeError } from '../kit/describe-error.ts';
import { servers } from '../store/schema/servers.ts';
import type { KeysOfServer, ServerKeys } from '../store/shared-keys.ts';
import { isSilent, noteSignOfLife } from '../store/signs-of-life.ts';
import type { Store } from '../store/store.ts';
import { readCheck } from '../store/vault-check.ts';
import { type LiveServer, orders } from './rendezvous.ts';

/** Something that one server does for all of them. */
export interface Duty {
  /** Its name on all servers, e.g. `detection/12`. */
  readonly key: string;
  /** Every server tries it at once, and it is given to no other for the sake of their shares: to move it is dear. */
  readonly stays?: true;
  /**
   * Does it until the signal is aborted, which may be at any moment: the lock was lost, or the server ends. What it does
   * is unique by a key of the store: for an instant two servers may do it. Where it ends by itself it begins again.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** The duties of one server. */
export interface Duties {
  /** Takes part in a duty from now on; the answer ends that. */
  add(duty: Duty): () => void;
}

/** Inputs of a server's duties. */
export interface DutiesParts {
  readonly store: Pick<Store, 'connect'>;
  readonly log: Logger;
  readonly clock: Clock;
  /** Id of the server; one of chance without it. */
  readonly server?: string;
  /** The keys that it says to know with each sign of life; without them others move to no other key. */
  readonly keys?: ServerKeys;
  /** Counts the duties that this server does. */
  readonly measures?: Pick<Measures, 'duty'>;
}

const times = {
  /** A server gives a sign of life and looks for duties this often, ms. */
  beat: 2_000,
  /** A beat that takes longer than this has lost its connection, ms. */
  silence: 8_000,
  /** A duty that ended by itself begins again after this, ms. */
  again: 5_000,
} as const;

/** Duties of others return to a server that has lived for this long, seconds. */
const settledAfter = 30;
/** Beats for which a duty that moves from one server to another keeps others from moving. */
const movingBeats = 15;

interface Part {
  readonly duty: Duty;
  /** The number that PostgreSQL locks, as text. */
  readonly lock: string;
  /** Beats for which nobody held it. */
  unheld: number;
  /** Epoch ms before which it is not begun again. */
  notBefore: number;
  running: { readonly abort: AbortController; readonly ended: Promise<void> } | undefined;
  /** Servers that it was given to: one that did not take it is not given it again. */
  givenTo: ReadonlySet<string>;
}

/** The number that stands for a duty. */
const lockOf = (key: string) =>
  createHash('sha256').update(`wheelhouse duty ${key}`).digest().readBigInt64BE(0).toString();

/**
 * Duties by session locks of PostgreSQL, held on a connection of their own: the lock decides who does a duty, and a lost
 * connection ends it at once. Which server tries first is decided by an order; the others follow a beat later each. A
 * duty that another server does returns to the first one of its order once that is settled, one duty at a time.
 */
export class LockedDuties implements Duties {
  readonly #parts: DutiesParts;
  readonly #server: string;
  readonly #duties = new Map<string, Part>();
  #client: Client | undefined;
  #cancelBeat: () => void = () => undefined;
  #beating: Promise<void> = Promise.resolve();
  #isClosed = false;
  /** Beats in a row in which a duty was moving. */
  #waited = 0;

  constructor(parts: DutiesParts) {
    this.#parts = parts;
    this.#server = parts.server ?? randomBytes(6).toString('hex');
  }

  add(duty: Duty): () => void {
    const part: Part = {
      duty,
      lock: lockOf(duty.key),
      unheld: 0,
      notBefore: 0,
      running: undefined,
      givenTo: new Set(),
    };
    this.#duties.set(duty.key, part);
    return () => {
      // Another duty may have this key by now.
      if (this.#duties.get(duty.key) === part) this.#duties.delete(duty.key);
      void this.#release(part);
    };
  }

  /** Begins; `close` ends it. */
  start(): void {
    this.#beat();
  }

  /** Ends every duty of this server and gives its locks back. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelBeat();
    this.#abortAll('The server ends.');
    await this.#beating;
    this.#abortAll('The server ends.');
    for (const { running } of this.#duties.values()) await running?.ended;
    const client = this.#client;
    this.#client = undefined;
    if (client === undefined) return;
    await client.query('delete from servers where id = $1', [this.#server]).catch(() => undefined);
    await client.end().catch(() => undefined);
  }

  #beat(): void {
    if (this.#isClosed) return;
    this.#beating = this.#round().then(() => {
      if (!this.#isClosed) this.#cancelBeat = this.#parts.clock.after(times.beat, () => this.#beat());
    });
  }

  /** Never throws: what fails is tried again with the next beat. */
  async #round(): Promise<void> {
    const { clock, log } = this.#parts;
    const client = this.#client ?? (await this.#connect());
    if (client === undefined) return;
    // A connection that says nothing may be a network that is gone: its locks may be another server's by now.
    const cancel = clock.after(times.silence, () =>
      this.#lose(client, 'The database did not answer in time.'),
    );
    try {
      const servers = await this.#signOfLife(client);
      await this.#look(client, servers);
    } catch (error) {
      if (this.#client === client && !this.#isClosed)
        log.warn({ err: describeError(error) }, 'Duties could not be looked after; it is tried again soon');
    } finally {
      cancel();
    }
  }

  async #connect(): Promise<Client | undefined> {
    const { store, log } = this.#parts;
    try {
      const client = await store.connect(`wheelhouse duties ${this.#server}`);
      client.on('error', () => this.#lose(client, 'The connection that holds the lock is lost.'));
      client.on('end', () => this.#lose(client, 'The connection that holds the lock is lost.'));
      this.#client = client;
      return client;
    } catch (error) {
      log.warn(
        { err: describeError(error) },
        'No connection for duties could be opened; it is tried again soon',
      );
      return undefined;
    }
  }

  #lose(client: Client, why: string): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#abortAll(why);
    client.end().catch(() => undefined);
  }

  #abortAll(why: string): void {
    for (const { running } of this.#duties.values()) running?.abort.abort(new Error(why));
  }

  /** Notes that this server lives, ends the connections of servers that do not, and gives those that do. */
  async #signOfLife(client: Client): Promise<readonly LiveServer[]> {
    const { keys } = this.#parts;
    await client.query(
      `insert into servers (id, seen_at, keys, sealing) values ($1, clock_timestamp(), $2, $3)
       on conflict (id) do update set seen_at = excluded.seen_at, keys = excluded.keys, sealing = excluded.sealing`,
      [this.#server, keys?.names ?? null, keys?.sealing ?? null],
    );
    const db = drizzle(client);
    await noteSignOfLife(db);
    // A server that is frozen keeps its connection and so its locks.
    await db.execute(sql`
      with gone as (delete from servers where ${isSilent(servers.seenAt)} returning id)
      select pg_terminate_backend(a.pid) from gone
      join pg_stat_activity a on a.application_name = 'wheelhouse duties ' || gone.id
        and a.datname = current_database()`);
    const { rows } = await client.query<LiveServer & KeysOfServer>(
      `select id, since < clock_timestamp() - make_interval(secs => $1) as "isSettled", keys, sealing from servers`,
      [settledAfter],
    );
    const check = keys === undefined ? undefined : await readCheck(db);
    if (check !== undefined) keys?.look(check, rows);
    return rows;
  }

  async #look(client: Client, servers: readonly LiveServer[]): Promise<void> {
    if (this.#duties.size === 0) return;
    const { rows } = await client.query<{ lock: string }>(
      `select ((classid::bigint << 32) | objid::bigint)::text as lock from pg_locks
       where locktype = 'advisory' and objsubid = 1 and granted
         and database = (select oid from pg_database where datname = current_database())`,
    );
    const held = new Set(rows.map(({ lock }) => lock));
    const shared = [...this.#duties.values()].filter(({ duty }) => duty.stays !== true);
    const order = orders(
      servers,
      shared.map(({ duty }) => duty.key),
    );
    let isMoving = false;
    for (const part of this.#duties.values()) {
      if (part.running !== undefined) {
        isMoving ||= part.running.abort.signal.aborted;
        continue;
      }
      if (held.has(part.lock)) {
        part.unheld = 0;
        continue;
      }
      isMoving = true;
      const rank = order.get(part.duty.key)?.indexOf(this.#server) ?? 0;
      const isTurn = part.unheld >= rank;
      part.unheld += 1;
      if (isTurn && this.#parts.clock.now() >= part.notBefore) await this.#try(client, part);
    }
    // One at a time; a duty that fails again and again is moving for ever.
    this.#waited = isMoving ? this.#waited + 1 : 0;
    if (isMoving && this.#waited < movingBeats) return;
    this.#waited = 0;
    this.#giveOne(order, new Set(servers.map(({ id }) => id)));
  }

  /** Gives one duty to the server that is the first of its order, if this one does any of another. */
  #giveOne(order: ReadonlyMap<string, readonly string[]>, living: ReadonlySet<string>): void {
    for (const part of this.#duties.values()) {
      const [first] = order.get(part.duty.key) ?? [];
      part.givenTo = new Set([...part.givenTo].filter((one) => living.has(one)));
      if (part.running === undefined || first === undefined || first === this.#server) continue;
      if (part.givenTo.has(first)) continue;
      part.givenTo = new Set([...part.givenTo, first]);
      part.running.abort.abort(new Error('Another server does it from now on.'));
      return;
    }
  }

  async #try(client: Client, part: Part): Promise<void> {
    const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [
      part.lock,
    ]);
    if (!(rows[0]?.got ?? false) || this.#client !== client) return;
    part.unheld = 0;
    const abort = new AbortController();
    const { measures } = this.#parts;
    measures?.duty(part.duty.key, 1);
    const ended = this.#run(part, abort.signal).then(async () => {
      part.running = undefined;
      measures?.duty(part.duty.key, -1);
      part.notBefore = this.#parts.clock.now() + times.again;
      if (this.#client === client)
        await client.query('select pg_advisory_unlock($1)', [part.lock]).catch(() => undefined);
    });
    part.running = { abort, ended };
    if (this.#isClosed || this.#duties.get(part.duty.key) !== part)
      abort.abort(new Error('It is not asked for.'));
  }

  async #run({ duty }: Part, signal: AbortSignal): Promise<void> {
    const { log } = this.#parts;
    try {
      await duty.run(signal);
    } catch (error) {
      if (!signal.aborted)
        log.error({ err: describeError(error), duty: duty.key }, 'A duty failed; it begins again soon');
    }
  }

  async #release({ running }: Part): Promise<void> {
    running?.abort.abort(new Error('It is not asked for any more.'));
    await running?.ended;
  }
}
