/** Changes of one subject are handed on at most this often (ms), those of other subjects along with them. */
const batchInterval = 100;
/** The same for subjects whose changes are costly to render. */
const largeBatchInterval = 250;

/** Inputs of `ChangeBatches`. */
export interface ChangeBatchesParts<T> {
  /** Milliseconds. */
  readonly now: () => number;
  readonly later: (run: () => void, ms: number) => () => void;
  /** Whether the changes of a subject are costly to render. */
  readonly isLarge: (subject: T) => boolean;
  /** Takes every subject that changed. */
  readonly hand: (changed: readonly T[]) => void;
}

/** Hands changes on together: at once after a quiet while, else at intervals. */
export class ChangeBatches<T extends object> {
  readonly #parts: ChangeBatchesParts<T>;
  readonly #changed = new Set<T>();
  /** When the changes of a subject were last handed on, ms. */
  readonly #handedAt = new WeakMap<T, number>();
  #cancel: (() => void) | undefined;
  #dueAt = Number.POSITIVE_INFINITY;

  constructor(parts: ChangeBatchesParts<T>) {
    this.#parts = parts;
  }

  /** Notes that a subject changed. */
  add(subject: T): void {
    this.#changed.add(subject);
    const now = this.#parts.now();
    const wait = this.#parts.isLarge(subject) ? largeBatchInterval : batchInterval;
    const handedAt = this.#handedAt.get(subject) ?? Number.NEGATIVE_INFINITY;
    // The first change of a subject after a quiet while does not wait, whatever else changes on the page.
    const due = Math.max(now, Math.min(now + wait, handedAt + wait));
    if (due < this.#dueAt) this.#schedule(due, now);
  }

  /** Hands on next, in a task of its own: reading and rendering together would be one long task. */
  flushNext(): void {
    const now = this.#parts.now();
    this.#schedule(now, now);
  }

  /** Drops the changes of a subject. */
  remove(subject: T): void {
    this.#changed.delete(subject);
  }

  /** Hands on now. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#dueAt = Number.POSITIVE_INFINITY;
    if (this.#changed.size === 0) return;
    const now = this.#parts.now();
    const changed = [...this.#changed];
    for (const subject of changed) this.#handedAt.set(subject, now);
    this.#changed.clear();
    this.#parts.hand(changed);
  }

  #schedule(due: number, now: number): void {
    this.#cancel?.();
    this.#dueAt = due;
    this.#cancel = this.#parts.later(() => this.flush(), due - now);
  }
}
