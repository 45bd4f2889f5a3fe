const waits = {
  /** The first one that finds no turn comes again after this, ms. */
  min: 1_000,
  /** The next one comes again so much later, ms. */
  between: 50,
  max: 60_000,
} as const;

/** How many do something with one and the same at a time; who finds no turn goes away and comes again. */
export class Turns<Key> {
  readonly #size: number;
  readonly #taken = new Map<Key, number>();
  /** When the last one that found no turn comes again, epoch ms. */
  readonly #lasts = new Map<Key, number>();

  /** @param size how many at a time for each key */
  constructor(size: number) {
    this.#size = size;
  }

  /** Takes a turn, which has to be ended. False where all are taken. */
  take(key: Key): boolean {
    const taken = this.#taken.get(key) ?? 0;
    if (taken >= this.#size) return false;
    this.#taken.set(key, taken + 1);
    return true;
  }

  end(key: Key): void {
    const taken = (this.#taken.get(key) ?? 1) - 1;
    if (taken > 0) {
      this.#taken.set(key, taken);
      return;
    }
    this.#taken.delete(key);
    this.#lasts.delete(key);
  }

  /** How long one that found no turn waits, ms: many of them do not come again at once. @param now epoch ms */
  waitOf(key: Key, now: number): number {
    const next = Math.max(now + waits.min, (this.#lasts.get(key) ?? 0) + waits.between);
    const at = Math.min(next, now + waits.max);
    this.#lasts.set(key, at);
    return at - now;
  }
}
