/**
 * The keys of a sequence that are pressed so far. Whether the next one still belongs to it is told by the moment at
 * which it was pressed: on a busy page a key may be handled long after that, and after every timer.
 */
export class KeySequence {
  #strokes: readonly string[] = [];
  #isLed = false;
  /** `event.timeStamp` of the last key that may continue the sequence. */
  #until = Number.POSITIVE_INFINITY;

  get strokes(): readonly string[] {
    return this.#strokes;
  }

  /** The terminal's leader was pressed: the next key goes to the console. */
  get isLed(): boolean {
    return this.#isLed;
  }

  /** Whether the next key begins a sequence. */
  get isEmpty(): boolean {
    return this.#strokes.length === 0 && !this.#isLed;
  }

  /** Begins a sequence, or continues it with the keys so far. */
  begin(strokes: readonly string[]): void {
    this.#strokes = strokes;
    this.hold();
  }

  /** Begins a sequence with the terminal's leader. */
  lead(): void {
    this.clear();
    this.#isLed = true;
  }

  /** Waits for the next key as long as it takes. */
  hold(): void {
    this.#until = Number.POSITIVE_INFINITY;
  }

  /** Waits for keys that are pressed until a moment. @param until on the clock of `event.timeStamp` (ms) */
  waitUntil(until: number): void {
    this.#until = until;
  }

  /** Forgets the keys if a key comes too late for them. @param pressedAt its `event.timeStamp` (ms) */
  expire(pressedAt: number): void {
    if (pressedAt > this.#until) this.clear();
  }

  clear(): void {
    this.#strokes = [];
    this.#isLed = false;
    this.hold();
  }
}
