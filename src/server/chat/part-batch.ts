import type { Clock } from '../kit/clock.ts';
import type { ToldPart } from './answer-log.ts';

/** Maximum delay of a part, ms, and maximum number of parts that wait. */
const batchInterval = 400;
const batchSize = 25;

/** Stores parts of an answer in batches: the first one at once, later ones together. */
export class PartBatch {
  readonly #store: (parts: readonly ToldPart[]) => Promise<void>;
  readonly #clock: Clock;
  readonly #waiting: ToldPart[] = [];
  #stored: Promise<void> = Promise.resolve();
  #lastAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(store: (parts: readonly ToldPart[]) => Promise<void>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Adds parts. Throws what storing an earlier batch threw. */
  async add(parts: readonly ToldPart[]): Promise<void> {
    if (parts.length === 0) return;
    this.#waiting.push(...parts);
    const isDue = this.#clock.now() - this.#lastAt >= batchInterval;
    if (isDue || this.#waiting.length >= batchSize) return await this.flush();
    // A failure is thrown by the next batch.
    this.#cancel ??= this.#clock.after(batchInterval, () => void this.flush().catch(() => undefined));
  }

  /** Stores what waits. Throws what storing it, or an earlier batch, threw. */
  async flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    const parts = this.#waiting.splice(0);
    if (parts.length > 0) {
      this.#lastAt = this.#clock.now();
      this.#stored = this.#stored.then(() => this.#store(parts));
      this.#stored.catch(() => undefined);
    }
    await this.#stored;
  }
}
