/** Says which of two slots stands first: negative for the first of them. */
export type Compare = (a: number, b: number) => number;

/** A copy of the array with at least this many places, or the array itself if it is long enough. */
export function withRoom<
  A extends Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>,
>(array: A, room: number): A {
  if (array.length >= room) return array;
  // A typed array's own constructor makes one of its kind.
  const Kind = array.constructor as new (length: number) => A;
  const longer = new Kind(Math.ceil(room * 1.25) + 16);
  longer.set(array);
  return longer;
}

/** Slots of a store in an order: those that move are taken out in one pass and put in where they belong in another. */
export class Sequence {
  #slots = new Uint32Array(0);
  #size = 0;

  /** The slots in their order, as they stand now: a change is made in them. */
  get slots(): Uint32Array<ArrayBuffer> {
    return this.#slots.subarray(0, this.#size);
  }

  get size(): number {
    return this.#size;
  }

  /** Takes over slots that stand in order. */
  replace(slots: Uint32Array<ArrayBuffer>): void {
    this.#slots = slots;
    this.#size = slots.length;
  }

  /** Takes out the slots that have this mark. */
  remove(marks: Uint8Array, mark: number): void {
    const slots = this.#slots;
    const size = this.#size;
    let to = 0;
    for (let at = 0; at < size; at += 1) {
      const slot = slots[at] ?? 0;
      if (marks[slot] === mark) continue;
      slots[to] = slot;
      to += 1;
    }
    this.#size = to;
  }

  /** Puts slots in, all of which are to be compared alike. */
  insert(added: number[], compare: Compare): void {
    added.sort(compare);
    const slots = withRoom(this.#slots, this.#size + added.length);
    // From the last: what stands behind it is moved once, by as many places as there are others before it.
    let end = this.#size;
    for (let before = added.length - 1; before >= 0; before -= 1) {
      const slot = added[before] ?? 0;
      const place = placeIn(slots, end, slot, compare);
      slots.copyWithin(place + before + 1, place, end);
      slots[place + before] = slot;
      end = place;
    }
    this.#slots = slots;
    this.#size += added.length;
  }
}

/** Where a slot belongs among the first `end` slots, which stand in order. */
function placeIn(slots: Uint32Array, end: number, slot: number, compare: Compare): number {
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(slots[middle] ?? 0, slot) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
