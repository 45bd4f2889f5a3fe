/** Parts of the page that a queue of keys needs. */
export interface KeyQueueParts<Key> {
  /** Does what a key does to the text of the focused field; false for any other key, and without a field. */
  readonly write: (key: Key) => boolean;
  /** Handles a key. */
  readonly take: (key: Key) => void;
  /** Resolves once everything that a key did is done, also to the focus. */
  readonly settled: () => Promise<void>;
}

/** Queues keys until their commands are loaded, and then handles them in the order in which they were pressed. */
export class KeyQueue<Key> {
  readonly #parts: KeyQueueParts<Key>;
  /** Undefined while keys are handled at once. */
  #keys: Key[] | undefined;
  #isReplaying = false;

  constructor(parts: KeyQueueParts<Key>) {
    this.#parts = parts;
  }

  /** Whether keys are queued: those that come now may have to wait behind them. */
  get isActive(): boolean {
    return this.#keys !== undefined;
  }

  /** Adds a key at the end. */
  add(key: Key): void {
    this.#keys = [...(this.#keys ?? []), key];
  }

  /** Starts the queue with a key that waits for its command, or puts a replayed one back before those pressed after it. */
  wait(key: Key): void {
    this.#keys = [key, ...(this.#keys ?? [])];
    this.#isReplaying = false;
  }

  /**
   * Drops keys that something else has done meanwhile, unless keys are replayed, which passes over them.
   * @returns whether none is left that others would wait for
   */
  drop(isDone: (key: Key) => boolean): boolean {
    if (this.#keys === undefined || this.#isReplaying) return false;
    const left = this.#keys.filter((key) => !isDone(key));
    this.#keys = left.length === 0 ? undefined : left;
    return left.length === 0;
  }

  /** Drops every key. */
  clear(): void {
    this.#keys = undefined;
  }

  /**
   * Handles the keys one by one: where one leads into a field, the next ones are its text. Ends early at a key that has
   * to wait again.
   */
  async replay(): Promise<void> {
    if (this.#isReplaying) return;
    this.#isReplaying = true;
    for (let key = this.#keys?.shift(); key !== undefined; key = this.#keys?.shift()) {
      if (!this.#parts.write(key)) this.#parts.take(key);
      if (!this.#isReplaying) return;
      await this.#parts.settled();
    }
    this.#keys = undefined;
    this.#isReplaying = false;
  }

  /**
   * Writes the queued text before a key that comes into the field meanwhile.
   * @returns whether that key now overtakes none; true while nothing is replayed
   */
  catchUp(): boolean {
    const keys = this.#keys;
    if (!this.#isReplaying || keys === undefined) return true;
    for (let [key] = keys; key !== undefined && this.#parts.write(key); [key] = keys) keys.shift();
    return keys.length === 0;
  }
}
