import { and, lt, lte, or, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { describeError } from '../kit/describe-error.ts';
import { audit, isFailedTry } from '../store/schema/audit.ts';
import type { Store } from '../store/store.ts';

/**
 * How long failed tries to get in stay in the audit: anybody who reaches the console can make them, so they must not
 * fill the database. Every other row stays: what signed-in people do and every try that succeeded.
 */
export const triesKept = {
  /** Older ones go, ms. */
  longest: 90 * 24 * 3_600_000,
  /** Maximum number of rows kept, the newest. */
  most: 100_000,
  /** Rows are deleted once in this many failed attempts … */
  every: 1_000,
  /** … or this long after the last deletion, whichever comes first, ms. */
  interval: 3_600_000,
};

/** Keeps the audit of failed tries within its bounds. */
export interface TriesRetention {
  /**
   * Called for each failed attempt once its row is complete. Never throws: rows that cannot be deleted now are deleted
   * later.
   */
  failed(): Promise<void>;
}

/** @param now the time in ms */
export function createTriesRetention(
  { db }: Pick<Store, 'db'>,
  log: Logger,
  now: () => number,
  limits = triesKept,
): TriesRetention {
  let failures = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;

  return {
    async failed() {
      failures += 1;
      if (failures < limits.every && now() - lookedAt < limits.interval) return;
      failures = 0;
      lookedAt = now();
      try {
        const firstTooMany = db
          .select({ id: audit.id })
          .from(audit)
          .where(isFailedTry)
          .orderBy(sql`${audit.id} desc`)
          .offset(limits.most)
          .limit(1);
        const oldest = new Date(now() - limits.longest).toISOString();
        await db
          .delete(audit)
          .where(and(isFailedTry, or(lt(audit.startedAt, oldest), lte(audit.id, sql`(${firstTooMany})`))));
      } catch (error) {
        log.warn({ err: describeError(error) }, 'Old failed sign-ins could not be taken out of the audit');
      }
    },
  };
}
