/** How many messages may come at once, and how many more each second. */
export interface PaceLimits {
  readonly burst: number;
  readonly perSecond: number;
}

/** Counts messages against a pace. */
export class Pace {
  readonly #limits: PaceLimits;
  readonly #now: () => number;
  #left: number;
  #countedAt: number;

  /** @param now the time in ms */
  constructor(limits: PaceLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
    this.#left = limits.burst;
    this.#countedAt = now();
  }

  /** Counts one message; true when it comes too early. */
  isTooFast(): boolean {
    const { burst, perSecond } = this.#limits;
    const now = this.#now();
    this.#left = Math.min(burst, this.#left + ((now - this.#countedAt) / 1000) * perSecond) - 1;
    this.#countedAt = now;
    return this.#left < 0;
  }
}
