import { isNotNull, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { Clock } from '../kit/clock.ts';
import { describeError } from '../kit/describe-error.ts';
import { companies } from '../store/schema/companies.ts';
import type { Store } from '../store/store.ts';
import { closingLimits, linkWaiting } from './closing.ts';
import { dropOlder } from './dropping.ts';

/** How often chains are closed and old segments dropped, ms. */
const intervals = { close: 3_000, drop: 3_600_000 };

interface UpkeepParts {
  readonly store: Pick<Store, 'db'>;
  readonly log: Logger;
  readonly clock: Clock;
  /** Deletes what else a company keeps no longer than its audit. @param now the time in ms */
  readonly dropMore?: (companyId: number, days: number, now: number) => Promise<void>;
}

/** Closes the chains of the audit in the background, and drops what a company does not keep. */
export class AuditUpkeep {
  readonly #store: Pick<Store, 'db'>;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #dropMore: UpkeepParts['dropMore'];
  #stopTimer: () => void = () => undefined;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;
  #droppedAt = Number.NEGATIVE_INFINITY;

  constructor({ store, log, clock, dropMore }: UpkeepParts) {
    this.#store = store;
    this.#log = log;
    this.#clock = clock;
    this.#dropMore = dropMore;
  }

  /** Begins; `close` ends it. */
  start(): void {
    this.#stopTimer = this.#clock.after(intervals.close, () => {
      this.#running = this.#round().then(() => {
        if (!this.#isClosed) this.start();
      });
    });
  }

  /** Ends it, after what it is just doing. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopTimer();
    await this.#running;
  }

  /** Never throws: what fails now is done in the next round. */
  async #round(): Promise<void> {
    try {
      await this.#closeChains();
      if (this.#clock.now() - this.#droppedAt < intervals.drop) return;
      this.#droppedAt = this.#clock.now();
      await this.#dropOld();
    } catch (error) {
      this.#log.warn({ err: describeError(error) }, 'The chains of the audit could not be closed');
    }
  }

  async #closeChains(): Promise<void> {
    const { rows } = await this.#store.db.execute(sql`select 1 from audit_queue limit 1`);
    if (rows.length === 0) return;
    while (!this.#isClosed && (await linkWaiting(this.#store)) === closingLimits.batch);
  }

  async #dropOld(): Promise<void> {
    const keeping = await this.#store.db
      .select({ id: companies.id, days: companies.auditDays })
      .from(companies)
      .where(isNotNull(companies.auditDays));
    for (const { id, days } of keeping) {
      if (this.#isClosed || days === null) return;
      await dropOlder(this.#store, id, days, this.#clock.now());
      await this.#dropMore?.(id, days, this.#clock.now());
    }
  }
}
