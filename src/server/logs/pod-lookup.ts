import type { Clock } from '../kit/clock.ts';

/** Intervals at which the pods of a log are looked up, ms. */
export const lookupLimits = {
  /** Changes of pods within this time lead to one look. */
  settle: 300,
  /** The pods are looked up again after this time, whether they changed or not. */
  repeat: 20_000,
  /** A look that failed is repeated after this time. */
  retry: 3_000,
} as const;

/** Inputs of a repeated look-up. */
export interface PodLookupParts {
  readonly clock: Clock;
  /** Looks once. @returns the time until the next look (ms), or undefined where nothing more is to be looked up */
  readonly look: () => Promise<number | undefined>;
}

/** Looks something up again and again: soon after each change, and every now and then without one. */
export class PodLookup {
  readonly #parts: PodLookupParts;
  #cancel: (() => void) | undefined;
  #isLooking = false;
  /** It changed while a look was under way. */
  #isChanged = false;

  constructor(parts: PodLookupParts) {
    this.#parts = parts;
  }

  /** Looks now, unless a look is under way: then soon after it. */
  async now(): Promise<void> {
    if (this.#isLooking) {
      this.#isChanged = true;
      return;
    }
    this.#isLooking = true;
    let wait: number | undefined;
    try {
      wait = await this.#parts.look();
    } finally {
      this.#isLooking = false;
    }
    if (wait === undefined) {
      this.stop();
      return;
    }
    this.#in(this.#isChanged ? lookupLimits.settle : wait);
    this.#isChanged = false;
  }

  /** Something changed: looks soon. */
  soon(): void {
    this.#in(lookupLimits.settle);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #in(ms: number): void {
    this.#cancel?.();
    this.#cancel = this.#parts.clock.after(ms, () => void this.now());
  }
}
