import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from './clock.ts';

/** Pause between the last list that ended and the collection, ms. */
const pause = 1_000;
/** Less than this is not worth the pause of a collection, bytes. */
const worthwhile = 10 * 1024 * 1024;

/** The share of what was held that may be gone before it is collected is the rest of this one. */
const keptShare = 0.75;

type Collect = (options: {
  readonly type: 'major';
  readonly execution: 'sync';
  readonly flavor: 'last-resort';
}) => void;

/** Collects everything that can be, and returns the pages of the heap to the system: some 0.2 s. */
export function collectAll(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * Returns memory to the system after a quarter of what was held was let go. V8 collects when a process allocates: one that has
 * nothing to do any more would keep all it ever had.
 */
export class MemoryReturn {
  readonly #size: () => number;
  readonly #clock: Clock;
  readonly #collect: () => void;
  #most = 0;
  #cancel: (() => void) | undefined;

  /** @param size about how much is held now, bytes */
  constructor(size: () => number, clock: Clock, collect: () => void = collectAll) {
    this.#size = size;
    this.#clock = clock;
    this.#collect = collect;
  }

  /** To be called now and then, and before much is let go. */
  note(): void {
    this.#most = Math.max(this.#most, this.#size());
  }

  /** Something was let go. */
  letGo(): void {
    this.#cancel?.();
    this.#cancel = this.#clock.after(pause, () => {
      this.#cancel = undefined;
      const size = this.#size();
      if (size > this.#most * keptShare || this.#most - size < worthwhile) return;
      this.#most = size;
      this.#collect();
    });
  }

  dispose(): void {
    this.#cancel?.();
  }
}
