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

  /** Starts the queue with the key that waits for its command, or adds a key at its end. */
  add(key: Key): void {
    if (this.#keys === undefined) this.#keys = [key];
    else this.#keys.push(key);
  }

  /** Drops every key. */
  clear(): void {
    this.#keys = undefined;
  }

  /** Handles the keys one by one: where one leads into a field, the next ones are its text. */
  async replay(): Promise<void> {
    this.#isReplaying = true;
    for (let key = this.#keys?.shift(); key !== undefined; key = this.#keys?.shift()) {
      if (!this.#parts.write(key)) this.#parts.take(key);
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
