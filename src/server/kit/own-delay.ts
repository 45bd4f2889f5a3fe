import { performance } from 'node:perf_hooks';

/** The share of time in which a process that has this much to do reads answers late. */
const busyShare = 0.8;
/** In less time than this nobody waits for an answer, ms. */
const leastTime = 1_000;

/**
 * Begins to measure; the answer tells whether this process had something to do for most of the time since: what was not
 * answered in time may have been answered, and says nothing of who was asked.
 */
export function measureDelay(): () => boolean {
  const before = performance.eventLoopUtilization();
  return () => {
    const { active, idle, utilization } = performance.eventLoopUtilization(before);
    return active + idle >= leastTime && utilization > busyShare;
  };
}
