import { type SQL, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { Clock } from '../kit/clock.ts';
import { describeError } from '../kit/describe-error.ts';
import type { Store, Transaction } from '../store/store.ts';

const waits = {
  /** The next ending is read again after this at the latest, ms: a notice may be lost. */
  longest: 30_000,
  /** After a failure, ms. What has ended is not held meanwhile: the judge reads the time itself. */
  failed: 1_000,
} as const;

/** One sort of rights that end at a time which stands in the store. */
export interface Expiring {
  /** The time of the next ending, as a value of a query; null where none is to come. */
  readonly next: SQL;
  /** Ends what has to end by now, or a part of it. Answers the companies whose people lost something. */
  readonly end: (tx: Transaction) => Promise<readonly number[]>;
}

/**
 * Ends rights at their time, by the database's clock, which all servers share. Each server has a timer for the next
 * ending; the first one to come removes the rows and tells all servers with one commit, so that whatever is open on them
 * ends. No call depends on it: the judge never counts a right whose time is over.
 */
export class Expiry {
  readonly #store: Pick<Store, 'db' | 'channel'>;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #sorts: readonly Expiring[];
  #stopTimer: () => void = () => undefined;
  #disposers: readonly (() => void)[] = [];
  #running: Promise<void> | undefined;
  #isAskedAgain = false;
  #isClosed = false;

  constructor({
    store,
    log,
    clock,
    sorts,
  }: {
    readonly store: Pick<Store, 'db' | 'channel'>;
    readonly log: Logger;
    readonly clock: Clock;
    readonly sorts: readonly Expiring[];
  }) {
    this.#store = store;
    this.#log = log;
    this.#clock = clock;
    this.#sorts = sorts;
  }

  /** Begins; `close` ends it. */
  start(): void {
    const { channel } = this.#store;
    this.#disposers = [channel.on('grants', () => this.#look()), channel.onGap(() => this.#look())];
    this.#look();
  }

  /** Ends it, after what it is just doing. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopTimer();
    for (const dispose of this.#disposers) dispose();
    await this.#running;
  }

  #look(): void {
    if (this.#isClosed) return;
    this.#stopTimer();
    // What comes while the store is asked may have come too late for its answer.
    if (this.#running !== undefined) {
      this.#isAskedAgain = true;
      return;
    }
    this.#running = this.#round().then((wait) => {
      this.#running = undefined;
      if (this.#isClosed) return;
      if (this.#isAskedAgain) {
        this.#isAskedAgain = false;
        this.#look();
      } else this.#stopTimer = this.#clock.after(wait, () => this.#look());
    });
  }

  /** Ends what has to end. Answers after how long to look again, ms; never throws. */
  async #round(): Promise<number> {
    try {
      const next = sql.join(
        this.#sorts.map((sort) => sort.next),
        sql`, `,
      );
      const { rows } = await this.#store.db.execute<{ wait: number | null }>(sql`
        select (extract(epoch from least(${next}) - clock_timestamp()) * 1000)::float8 as wait`);
      const wait = rows[0]?.wait ?? null;
      if (wait === null) return waits.longest;
      if (wait > 0) return Math.min(Math.ceil(wait), waits.longest);
      for (const { end } of this.#sorts) await this.#end(end);
      return 0;
    } catch (error) {
      this.#log.warn({ err: describeError(error) }, 'Rights for a while could not be ended; trying again');
      return waits.failed;
    }
  }

  async #end(end: Expiring['end']): Promise<void> {
    const { db, channel } = this.#store;
    await db.transaction(async (tx) => {
      for (const companyId of new Set(await end(tx))) await channel.notify('grants', { companyId }, tx);
    });
  }
}
