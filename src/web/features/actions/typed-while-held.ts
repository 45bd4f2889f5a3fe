/** Number of letters, Enter among them, that make a text of the keys pressed while a change is held. */
const lettersOfText = 3;

/** Keys that move the cursor or begin a sequence: people press them in quick succession. */
const movingKeys = /^[jkg]$/;

/** Keys that lead into a field for a search, an address or a command: what follows them is meant for that field. */
const leadingKeys = /^[/:]$/;

/**
 * Keys pressed while a change is held that a key asked for. A person who did not know where the focus is goes on with a
 * word, at any pace: that word was meant for a field, and its first letter asked for nothing.
 */
export class TypedWhileHeld {
  #letters: number;
  /** The last key was a letter of a possible word. */
  #isInWord: boolean;
  /** All keys so far are letters of a possible word. */
  #isUnbroken = true;
  /** The keys that follow are meant for a field. */
  #isLed = false;
  /** A key that waited for its command is handled a second time. */
  readonly #known = new WeakSet<object>();

  /** @param goesOn the key that asked for the change goes on with a word whose beginning asked for another one */
  constructor(goesOn = false) {
    this.#letters = goesOn ? 1 : 0;
    this.#isInWord = goesOn;
  }

  /** Whether the key that asked for the change and all after it are letters of a possible word. */
  get isWord(): boolean {
    return this.#isInWord && this.#isUnbroken;
  }

  /**
   * Adds a key.
   * @returns whether the keys are a text by now, or may become one
   */
  add(
    event: Pick<KeyboardEvent, 'key' | 'repeat' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  ): 'text' | 'begun' | 'none' {
    if (this.#known.has(event)) return 'none';
    this.#known.add(event);
    const { key, repeat, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || leadingKeys.test(key)) this.#isLed = true;
    const isEnd = key === 'Enter' || key === ' ';
    if (this.#isLed || repeat || (!isEnd && !/^.$/u.test(key))) {
      this.#isUnbroken = false;
      return 'none';
    }
    const endsWord = isEnd && this.#isInWord;
    this.#isInWord = !isEnd && !movingKeys.test(key);
    if (!this.#isInWord) this.#isUnbroken = false;
    if (this.#isInWord || key === 'Enter') this.#letters += 1;
    if (endsWord || this.#letters >= lettersOfText) return 'text';
    return this.#isInWord ? 'begun' : 'none';
  }
}
