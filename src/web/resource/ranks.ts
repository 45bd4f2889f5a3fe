import type { Row } from '../../contract/live.ts';
import type { RowKey } from './pipeline.ts';

/** Each row's place among the different keys, and how many of these there are. */
interface Ranks {
  readonly of: Uint32Array;
  readonly count: number;
}

/** More different values than these are sorted faster than they are numbered. */
const fewValues = 2_000;

/** Of values that are numbered as they come, so that each is looked up once; undefined where there are more than `most`. */
function ranksOfFew<V extends number | string>(
  values: ArrayLike<V>,
  compare: (a: V, b: V) => number,
  most = Number.POSITIVE_INFINITY,
): Ranks | undefined {
  const numbers = new Map<V, number>();
  const of = new Uint32Array(values.length);
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at];
    if (value === undefined) continue;
    const known = numbers.get(value) ?? numbers.size;
    if (known === numbers.size) {
      if (known >= most) return undefined;
      numbers.set(value, known);
    }
    of[at] = known;
  }
  const places = new Uint32Array(numbers.size);
  for (const [place, [, number]] of [...numbers].sort(([a], [b]) => compare(a, b)).entries())
    places[number] = place;
  for (let at = 0; at < of.length; at += 1) of[at] = places[of[at] ?? 0] ?? 0;
  return { of, count: numbers.size };
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

const ranksOfNumbers = (values: Float64Array) =>
  ranksOfFew(values, (a, b) => a - b, fewValues) ?? ranksOfMany(values);
// By code units, as rows are compared one by one.
const ranksOfTexts = (values: readonly string[]) =>
  ranksOfRising(values) ?? ranksOfFew(values, (a, b) => (a < b ? -1 : 1));

/** Of texts that stand in order already, as names do of rows by name; undefined for others. */
function ranksOfRising(values: readonly string[]): Ranks | undefined {
  const of = new Uint32Array(values.length);
  let rank = 0;
  for (let at = 1; at < values.length; at += 1) {
    const [before, value] = [values[at - 1] ?? '', values[at] ?? ''];
    if (value < before) return undefined;
    if (value !== before) rank += 1;
    of[at] = rank;
  }
  return { of, count: rank + 1 };
}

/** The place of each row among the different keys, the first for the row that stands first. */
export function ranksBy(rows: readonly Row[], { number, text, isDescending }: RowKey): Ranks {
  const numbers = number === undefined ? undefined : ranksOfNumbers(figuresOf(rows, number));
  const texts = text === undefined ? undefined : ranksOfTexts(rows.map(text));
  const ranks =
    numbers !== undefined && texts !== undefined
      ? ranksOfNumbers(figuresOf(rows, (_, at) => (numbers.of[at] ?? 0) * texts.count + (texts.of[at] ?? 0)))
      : (numbers ?? texts ?? { of: new Uint32Array(rows.length), count: 1 });
  const { of, count } = ranks;
  if (isDescending) for (let at = 0; at < of.length; at += 1) of[at] = count - 1 - (of[at] ?? 0);
  return ranks;
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
