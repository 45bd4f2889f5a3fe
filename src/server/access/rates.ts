import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { describeError } from '../kit/describe-error.ts';
import { inTime } from '../kit/in-time.ts';
import type { Store } from '../store/store.ts';

/** A server takes this part of a limit at a time, so that frequent calls do not cost a statement each. */
const shareOf = (limit: number) => Math.max(1, Math.floor(limit / 60));
/** The store is waited for this long, ms; then the server counts by itself. */
const patience = 1_000;
/** A store that did not answer is not asked again for this time, ms. */
const restTime = 2_000;
/** Windows that a server remembers at most, and how many it forgets at once, so that few keys make it forget any. */
const windowLimit = 20_000;
const forgetBatch = windowLimit / 10;
/** Rows that one statement deletes at most, so that it takes little of the time that statements have. */
const dropBatch = 10_000;

/** What is counted. */
export interface Rate {
  /** The call, and who makes it. */
  readonly key: string;
  /** Calls of all servers in a window at most. */
  readonly limit: number;
  /** Length of a window, ms; it begins with its first call. */
  readonly window: number;
}

/** A call that was counted. */
export interface CountedCall {
  /** Calls of the window so far, as this server knows; above the limit for a call that is to be refused. */
  readonly current: number;
  /** Until the window ends, ms. */
  readonly ttl: number;
}

/** A window as this server knows it. */
interface KnownWindow {
  /** Calls that all servers took. */
  taken: number;
  /** Of those that this server took, how many it has not made yet. */
  left: number;
  /** By the machine's monotonic clock, ms. */
  endsAt: number;
  /** Calls that wait for `asking`. */
  waiting: number;
  asking: Promise<void> | undefined;
}

/**
 * Counts calls on all servers of one store together, in windows by the store's clock. The sum never passes a limit while
 * the store answers. A server takes calls in shares of a sixtieth of the limit; what it does not use of its last share is
 * missing elsewhere until the window ends. Once a limit is reached it costs no more statements. While the store does not
 * answer each server counts by itself, from what it knew last.
 */
export class SharedRates {
  readonly #pool: Store['pool'];
  readonly #log: Logger;
  /** The least recently used one first. */
  readonly #windows = new Map<string, KnownWindow>();
  #awayUntil = 0;

  constructor({ store, log }: { readonly store: Pick<Store, 'pool'>; readonly log: Logger }) {
    this.#pool = store.pool;
    this.#log = log;
  }

  /** Counts one call. Never throws. */
  async count(rate: Rate): Promise<CountedCall> {
    const known = this.#windowOf(rate.key);
    for (;;) {
      const ttl = known.endsAt - performance.now();
      if (ttl > 0 && known.left > 0) {
        known.left -= 1;
        return { current: Math.min(known.taken, rate.limit) - known.left, ttl };
      }
      if (ttl > 0 && known.taken >= rate.limit) return { current: rate.limit + 1, ttl };
      known.waiting += 1;
      // Calls that come at the same moment take together.
      known.asking ??= Promise.resolve().then(() => this.#take(known, rate));
      await known.asking;
    }
  }

  /**
   * Deletes the windows that have ended, but those that are just begun anew. Throws errors of the database.
   * @param isStopped asked between batches: whether to leave the rest to the next time
   */
  async dropEnded(isStopped: () => boolean = () => false): Promise<void> {
    // An array is made once; a subquery after `in` could be run for each row. An index would cost each call more.
    const statement = `delete from rate_windows where ctid = any(array(
      select ctid from rate_windows where ends_at <= clock_timestamp()
      limit ${dropBatch} for update skip locked))`;
    while (!isStopped()) {
      const { rowCount } = await this.#pool.query(statement);
      if ((rowCount ?? 0) < dropBatch) return;
    }
  }

  #windowOf(key: string): KnownWindow {
    let known = this.#windows.get(key);
    if (known === undefined) {
      if (this.#windows.size >= windowLimit) this.#forget();
      known = { taken: 0, left: 0, endsAt: 0, waiting: 0, asking: undefined };
    } else this.#windows.delete(key);
    // A map keeps the order in which keys came.
    this.#windows.set(key, known);
    return known;
  }

  /** Forgets what was not used for longest: the store has the counts, and whoever waits for a window has it. */
  #forget(): void {
    let left = forgetBatch;
    for (const key of this.#windows.keys()) {
      if (left === 0) return;
      this.#windows.delete(key);
      left -= 1;
    }
  }

  /** Takes a share of a window, or as many calls as wait. */
  async #take(known: KnownWindow, { key, limit, window }: Rate): Promise<void> {
    const wanted = Math.max(shareOf(limit), known.waiting);
    const stored =
      performance.now() < this.#awayUntil ? undefined : await this.#takeFromStore(key, wanted, window);
    // The store said how long the window still lasts when it answered, not when it was asked.
    const now = performance.now();
    if (stored !== undefined) {
      known.taken = stored.taken;
      known.endsAt = now + stored.ttl;
    } else if (known.endsAt > now) known.taken += wanted;
    else {
      known.taken = wanted;
      known.endsAt = now + window;
    }
    known.left = Math.max(0, Math.min(wanted, limit - (known.taken - wanted)));
    known.waiting = 0;
    known.asking = undefined;
  }

  /** Calls that all servers took with these, and how long the window lasts (ms); undefined where the store is away. */
  async #takeFromStore(
    key: string,
    wanted: number,
    window: number,
  ): Promise<{ readonly taken: number; readonly ttl: number } | undefined> {
    try {
      // The clock is read once, when the row is locked: what is taken and until when belong to the same window.
      const asked = this.#pool.query<{ taken: number; ttl: number }>(
        `insert into rate_windows as w (key, taken, ends_at)
         values ($1, $2, clock_timestamp() + make_interval(secs => $3))
         on conflict (key) do update set (taken, ends_at) = (
           select case when w.ends_at > read.at then w.taken else 0 end + excluded.taken,
             case when w.ends_at > read.at then w.ends_at else read.at + make_interval(secs => $3) end
           from (select clock_timestamp() as at) read)
         returning taken, extract(epoch from ends_at - clock_timestamp())::float8 * 1000 as ttl`,
        [createHash('sha256').update(key).digest(), wanted, window / 1_000],
      );
      const { rows } = await inTime(asked, patience, 'The database did not answer in time.');
      return rows[0];
    } catch (error) {
      this.#awayUntil = performance.now() + restTime;
      this.#log.warn(
        { err: describeError(error) },
        'Calls could not be counted with the other servers; this one counts by itself for now',
      );
      return undefined;
    }
  }
}
