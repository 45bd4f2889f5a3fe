import type { Clock } from '../kit/clock.ts';
import { pause } from '../kit/pause.ts';
import { isStoreUnavailable } from './problem.ts';

/** A restart of the database, or a change to its standby, takes no longer, ms. */
const patience = 60_000;
/** Whether it is back is tried this often, ms. */
const interval = 1_000;

/**
 * Does something, and again while the database is away. Throws what else fails, the signal's reason, and the error of a
 * database that is away for longer than a minute.
 */
export async function outlastStoreAbsence<T>(
  run: () => Promise<T>,
  clock: Clock,
  signal = new AbortController().signal,
): Promise<T> {
  const began = clock.now();
  for (;;) {
    signal.throwIfAborted();
    try {
      return await run();
    } catch (error) {
      if (!isStoreUnavailable(error) || clock.now() - began >= patience) throw error;
      await pause(clock, interval, signal);
    }
  }
}
