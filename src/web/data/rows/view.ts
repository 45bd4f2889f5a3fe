import type { Row } from '../../../contract/live.ts';
import { Aside, type AsideCell } from './aside.ts';
import type { HeldOrder } from './held-order.ts';
import { type FilterAids, Matches } from './matches.ts';
import { NameOrder } from './name-order.ts';
import type { PlacedColumn } from './placed.ts';
import { RowOrder } from './row-order.ts';
import { namePlaces, type RowKey, rowKey, type SortKey } from './sort-key.ts';
import { type LiveRows, RowStore } from './store.ts';

/** Which rows of a store are wanted, and in which order. */
export interface Wanted extends FilterAids {
  /** The columns as they are placed in rows; the same ones while nothing about them changes. */
  readonly columns: readonly PlacedColumn[];
  readonly filter?: string | undefined;
  readonly sort?: SortKey | undefined;
  /** Which rows are set apart; the same one while nothing about it changes. */
  readonly aside?: AsideCell | undefined;
  /** Those set apart are wanted as well. */
  readonly isWhole?: boolean | undefined;
}

/** How an order is held: what for, and how many rows of it from the top; all without a number. */
export interface OrderHold {
  readonly order: HeldOrder;
  readonly basis: string;
  readonly most?: number | undefined;
}

/** The rows of a list as they stand on screen, until its store or what is wanted of it changes. */
export class Arranged {
  readonly #rows: RowStore;
  readonly #slots: Uint32Array;
  /** Rows set apart, whether they show or not. */
  readonly aside: number;
  /** Rows there are, without those that are left out as set apart. */
  readonly known: number;
  /** Rows that would have another position if their order were not held. */
  readonly moved: number;

  constructor(rows: RowStore, slots: Uint32Array, counts: Pick<Arranged, 'aside' | 'known' | 'moved'>) {
    this.#rows = rows;
    this.#slots = slots;
    this.aside = counts.aside;
    this.known = counts.known;
    this.moved = counts.moved;
  }

  /** Rows that show. */
  get size(): number {
    return this.#slots.length;
  }

  /** Rows that the filter hides. */
  get hidden(): number {
    return this.known - this.size;
  }

  /** The row at a place; undefined beyond the ends. */
  at(index: number): Row | undefined {
    const slot = this.#slots[index];
    return slot === undefined ? undefined : this.#rows.at(slot);
  }

  /** The place of an object; -1 for one that does not show. */
  indexOf(uid: string): number {
    const slot = this.#rows.slotOf(uid);
    return slot < 0 ? -1 : this.#slots.indexOf(slot);
  }

  /** The rows from one place to before another, as many as there are. */
  range(from: number, to: number): readonly Row[] {
    const rows: Row[] = [];
    for (let at = from; at < Math.min(to, this.size); at += 1) {
      const row = this.at(at);
      if (row !== undefined) rows.push(row);
    }
    return rows;
  }

  /** Every row that shows, in order. */
  all(): readonly Row[] {
    return this.range(0, this.size);
  }
}

/** A filtered and ordered view of a store. What it knows is kept up by the rows that changed, not made anew. */
export class RowView {
  #rows: RowStore;
  #matches: Matches;
  #columns: readonly PlacedColumn[] | undefined;
  #names: NameOrder | undefined;
  #order: RowOrder | undefined;
  #aside: Aside | undefined;

  constructor() {
    this.#rows = new RowStore();
    this.#matches = new Matches(this.#rows);
  }

  /**
   * The rows that are wanted, as they are now; of another store than the last time anew.
   * @param held where the order is held, with what for; without it rows stand where they belong
   */
  arrange(rows: LiveRows, wanted: Wanted, held?: OrderHold): Arranged {
    const { columns, filter = '', sort, isWhole = false } = wanted;
    if (rows.store !== this.#rows) this.#begin(rows.store);
    const slots = this.#ordered(columns, rowKey(sort, columns));
    const aside = this.#setAside(wanted.aside);
    const count = aside?.count ?? 0;
    const passes = this.#matches.of(filter, columns, wanted);
    const without = isWhole || count === 0 ? undefined : aside?.marks;
    const sorted = passes === undefined && without === undefined ? slots : picked(slots, passes, without);
    const { slots: shown, moved } = held?.order.hold(this.#rows, sorted, held.basis, held.most) ?? {
      slots: sorted,
      moved: 0,
    };
    const known = this.#rows.size - (isWhole ? 0 : count);
    return new Arranged(this.#rows, shown, { aside: count, known, moved });
  }

  #begin(store: RowStore): void {
    this.#rows = store;
    this.#matches = new Matches(store);
    this.#names = undefined;
    this.#order = undefined;
    this.#aside = undefined;
  }

  #ordered(columns: readonly PlacedColumn[], key: RowKey | undefined): Uint32Array {
    const { nameAt, namespaceAt } = namePlaces(columns);
    if (columns !== this.#columns) this.#order = undefined;
    if (this.#names?.nameAt !== nameAt || this.#names.namespaceAt !== namespaceAt) {
      this.#names = new NameOrder(this.#rows, nameAt, namespaceAt);
      this.#order = undefined;
    }
    this.#columns = columns;
    this.#names.catchUp();
    if (key === undefined) return this.#names.slots;
    if (this.#order?.key.id !== key.id) this.#order = new RowOrder(this.#rows, this.#names, key);
    else if (this.#order.key.isDescending !== key.isDescending) this.#order.turn();
    this.#order.catchUp();
    return this.#order.slots;
  }

  #setAside(cell: AsideCell | undefined): Aside | undefined {
    if (cell === undefined) return undefined;
    if (this.#aside?.cell !== cell) this.#aside = new Aside(this.#rows, cell);
    this.#aside.catchUp();
    return this.#aside;
  }
}

/** The slots that pass a filter and are not set apart, in their order. */
function picked(
  slots: Uint32Array,
  passes: Uint8Array | undefined,
  without: Uint8Array | undefined,
): Uint32Array {
  const found = new Uint32Array(slots.length);
  let count = 0;
  for (let at = 0; at < slots.length; at += 1) {
    const slot = slots[at] ?? 0;
    if (passes !== undefined && passes[slot] !== 1) continue;
    if (without !== undefined && without[slot] === 1) continue;
    found[count] = slot;
    count += 1;
  }
  return found.subarray(0, count);
}
