import type { Row } from '../../contract/live.ts';
import type { ByName } from './name-order.ts';
import { plainText, type RowKey, sortText } from './pipeline.ts';

/** Each row's place among the different keys, and how many of these there are. */
export interface Ranks {
  readonly of: Uint32Array;
  readonly count: number;
}

/** More different values than these are sorted faster than they are numbered. */
const fewValues = 2_000;

/** Each value numbered as it came first, so that each is looked up once. Gives up once it has more than `most`. */
function numbered<V>(count: number, valueAt: (at: number) => V, most = Number.POSITIVE_INFINITY) {
  const numbers = new Map<V, number>();
  const of = new Uint32Array(count);
  for (let at = 0; at < count && numbers.size <= most; at += 1) {
    const value = valueAt(at);
    const known = numbers.get(value) ?? numbers.size;
    if (known === numbers.size) numbers.set(value, known);
    of[at] = known;
  }
  return { of, values: [...numbers.keys()] };
}

/** Values that were numbered, by the place of each among those that differ. */
function ranked(of: Uint32Array, values: readonly (number | string)[]): Ranks {
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

function ranksOfNumbers(values: Float64Array): Ranks {
  const few = numbered(values.length, (at) => values[at] ?? 0, fewValues);
  return few.values.length > fewValues ? ranksOfMany(values) : ranked(few.of, few.values);
}

/** By what the cells say, which is prepared for sorting once for each text: rows of a column say the same few things. */
function ranksOfTexts(rows: readonly Row[], textAt: number): Ranks {
  const { of, values } = numbered(rows.length, (at) => plainText(rows[at]?.[1][textAt]));
  // By code units, as rows are compared one by one.
  return ranked(of, values.map(sortText));
}

/** The place of each row, which stand by name, among the different keys, the first for the least. */
export function ranksBy({ held, heldAt, names }: ByName, { number, textAt }: RowKey, nameAt: number): Ranks {
  const byName = ({ of, count }: Ranks): Ranks => ({ of: heldAt.map((at) => of[at] ?? 0), count });
  const numbers = number === undefined ? undefined : byName(ranksOfNumbers(figuresOf(held, number)));
  const texts =
    textAt === undefined ? undefined : textAt === nameAt ? names() : byName(ranksOfTexts(held, textAt));
  if (numbers === undefined || texts === undefined)
    return numbers ?? texts ?? { of: new Uint32Array(held.length), count: 1 };
  const both = new Float64Array(held.length);
  for (let at = 0; at < both.length; at += 1)
    both[at] = (numbers.of[at] ?? 0) * texts.count + (texts.of[at] ?? 0);
  return ranksOfNumbers(both);
}

/** A number of each; `Float64Array.from` takes ten times as long. */
export function figuresOf<V>(
  values: readonly V[],
  of: (value: V, at: number) => number,
): Float64Array<ArrayBuffer> {
  const found = new Float64Array(values.length);
  let at = 0;
  for (const value of values) {
    found[at] = of(value, at);
    at += 1;
  }
  return found;
}
