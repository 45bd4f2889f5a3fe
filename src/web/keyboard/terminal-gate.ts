import { typedGap } from '../kit/typed-gap.ts';

/**
 * Keeps the rest of a typed text out of a terminal that one of its keys opened: as input it would be a command in a
 * container. A terminal takes keys once one of them follows after a pause.
 */
export class TerminalGate {
  /** `event.timeStamp` of the last key that went to no terminal. */
  #at = Number.NEGATIVE_INFINITY;
  readonly #opened = new WeakSet<Element>();

  /** Notes a key that is pressed outside of terminals, and its `event.timeStamp` (ms). */
  note(at: number): void {
    this.#at = at;
  }

  /** Whether a key in a terminal, pressed at a time (ms), continues what was typed before the terminal had the focus. */
  holdsBack(terminal: Element, at: number): boolean {
    if (this.#opened.has(terminal)) return false;
    if (at - this.#at > typedGap) {
      this.#opened.add(terminal);
      return false;
    }
    this.#at = at;
    return true;
  }
}
