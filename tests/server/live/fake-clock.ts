import type { Clock } from '../../../src/server/kit/clock.ts';

/** A clock that stands still until it is told to go on. */
export interface FakeClock extends Clock {
  /** Timers that are set. */
  readonly pending: number;
  /** Goes on by `ms`, calling timers in order; between them everything that is ready runs. */
  advance(ms: number): Promise<void>;
}

/** Lets everything that is ready run: promises, immediates and what they start. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** @param random what `random()` gives, 0.5 without it. */
export function createFakeClock(random: () => number = () => 0.5): FakeClock {
  let now = Date.parse('2026-01-01T00:00:00Z');
  let timers: { at: number; run: () => void }[] = [];
  return {
    now: () => now,
    random,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    get pending() {
      return timers.length;
    },
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (;;) {
        const next = timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        timers = timers.filter((timer) => timer !== next);
        now = Math.max(now, next.at);
        next.run();
        await settle();
      }
      now = end;
      await settle();
    },
  };
}
