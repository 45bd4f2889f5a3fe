/** Each value's place among those that differ, the first for the least, and how many of these there are. */
export interface Ranks {
  readonly of: Uint32Array<ArrayBuffer>;
  readonly count: number;
}

/** More different values than these are sorted faster than they are numbered. */
const numberedValues = 2_000;

/** Each value numbered as it came first, so that each is looked up once. Gives up once it has more than `limit`. */
function numbered<V>(count: number, valueAt: (at: number) => V, limit = Number.POSITIVE_INFINITY) {
  const numbers = new Map<V, number>();
  const of = new Uint32Array(count);
  for (let at = 0; at < count && numbers.size <= limit; at += 1) {
    const value = valueAt(at);
    const known = numbers.get(value) ?? numbers.size;
    if (known === numbers.size) numbers.set(value, known);
    of[at] = known;
  }
  return { of, values: [...numbers.keys()] };
}

/** Values that were numbered, by the place of each among those that differ. */
function ranked(of: Uint32Array<ArrayBuffer>, values: readonly (number | string)[]): Ranks {
  const order = [...values.entries()].sort(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0));
  const places = new Uint32Array(values.length);
  let count = 0;
  for (const [place, [number, value]] of order.entries()) {
    if (place > 0 && value !== order[place - 1]?.[1]) count += 1;
    places[number] = count;
  }
  for (let at = 0; at < of.length; at += 1) of[at] = places[of[at] ?? 0] ?? 0;
  return { of, count: values.length === 0 ? 0 : count + 1 };
}

function ranksOfMany(values: Float64Array): Ranks {
  const different = values.slice().sort();
  let count = 0;
  for (const value of different) {
    if (count > 0 && value === different[count - 1]) continue;
    different[count] = value;
    count += 1;
  }
  const of = new Uint32Array(values.length);
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? 0;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((different[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    of[at] = low;
  }
  return { of, count };
}

/** The ranks of numbers, none of which is NaN. */
export function ranksOfNumbers(values: Float64Array): Ranks {
  const few = numbered(values.length, (at) => values[at] ?? 0, numberedValues);
  return few.values.length > numberedValues ? ranksOfMany(values) : ranked(few.of, few.values);
}

/** The ranks of texts by code units after `prepare`, which is asked once for each text, and the prepared texts themselves. */
export function ranksOfTexts(
  texts: readonly string[],
  prepare: (text: string) => string,
): { readonly ranks: Ranks; readonly prepared: string[] } {
  const { of, values } = numbered(texts.length, (at) => texts[at] ?? '');
  const known = values.map(prepare);
  const prepared = Array.from(of, (number) => known[number] ?? '');
  return { ranks: ranked(of, known), prepared };
}

/** The ranks of pairs: by the first, and where these are equal by the second. */
export function ranksOfPairs(first: Ranks, second: Ranks): Ranks {
  const both = new Float64Array(first.of.length);
  for (let at = 0; at < both.length; at += 1)
    both[at] = (first.of[at] ?? 0) * second.count + (second.of[at] ?? 0);
  return ranksOfNumbers(both);
}

/** Slots by the rank of each; equal ones stay as they stand. Counts, and compares nothing. */
export function byRank(
  slots: Uint32Array,
  { of, count }: Ranks,
  isDescending: boolean,
): Uint32Array<ArrayBuffer> {
  const rankOf = (slot: number) => (isDescending ? count - 1 - (of[slot] ?? 0) : (of[slot] ?? 0));
  // Where the slots of each rank begin, then where the next of them goes.
  const next = new Uint32Array(count + 1);
  for (let at = 0; at < slots.length; at += 1) {
    const after = rankOf(slots[at] ?? 0) + 1;
    next[after] = (next[after] ?? 0) + 1;
  }
  for (let rank = 1; rank <= count; rank += 1) next[rank] = (next[rank] ?? 0) + (next[rank - 1] ?? 0);
  const order = new Uint32Array(slots.length);
  for (let at = 0; at < slots.length; at += 1) {
    const slot = slots[at] ?? 0;
    const rank = rankOf(slot);
    const place = next[rank] ?? 0;
    next[rank] = place + 1;
    order[place] = slot;
  }
  return order;
}
