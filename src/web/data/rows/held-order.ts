import type { RowStore } from './store.ts';

/** Rows in a held order, and how many of them their sort would place elsewhere. */
export interface HeldRows {
  readonly slots: Uint32Array;
  readonly moved: number;
}

const noPosition = 0xffff_ffff;

/**
 * The order somebody is looking at: rows stay where they were, rows that are gone leave, new rows come at the end. It
 * outlives the store of its rows: another list of the same objects goes on in it.
 */
export class HeldOrder {
  #basis: string | undefined;
  #slots = new Uint32Array(0);
  #rows: RowStore | undefined;
  #epoch = 0;

  /** Lets go of the order: the next one that is held begins as it stands then. */
  release(): void {
    this.#basis = undefined;
  }

  /**
   * The rows as they are held. `moved` counts the fewest that would have to move to get from there to their order.
   * @param sorted the same rows in their order
   * @param basis what the order is held for, such as a sort and a filter: another one begins anew
   * @param most only so many rows from the top are held; those behind them stand in their order, new ones among them
   */
  hold(
    rows: RowStore,
    sorted: Uint32Array,
    basis: string,
    most: number = Number.POSITIVE_INFINITY,
  ): HeldRows {
    const shown = this.#basis === basis ? this.#shownIn(rows).slice(0, most) : new Uint32Array(0);
    this.#basis = basis;
    this.#rows = rows;
    this.#epoch = rows.epoch;
    if (shown.length === 0) {
      this.#slots = sorted.slice();
      return { slots: this.#slots, moved: 0 };
    }
    const places = new Uint32Array(rows.room).fill(noPosition);
    for (let at = 0; at < sorted.length; at += 1) places[sorted[at] ?? 0] = at;
    // Where each row that is held stands in the order; a place is taken once.
    const kept = new Uint32Array(sorted.length);
    let count = 0;
    for (const slot of shown) {
      const place = places[slot] ?? noPosition;
      if (place === noPosition) continue;
      places[slot] = noPosition;
      kept[count] = place;
      count += 1;
    }
    for (let at = 0; at < sorted.length; at += 1) {
      if (places[sorted[at] ?? 0] === noPosition) continue;
      kept[count] = at;
      count += 1;
    }
    this.#slots = kept.map((place) => sorted[place] ?? 0);
    return { slots: this.#slots, moved: kept.length - longestRise(kept) };
  }

  /** The slots that were shown last, as the store numbers them now. */
  #shownIn(rows: RowStore): Uint32Array {
    const before = this.#rows;
    if (before === rows && this.#epoch === rows.epoch) return this.#slots;
    const slots: number[] = [];
    for (const slot of this.#slots) {
      const place = before === rows ? (rows.movedTo[slot] ?? -1) : rows.slotOf(before?.at(slot)?.[0] ?? '');
      if (place >= 0) slots.push(place);
    }
    // Closed up twice since: nobody knows any more which rows these were.
    return before === rows && this.#epoch + 1 !== rows.epoch ? new Uint32Array(0) : Uint32Array.from(slots);
  }
}

/** Length of the longest strictly rising subsequence. */
function longestRise(values: Uint32Array): number {
  const tails = new Uint32Array(values.length);
  let length = 0;
  for (const value of values) {
    // Most rows stand in order: only others are looked for a place.
    let low = length > 0 && (tails[length - 1] ?? 0) < value ? length : 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((tails[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    tails[low] = value;
    if (low === length) length += 1;
  }
  return length;
}
