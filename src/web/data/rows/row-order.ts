import type { NameOrder } from './name-order.ts';
import { byRank, type Ranks, ranksOfNumbers, ranksOfPairs, ranksOfTexts } from './ranks.ts';
import { type Compare, Sequence, withRoom } from './sequence.ts';
import { plainText, type RowKey, sortText } from './sort-key.ts';
import { Changes, type RowStore } from './store.ts';

/** More of a list than this share of it is faster sorted anew. */
const largeShare = 0.25;
/** States of a slot. */
const [absentMark, presentMark, leavingMark] = [0, 1, 2];

/**
 * The rows of a store ordered by a key, then by name. The keys are stored by slot: a change moves only the rows whose
 * key changed, and touches no other row.
 */
export class RowOrder {
  readonly #rows: RowStore;
  readonly #names: NameOrder;
  #key: RowKey;
  readonly #changes = new Changes();
  #namesEpoch = -1;
  readonly #sequence = new Sequence();
  #marks = new Uint8Array(0);
  #numbers: Float64Array<ArrayBuffer> | undefined;
  #texts: string[] | undefined;

  /** @param names of the same rows; caught up before this order is */
  constructor(rows: RowStore, names: NameOrder, key: RowKey) {
    this.#rows = rows;
    this.#names = names;
    this.#key = key;
  }

  get key(): RowKey {
    return this.#key;
  }

  /** Every row's slot, in order. */
  get slots(): Uint32Array<ArrayBuffer> {
    return this.#sequence.slots;
  }

  /** Applies the changes of the store; returns whether a row has another position now. */
  catchUp(): boolean {
    const changed = this.#changes.of(this.#rows);
    const isKnown = changed !== undefined && this.#namesEpoch === this.#names.epoch;
    this.#namesEpoch = this.#names.epoch;
    if (!isKnown || changed.length > this.#sequence.size * largeShare) {
      this.#begin();
      return true;
    }
    return this.#move(changed);
  }

  /** Turns the order: rows that are equal in it still stand by name. */
  turn(): void {
    const { slots } = this;
    const turned = new Uint32Array(slots.length);
    let to = 0;
    for (let end = slots.length; end > 0; ) {
      let start = end - 1;
      while (start > 0 && this.#byKey(slots[start - 1] ?? 0, slots[end - 1] ?? 0) === 0) start -= 1;
      for (let at = start; at < end; at += 1, to += 1) turned[to] = slots[at] ?? 0;
      end = start;
    }
    this.#key = { ...this.#key, isDescending: !this.#key.isDescending };
    this.#sequence.replace(turned);
  }

  /** Sorts anew: counts the rows of each key over the rows by name, and compares only keys that differ. */
  #begin(): void {
    const rows = this.#rows;
    this.#marks = new Uint8Array(rows.room);
    const ranks: Ranks[] = [];
    const { number, textAt } = this.#key;
    // Asked in the order in which memory holds the rows: by name, each would wait for memory of its own.
    if (number !== undefined) {
      const numbers = new Float64Array(rows.room);
      for (let slot = 0; slot < rows.room; slot += 1) {
        const row = rows.at(slot);
        if (row !== undefined) numbers[slot] = number(row);
      }
      this.#numbers = numbers;
      ranks.push(ranksOfNumbers(numbers));
    }
    if (textAt === this.#names.nameAt) ranks.push(this.#nameRanks());
    else if (textAt !== undefined) {
      const texts: string[] = [];
      for (let slot = 0; slot < rows.room; slot += 1) texts.push(plainText(rows.at(slot)?.[1][textAt]));
      const { ranks: ofTexts, prepared } = ranksOfTexts(texts, sortText);
      this.#texts = prepared;
      ranks.push(ofTexts);
    }
    const [first = { of: new Uint32Array(rows.room), count: 1 }, second] = ranks;
    const both = second === undefined ? first : ranksOfPairs(first, second);
    const { slots } = this.#names;
    for (let at = 0; at < slots.length; at += 1) this.#marks[slots[at] ?? 0] = presentMark;
    this.#sequence.replace(byRank(slots, both, this.#key.isDescending));
  }

  /** Each row's place among the different names. */
  #nameRanks(): Ranks {
    const { slots, texts } = this.#names;
    const of = new Uint32Array(this.#rows.room);
    let rank = 0;
    for (let at = 0; at < slots.length; at += 1) {
      const slot = slots[at] ?? 0;
      if (at > 0 && texts[slot] !== texts[slots[at - 1] ?? 0]) rank += 1;
      of[slot] = rank;
    }
    return { of, count: rank + 1 };
  }

  #move(changed: readonly number[]): boolean {
    this.#marks = withRoom(this.#marks, this.#rows.room);
    const marks = this.#marks;
    const moved: number[] = [];
    let hasLeft = false;
    for (const slot of changed) {
      const isKnown = marks[slot] === presentMark;
      if (this.#rows.at(slot) === undefined) {
        if (isKnown) marks[slot] = leavingMark;
        hasLeft ||= isKnown;
      } else if (this.#learn(slot) || !isKnown) {
        if (isKnown) marks[slot] = leavingMark;
        hasLeft ||= isKnown;
        moved.push(slot);
      }
    }
    if (!hasLeft && moved.length === 0) return false;
    if (hasLeft) this.#sequence.remove(marks, leavingMark);
    for (const slot of changed) marks[slot] = this.#rows.at(slot) === undefined ? absentMark : presentMark;
    this.#sequence.insert(moved, this.#compare);
    return true;
  }

  /** Writes down what a row is compared by; answers whether that is another than before. */
  #learn(slot: number): boolean {
    const row = this.#rows.at(slot);
    const { number, textAt } = this.#key;
    let isOther = false;
    if (row !== undefined && number !== undefined) {
      const value = number(row);
      const numbers = withRoom(this.#numbers ?? new Float64Array(0), this.#rows.room);
      isOther = numbers[slot] !== value;
      numbers[slot] = value;
      this.#numbers = numbers;
    }
    if (row !== undefined && this.#texts !== undefined && textAt !== undefined) {
      const text = sortText(plainText(row[1][textAt]));
      isOther ||= this.#texts[slot] !== text;
      this.#texts[slot] = text;
    }
    return isOther;
  }

  #byKey(a: number, b: number): number {
    const numbers = this.#numbers;
    if (numbers !== undefined) {
      const left = numbers[a] ?? 0;
      const right = numbers[b] ?? 0;
      if (left !== right) return left < right ? -1 : 1;
    }
    if (this.#key.textAt === undefined) return 0;
    const texts = this.#texts ?? this.#names.texts;
    const left = texts[a] ?? '';
    const right = texts[b] ?? '';
    return left === right ? 0 : left < right ? -1 : 1;
  }

  readonly #compare: Compare = (a, b) => {
    const by = this.#byKey(a, b);
    return (this.#key.isDescending ? -by : by) || this.#names.compare(a, b);
  };
}
