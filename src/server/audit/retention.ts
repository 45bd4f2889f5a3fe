import { sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { describeError } from '../kit/describe-error.ts';
import type { Store } from '../store/store.ts';
import type { Clock } from '../kit/clock.ts';

/**
 * How long failed tries of people who are signed out stay in the audit: anybody who reaches the console can make them,
 * so they must not fill the database. They are in no chain. Every other row stays: what signed-in people do and every
 * try that succeeded.
 */
export const triesKept = {
  /** Older ones go, ms. */
  longest: 90 * 24 * 3_600_000,
  /** Maximum number of failures kept, the newest. */
  rows: 100_000,
  /** Rows are deleted once in this many failed attempts … */
  every: 1_000,
  /** … or this long after the last deletion, whichever comes first, ms. */
  interval: 3_600_000,
};

/** Keeps the audit of failed tries within its bounds. */
export interface TriesRetention {
  /**
   * Called for each failed attempt once its outcome is written. Never throws: rows that cannot be deleted now are
   * deleted later.
   */
  failed(): Promise<void>;
}

/** The retention of failed tries in a store. */
export function createTriesRetention(
  { db }: Pick<Store, 'db'>,
  log: Logger,
  clock: Clock,
  limits = triesKept,
): TriesRetention {
  let failures = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;

  return {
    async failed() {
      failures += 1;
      if (failures < limits.every && clock.now() - lookedAt < limits.interval) return;
      failures = 0;
      lookedAt = clock.now();
      try {
        // A trigger counts by the database's clock, which may be behind.
        const oldest = sql`least(${new Date(clock.now() - limits.longest).toISOString()}::timestamptz, now() - interval '90 days')`;
        // A failure goes with the rows before it. So does what was written before a success, which tells it all again;
        // a try without an outcome stays.
        await db.execute(sql`
          with failures as (
            delete from audit where is_try and status >= 400 and (started_at < ${oldest} or id <= (
              select id from audit where is_try and status >= 400 order by id desc offset ${limits.rows} limit 1))
            returning entry)
          delete from audit a where is_try and status is null and (
            entry in (select entry from failures)
            or started_at < ${oldest} and exists (
              select 1 from audit later where later.entry = a.entry and later.status is not null and not later.is_try))`);
      } catch (error) {
        log.warn({ err: describeError(error) }, 'Old failed sign-ins could not be taken out of the audit');
      }
    },
  };
}
