import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { describeError } from '../kit/describe-error.ts';
import type { Store } from '../store/store.ts';

/** A server takes this part of a limit at a time, so that frequent calls do not cost a statement each. */
const shareOf = (most: number) => Math.max(1, Math.floor(most / 60));
/** The store is waited for this long, ms; then the server counts by itself. */
const patience = 1_000;
/** A store that did not answer is not asked again for this time, ms. */
const restTime = 2_000;
/** Windows that a server remembers at most. */
const windowLimit = 20_000;

/** What is counted. */
export interface Rate {
  /** The call, and who makes it. */
  readonly key: string;
  /** Calls of all servers in a window at most. */
  readonly most: number;
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
        return { current: Math.min(known.taken, rate.most) - known.left, ttl };
      }
      if (ttl > 0 && known.taken >= rate.most) return { current: rate.most + 1, ttl };
      known.waiting += 1;
      // Calls that come at the same moment take together.
      known.asking ??= Promise.resolve().then(() => this.#take(known, rate));
      await known.asking;
    }
  }

  /** Deletes the windows that have ended. Throws errors of the database. */
  async dropEnded(): Promise<void> {
    await this.#pool.query('delete from rate_windows where ends_at <= clock_timestamp()');
  }

  #windowOf(key: string): KnownWindow {
    const known = this.#windows.get(key);
    if (known !== undefined) return known;
    if (this.#windows.size >= windowLimit) this.#forget();
    const made: KnownWindow = { taken: 0, left: 0, endsAt: 0, waiting: 0, asking: undefined };
    this.#windows.set(key, made);
    return made;
  }

  /** Forgets what is over, and of the rest the oldest: the store has the counts. */
  #forget(): void {
    const now = performance.now();
    for (const [key, { endsAt, asking }] of this.#windows)
      if (endsAt <= now && asking === undefined) this.#windows.delete(key);
    for (const [key, { asking }] of this.#windows) {
      if (this.#windows.size < windowLimit) return;
      if (asking === undefined) this.#windows.delete(key);
    }
  }

  /** Takes a share of a window, or as many calls as wait. */
  async #take(known: KnownWindow, { key, most, window }: Rate): Promise<void> {
    const now = performance.now();
    const wanted = Math.max(shareOf(most), known.waiting);
    const stored = now < this.#awayUntil ? undefined : await this.#takeFromStore(key, wanted, window);
    if (stored !== undefined) {
      known.taken = stored.taken;
      known.endsAt = now + stored.ttl;
    } else if (known.endsAt > now) known.taken += wanted;
    else {
      known.taken = wanted;
      known.endsAt = now + window;
    }
    known.left = Math.max(0, Math.min(wanted, most - (known.taken - wanted)));
    known.waiting = 0;
    known.asking = undefined;
  }

  /** Calls that all servers took with these, and how long the window lasts (ms); undefined where the store is away. */
  async #takeFromStore(
    key: string,
    wanted: number,
    window: number,
  ): Promise<{ readonly taken: number; readonly ttl: number } | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('The database did not answer in time.')), patience);
    });
    try {
      const asked = this.#pool.query<{ taken: number; ttl: number }>(
        `insert into rate_windows as w (key, taken, ends_at)
         values ($1, $2, clock_timestamp() + make_interval(secs => $3))
         on conflict (key) do update set
           taken = case when w.ends_at > clock_timestamp() then w.taken else 0 end + excluded.taken,
           ends_at = case when w.ends_at > clock_timestamp() then w.ends_at else excluded.ends_at end
         returning taken, extract(epoch from ends_at - clock_timestamp())::float8 * 1000 as ttl`,
        [createHash('sha256').update(key).digest(), wanted, window / 1_000],
      );
      const { rows } = await Promise.race([asked, late]);
      return rows[0];
    } catch (error) {
      this.#awayUntil = performance.now() + restTime;
      this.#log.warn(
        { err: describeError(error) },
        'Calls could not be counted with the other servers; this one counts by itself for now',
      );
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}
