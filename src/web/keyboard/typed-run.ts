import { writesCharacter } from './keyed-elements.ts';

/** Maximum time between two keys of one typed text, ms. */
export const typedGap = 500;

/** Keys that move the cursor or undo: pressed in quick succession with others they are no text. */
const calm = /^(?:shift\+)?[jk]$|^u$/;

/**
 * Keys pressed in quick succession outside of fields. A key that acts is pressed alone; several characters, or one and
 * Enter, are a text that was meant for a field.
 */
export class TypedRun {
  /** `event.timeStamp` of the last key. */
  #at = Number.NEGATIVE_INFINITY;
  #count = 0;
  readonly #watchers = new Set<() => void>();

  /** Whether the last key is part of a text. */
  get isText(): boolean {
    return this.#count > 1;
  }

  /** Adds a key. @param at its `event.timeStamp` (ms) */
  add(stroke: string, at: number): void {
    if (stroke !== 'enter' && !writesCharacter(stroke)) return;
    if (at - this.#at > typedGap) {
      this.#count = 0;
      this.#watchers.clear();
    }
    this.#at = at;
    if (!calm.test(stroke)) this.#count += 1;
    if (!this.isText) return;
    for (const watcher of this.#watchers) watcher();
    this.#watchers.clear();
  }

  /** Calls a function once if further keys make the last one part of a text. */
  onText(watcher: () => void): void {
    this.#watchers.add(watcher);
  }
}
