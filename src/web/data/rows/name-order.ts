import type { CellValue, Row } from '../../../contract/live.ts';
import { type Compare, Sequence, withRoom } from './sequence.ts';
import { plainText, sortText } from './sort-key.ts';
import { Changes, type RowStore } from './store.ts';

/** More of a list than this share of it is sorted with it instead of being put in one by one. */
const largeShare = 0.25;
/** States of a slot. */
const [absentMark, presentMark, leavingMark] = [0, 1, 2];

/**
 * The rows of a store by name, namespace and uid, and the place of each as a number: every order of the list compares two
 * of these numbers where rows are equal in it.
 */
export class NameOrder {
  readonly nameAt: number;
  readonly namespaceAt: number;
  readonly #rows: RowStore;
  readonly #changes = new Changes();
  readonly #sequence = new Sequence();
  #marks = new Uint8Array(0);
  #names: CellValue[] = [];
  #texts: string[] = [];
  #namespaces: CellValue[] = [];
  #namespaceTexts: string[] = [];
  #ranks = new Uint32Array(0);
  #epoch = 0;

  /** @param nameAt where in a row its name is; `namespaceAt` is -1 where there is none */
  constructor(rows: RowStore, nameAt: number, namespaceAt: number) {
    this.#rows = rows;
    this.nameAt = nameAt;
    this.namespaceAt = namespaceAt;
  }

  /** Every row's slot, by name. */
  get slots(): Uint32Array<ArrayBuffer> {
    return this.#sequence.slots;
  }

  /** Names as they sort, by slot. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  /** Grows when rows that were known stand otherwise to each other: an object was renamed, or slots mean other rows. */
  get epoch(): number {
    return this.#epoch;
  }

  /** The slot that stands first by name, namespace and uid, of two that are in the list. */
  readonly compare: Compare = (a, b) => (this.#ranks[a] ?? 0) - (this.#ranks[b] ?? 0);

  /** Takes in what changed in the store. */
  catchUp(): void {
    const changed = this.#changes.of(this.#rows);
    if (changed === undefined) return this.#begin();
    if (changed.length === 0) return;
    this.#marks = withRoom(this.#marks, this.#rows.room);
    const added: number[] = [];
    let hasLeft = false;
    for (const slot of changed) {
      const row = this.#rows.at(slot);
      const isKnown = this.#marks[slot] === presentMark;
      if (row === undefined) {
        if (isKnown) this.#marks[slot] = leavingMark;
        hasLeft ||= isKnown;
      } else if (!isKnown) {
        this.#learn(slot, row);
        added.push(slot);
      } else if (!this.#isCalledTheSame(slot, row)) return this.#begin();
    }
    if (hasLeft) this.#sequence.remove(this.#marks, leavingMark);
    for (const slot of changed) if (this.#marks[slot] === leavingMark) this.#marks[slot] = absentMark;
    if (added.length === 0) return;
    if (added.length > this.#sequence.size * largeShare)
      this.#sort([...this.slots, ...added.sort(this.#byText)]);
    else this.#sequence.insert(added, this.#byText);
    this.#number();
  }

  #begin(): void {
    this.#epoch += 1;
    this.#marks = new Uint8Array(this.#rows.room);
    this.#names = [];
    this.#texts = [];
    this.#namespaces = [];
    this.#namespaceTexts = [];
    const slots: number[] = [];
    for (let slot = 0; slot < this.#rows.room; slot += 1) {
      const row = this.#rows.at(slot);
      if (row === undefined) continue;
      this.#learn(slot, row);
      slots.push(slot);
    }
    this.#sort(slots);
    this.#number();
  }

  #learn(slot: number, row: Row): void {
    const [name, namespace] = this.#cellsOf(row);
    this.#marks[slot] = presentMark;
    this.#names[slot] = name;
    this.#namespaces[slot] = namespace;
    this.#texts[slot] = sortText(plainText(name));
    this.#namespaceTexts[slot] = sortText(plainText(namespace));
  }

  #cellsOf(row: Row): readonly [name: CellValue, namespace: CellValue] {
    return [row[1][this.nameAt] ?? null, row[1][this.namespaceAt] ?? null];
  }

  #isCalledTheSame(slot: number, row: Row): boolean {
    const [name, namespace] = this.#cellsOf(row);
    return this.#names[slot] === name && this.#namespaces[slot] === namespace;
  }

  readonly #byText: Compare = (a, b) =>
    compareTexts(this.#texts[a], this.#texts[b]) ||
    compareTexts(this.#namespaceTexts[a], this.#namespaceTexts[b]) ||
    compareTexts(this.#rows.at(a)?.[0], this.#rows.at(b)?.[0]);

  /** Of slots of which many stand in order already, as the server sends them: these are found and merged. */
  #sort(slots: number[]): void {
    this.#sequence.replace(Uint32Array.from(slots.sort(this.#byText)));
  }

  /** Numbers every row by its place. Those that left need no room: only the order of the numbers counts. */
  #number(): void {
    const ranks = withRoom(this.#ranks, this.#rows.room);
    const { slots } = this;
    for (let at = 0; at < slots.length; at += 1) ranks[slots[at] ?? 0] = at;
    this.#ranks = ranks;
  }
}

const compareTexts = (a = '', b = ''): number => (a === b ? 0 : a < b ? -1 : 1);
