import type { Clock } from '../../kit/clock.ts';

/** How many messages may come at once, and how many more each second. */
export interface PaceLimits {
  readonly burst: number;
  readonly perSecond: number;
}

/** Counts messages against a pace. */
export class Pace {
  readonly #limits: PaceLimits;
  readonly #clock: Clock;
  #left: number;
  #countedAt: number;

  constructor(limits: PaceLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#left = limits.burst;
    this.#countedAt = clock.now();
  }

  /** Counts one message; true when it comes too early. */
  isTooFast(): boolean {
    const { burst, perSecond } = this.#limits;
    const now = this.#clock.now();
    this.#left = Math.min(burst, this.#left + ((now - this.#countedAt) / 1000) * perSecond) - 1;
    this.#countedAt = now;
    return this.#left < 0;
  }
}
