import type { Row } from '../../../contract/live.ts';
import { hasSameCells } from './same-cells.ts';

/** A change of the rows of a list. */
export interface RowsDelta {
  /** Rows that are new or changed, by uid; null for one that went. */
  readonly rows: ReadonlyMap<string, Row | null>;
  /** These are all rows there are: every other one went. */
  readonly isWhole: boolean;
}

/** A small store is compacted once it has this many empty slots. */
const emptySlots = 64;
/** Number of changes that a small store remembers; a large store remembers as many as it has slots. */
const rememberedChanges = 1_000;

/**
 * The rows of one live list: changed in place, in the order in which they came. Each row has a slot, a number that stays its
 * own while it exists, so that orders, filters and counts keep what they know of rows in typed arrays by slot. Each of these
 * asks for the slots that changed since the version it knows.
 */
export class RowStore {
  readonly #slots = new Map<string, number>();
  #rows: (Row | undefined)[] = [];
  /** Slots that changed, oldest first, and the version before the first of them. */
  #changes: number[] = [];
  #since = 0;
  #epoch = 0;
  #movedTo = new Int32Array(0);
  #handedOn: LiveRows | undefined;
  /** The last answer of `changedSince`: many ask about the same version. */
  #asked: { readonly from: number; readonly to: number; readonly slots: readonly number[] } | undefined;

  /** Number of rows. */
  get size(): number {
    return this.#slots.size;
  }

  /** Grows with each change of a row. */
  get version(): number {
    return this.#since + this.#changes.length;
  }

  /** The rows, to be handed on: the same while no row is another. */
  get rows(): LiveRows {
    if (this.#handedOn?.version !== this.version) this.#handedOn = new LiveRows(this);
    return this.#handedOn;
  }

  /** Number of slots, empty ones included. */
  get room(): number {
    return this.#rows.length;
  }

  /** Grows when the store is closed up: slots of an earlier epoch mean other rows. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Where each slot of the epoch before is now; -1 for one that was empty. */
  get movedTo(): Int32Array {
    return this.#movedTo;
  }

  get(uid: string): Row | undefined {
    const slot = this.#slots.get(uid);
    return slot === undefined ? undefined : this.#rows[slot];
  }

  /** The slot of an object; -1 where it is not in the list. */
  slotOf(uid: string): number {
    return this.#slots.get(uid) ?? -1;
  }

  /** The row of a slot; undefined where that is empty. */
  at(slot: number): Row | undefined {
    return this.#rows[slot];
  }

  /** Every row, in the order in which they came. */
  *values(): Generator<Row> {
    for (const row of this.#rows) if (row !== undefined) yield row;
  }

  /** Makes some changes; answers whether any row is another now. A row whose cells are the same keeps its identity. */
  apply({ rows, isWhole }: RowsDelta): boolean {
    const before = this.version;
    if (isWhole) {
      for (const [uid, slot] of this.#slots) if (rows.get(uid) === undefined) this.#remove(uid, slot);
    }
    for (const [uid, row] of rows) {
      const slot = this.#slots.get(uid);
      if (row === null) {
        if (slot !== undefined) this.#remove(uid, slot);
      } else if (slot === undefined) {
        this.#slots.set(uid, this.#rows.length);
        this.#changes.push(this.#rows.length);
        this.#rows.push(row);
      } else if (!hasSameCells(this.#rows[slot], row)) {
        this.#rows[slot] = row;
        this.#changes.push(slot);
      }
    }
    if (this.version === before) return false;
    if (this.room > 2 * this.size + emptySlots) this.#closeUp();
    else this.#forget();
    return true;
  }

  /** The slots that changed since a version, each once; undefined where that is no longer known, and every row may be another. */
  changedSince(version: number): readonly number[] | undefined {
    if (version < this.#since) return undefined;
    const to = this.version;
    if (this.#asked?.from === version && this.#asked.to === to) return this.#asked.slots;
    const slots = [...new Set(this.#changes.slice(version - this.#since))];
    this.#asked = { from: version, to, slots };
    return slots;
  }

  #remove(uid: string, slot: number): void {
    this.#slots.delete(uid);
    this.#rows[slot] = undefined;
    this.#changes.push(slot);
  }

  /** Gives every row a slot anew, without empty ones between them: a list whose objects come and go must not grow. */
  #closeUp(): void {
    this.#movedTo = new Int32Array(this.#rows.length).fill(-1);
    const kept: Row[] = [];
    for (const [slot, row] of this.#rows.entries()) {
      if (row === undefined) continue;
      this.#movedTo[slot] = kept.length;
      this.#slots.set(row[0], kept.length);
      kept.push(row);
    }
    this.#since = this.version + 1;
    this.#changes = [];
    this.#rows = kept;
    this.#epoch += 1;
  }

  /** Forgets the older half of the changes once there are twice as many as are remembered. */
  #forget(): void {
    const count = Math.max(rememberedChanges, this.#rows.length);
    if (this.#changes.length <= 2 * count) return;
    const forgotten = this.#changes.length - count;
    this.#changes = this.#changes.slice(forgotten);
    this.#since += forgotten;
  }
}

/**
 * The rows of a store as views get them: a new object after each change, so that comparing two of them shows a change.
 * It copies nothing and always reads the current rows.
 */
export class LiveRows {
  readonly store: RowStore;
  readonly version: number;

  constructor(store: RowStore) {
    this.store = store;
    this.version = store.version;
  }

  get size(): number {
    return this.store.size;
  }

  get(uid: string): Row | undefined {
    return this.store.get(uid);
  }

  /** Every row, in the order in which they came. */
  values(): Generator<Row> {
    return this.store.values();
  }
}

/** The changes of a store since the last call. */
export class Changes {
  #rows: RowStore | undefined;
  #version = -1;

  /** The slots that changed; undefined where every row is to be looked at: the first time, or after too many changes. */
  of(rows: RowStore): readonly number[] | undefined {
    const slots = rows === this.#rows ? rows.changedSince(this.#version) : undefined;
    this.#rows = rows;
    this.#version = rows.version;
    return slots;
  }
}
