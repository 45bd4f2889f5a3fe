import { typedGap } from '../kit/typed-gap.ts';
import { writesCharacter } from './keyed-elements.ts';

/** The keys around one key, from its press on. */
export interface FollowedKey {
  /** Whether the key is part of a text by now, also where other keys came after that text. */
  readonly isText: boolean;
  /** Whether it chose a menu entry that was found by a typed word. */
  readonly choseByWord: boolean;
  /** Calls a function once if the key turns out to be part of a text, at once if it has. */
  readonly onText: (watcher: () => void) => void;
}

/**
 * Keys pressed in quick succession outside of fields. A key that acts is pressed alone; several characters, or one and
 * Enter, are a text that was meant for a field.
 */
export class TypedRun {
  /** `event.timeStamp` of the last key. */
  #at = Number.NEGATIVE_INFINITY;
  #count = 0;
  /** How many of them are neither Enter nor Space, which press buttons and tick boxes in quick succession. */
  #letters = 0;
  /** The last key was Enter, which ends a text. */
  #isEnded = false;
  /** Where letters were typed that mean nothing there, and how many since the person moved, at any pace. */
  #place: object | null = null;
  #missed = 0;
  #choseByWord = false;
  readonly #watchers = new Set<() => void>();

  /** Whether the last key is part of a text. */
  get isText(): boolean {
    return this.#count > 1;
  }

  /**
   * Whether Enter or Space as the last key ends a text of several letters. One letter and a blank begin a text as well;
   * one and Enter may be a key that opens a dialog and its answer.
   */
  get endsWord(): boolean {
    return this.#letters > (this.#isEnded ? 1 : 0);
  }

  /** Whether letters were typed at a place that mean nothing there: a word that was meant for a field. */
  isAfterWord(place: object | null): boolean {
    return place !== null && place === this.#place && this.#missed > 1;
  }

  /** Counts a key that means nothing at a place. */
  miss(stroke: string, place: object | null): void {
    if (place !== this.#place) this.#missed = 0;
    this.#place = place;
    if (stroke !== 'space' && writesCharacter(stroke)) this.#missed += 1;
  }

  /** Notes that Enter or Space chooses an entry of a menu, for what it asks for. */
  choose(menu: object): void {
    this.#choseByWord = this.isAfterWord(menu);
  }

  /** Forgets a word that a button was not pressed after: the same key pressed again is meant. */
  forgetWord(): void {
    this.#missed = 0;
  }

  /**
   * Adds a key.
   * @param at its `event.timeStamp` (ms)
   * @param isText false for a key that people press in quick succession with others, as one that moves the cursor
   */
  add(stroke: string, at: number, isText = true): void {
    if (stroke !== 'enter' && !writesCharacter(stroke)) {
      this.#missed = 0;
      return;
    }
    if (this.#isEnded || at - this.#at > typedGap) {
      this.#count = 0;
      this.#letters = 0;
      this.#watchers.clear();
    }
    this.#isEnded = stroke === 'enter';
    this.#at = at;
    if (isText) {
      this.#count += 1;
      if (stroke !== 'enter' && stroke !== 'space') this.#letters += 1;
    }
    if (!this.isText) return;
    for (const watcher of this.#watchers) watcher();
    this.#watchers.clear();
  }

  /** Leaves the last counted key out: it began a sequence that people press in quick succession with other keys. */
  takeBack(): void {
    this.#count = Math.max(0, this.#count - 1);
    this.#letters = Math.max(0, this.#letters - 1);
  }

  /** Follows the last key: what it asked for may begin when the rest of its text has been typed. */
  follow(): FollowedKey {
    let { isText } = this;
    const choseByWord = this.#choseByWord;
    this.#choseByWord = false;
    const watchers = new Set<() => void>();
    if (!isText)
      this.#watchers.add(() => {
        isText = true;
        for (const watcher of watchers) watcher();
      });
    return {
      get isText() {
        return isText;
      },
      choseByWord,
      onText: (watcher) => {
        if (isText) watcher();
        else watchers.add(watcher);
      },
    };
  }
}
