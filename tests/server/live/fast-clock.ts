import type { Clock } from '../../../src/server/kit/clock.ts';

/** A clock that runs `factor` times as fast as the machine's: minutes of waiting in seconds, with real I/O. */
export function createFastClock(factor: number): Clock {
  const start = Date.now();
  return {
    now: () => start + (Date.now() - start) * factor,
    random: () => Math.random(),
    after: (ms, run) => {
      const timer = setTimeout(run, ms / factor);
      return () => clearTimeout(timer);
    },
  };
}
