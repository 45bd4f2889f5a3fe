import { isNotNull, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { Clock } from '../kit/clock.ts';
import { describeError } from '../kit/describe-error.ts';
import { companies } from '../store/schema/companies.ts';
import type { Store } from '../store/store.ts';
import { closingLimits, linkWaiting } from './closing.ts';
import { dropOlder } from './dropping.ts';

/** How often chains are closed and old segments dropped, ms; the first time both are done after `close`. */
const intervals = { close: 3_000, drop: 3_600_000 };
/** Entries that are ahead of the database's clock by less, seconds, are those of two clocks that were read one after the other. */
const tolerance = 2;

interface UpkeepParts {
  readonly store: Pick<Store, 'db'>;
  readonly log: Logger;
  readonly clock: Clock;
  /**
   * Deletes what else a company keeps no longer than its audit.
   * @param now the time in ms
   * @param isStopped whether to leave the rest to the next time
   */
  readonly dropMore?: (
    companyId: number,
    days: number,
    now: number,
    isStopped: () => boolean,
  ) => Promise<void>;
  /**
   * Each deletes something that belongs to no company, or that deleted ones left and no transaction can delete at once.
   * What fails for one keeps no other from its work.
   */
  readonly dropLeft?: readonly ((isStopped: () => boolean) => Promise<void>)[];
}

/**
 * Closes the chains of the audit in the background, and drops what a company does not keep. Neither waits for the other:
 * to delete much takes long.
 */
export class AuditUpkeep {
  readonly #store: Pick<Store, 'db'>;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #dropMore: UpkeepParts['dropMore'];
  readonly #dropLeft: NonNullable<UpkeepParts['dropLeft']>;
  readonly #stopTimers = new Map<keyof typeof intervals, () => void>();
  readonly #running = new Map<keyof typeof intervals, Promise<void>>();
  #isClosed = false;
  /** Whether the clock was found to be behind the audit, and the log says so. */
  #isClockBehind = false;

  constructor({ store, log, clock, dropMore, dropLeft = [] }: UpkeepParts) {
    this.#store = store;
    this.#log = log;
    this.#clock = clock;
    this.#dropMore = dropMore;
    this.#dropLeft = dropLeft;
  }

  /** Begins; `close` ends it. */
  start(): void {
    this.#repeat('close', () => this.#closeChains(), intervals.close);
    this.#repeat('drop', () => this.#dropOld(), intervals.close);
  }

  /** Ends it, after what it is just doing. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stopTimers.values()) stop();
    await Promise.all(this.#running.values());
  }

  /** Runs a task after a delay, then at its interval. @param wait the delay, ms */
  #repeat(what: keyof typeof intervals, run: () => Promise<void>, wait: number): void {
    const round = async () => {
      await this.#attempt(run, 'The audit could not be sealed, or its old entries could not be dropped');
      if (!this.#isClosed) this.#repeat(what, run, intervals[what]);
    };
    this.#stopTimers.set(
      what,
      this.#clock.after(wait, () => this.#running.set(what, round())),
    );
  }

  /** Never throws: what fails now is done the next time. */
  async #attempt(run: () => Promise<unknown>, failure: string): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.#log.warn({ err: describeError(error) }, failure);
    }
  }

  async #closeChains(): Promise<void> {
    const { rows } = await this.#store.db.execute(sql`select 1 from audit_queue limit 1`);
    if (rows.length === 0) return;
    const noteClock = (ahead: number) => this.#noteClock(ahead);
    while (
      !this.#isClosed &&
      (await linkWaiting(this.#store, closingLimits, noteClock)) === closingLimits.batch
    );
  }

  /** Says once that the database's clock was set back, and once that it has caught up. @param ahead seconds */
  #noteClock(ahead: number): void {
    const isBehind = ahead > tolerance;
    if (isBehind === this.#isClockBehind) return;
    this.#isClockBehind = isBehind;
    if (isBehind)
      this.#log.warn(
        { seconds: Math.round(ahead) },
        'The clock of the database is behind the last entries of the audit: it was set back. New entries take the date of the last one until it has caught up; check the time of the machine that PostgreSQL runs on',
      );
    else this.#log.info('The clock of the database has caught up with the audit');
  }

  /** Each company by itself: what fails for one does not keep what the others no longer want kept. */
  async #dropOld(): Promise<void> {
    const keeping = await this.#store.db
      .select({ id: companies.id, days: companies.auditDays })
      .from(companies)
      .where(isNotNull(companies.auditDays));
    for (const { id, days } of keeping) {
      if (this.#isClosed || days === null) return;
      const now = this.#clock.now();
      await this.#attempt(
        () => dropOlder(this.#store, id),
        `Old audit entries of company ${id} could not be dropped`,
      );
      await this.#attempt(
        async () => await this.#dropMore?.(id, days, now, () => this.#isClosed),
        `What company ${id} no longer keeps could not be dropped`,
      );
    }
    for (const drop of this.#dropLeft) {
      if (this.#isClosed) return;
      await this.#attempt(
        () => drop(() => this.#isClosed),
        'Entries that belong to no company could not be dropped',
      );
    }
  }
}
