import type { Clock } from '../kit/clock.ts';

/** An answer, and those who wait for it. */
interface Shared<T> {
  readonly at: number;
  readonly answer: Promise<T>;
  readonly ending: AbortController;
  /** Number of those who wait for it; without anybody its work ends. */
  waiting: number;
}

/** Answers that everybody shares who asks the same within some time. One whom nobody waits for any more is given up. */
export class SharedAnswers<T> {
  readonly #clock: Clock;
  readonly #limits: { readonly keptMs: number; readonly count: number };
  readonly #all = new Map<string, Shared<T>>();

  /** @param limits how long an answer holds, ms, and how many are kept */
  constructor(clock: Clock, limits: { readonly keptMs: number; readonly count: number }) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /**
   * The answer to what a key names, read unless it is known. What fails is asked anew.
   * @param signal of who asks
   */
  get(key: string, signal: AbortSignal | undefined, read: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const known = this.#all.get(key);
    const shared =
      known !== undefined && this.#clock.now() - known.at < this.#limits.keptMs
        ? known
        : this.#begin(key, read);
    this.#join(key, shared, signal);
    return shared.answer;
  }

  #begin(key: string, read: (signal: AbortSignal) => Promise<T>): Shared<T> {
    this.#forget();
    const ending = new AbortController();
    const shared: Shared<T> = { at: this.#clock.now(), answer: read(ending.signal), ending, waiting: 0 };
    // To the end, among the newest.
    this.#all.delete(key);
    this.#all.set(key, shared);
    shared.answer.catch(() => this.#drop(key, shared));
    return shared;
  }

  #join(key: string, shared: Shared<T>, signal: AbortSignal | undefined): void {
    shared.waiting += 1;
    if (signal === undefined) return;
    const leave = () => {
      shared.waiting -= 1;
      if (shared.waiting > 0) return;
      this.#drop(key, shared);
      shared.ending.abort();
    };
    const stay = () => signal.removeEventListener('abort', leave);
    if (signal.aborted) leave();
    else {
      signal.addEventListener('abort', leave, { once: true });
      shared.answer.then(stay, stay);
    }
  }

  #drop(key: string, shared: Shared<T>): void {
    if (this.#all.get(key) === shared) this.#all.delete(key);
  }

  /** Drops the answers that hold no longer, and the oldest beyond the number that is kept. */
  #forget(): void {
    const now = this.#clock.now();
    for (const [key, { at }] of this.#all) {
      if (now - at < this.#limits.keptMs && this.#all.size < this.#limits.count) break;
      this.#all.delete(key);
    }
  }
}
