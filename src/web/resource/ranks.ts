import type { Row } from '../../contract/live.ts';
import type { RowKey } from './pipeline.ts';

/** Each row's place among the different keys, and how many of these there are. */
interface Ranks {
  readonly of: Uint32Array;
  readonly count: number;
}

/** @param compare of two different values */
function ranksOf<V extends number | string>(values: readonly V[], compare: (a: V, b: V) => number): Ranks {
  // First numbered as they come, so that each value is looked up once.
  const numbers = new Map<V, number>();
  const of = new Uint32Array(values.length);
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at];
    if (value === undefined) continue;
    const known = numbers.get(value) ?? numbers.size;
    if (known === numbers.size) numbers.set(value, known);
    of[at] = known;
  }
  const places = new Uint32Array(numbers.size);
  for (const [place, [, number]] of [...numbers].sort(([a], [b]) => compare(a, b)).entries())
    places[number] = place;
  for (let at = 0; at < of.length; at += 1) of[at] = places[of[at] ?? 0] ?? 0;
  return { of, count: numbers.size };
}

const ranksOfNumbers = (values: readonly number[]) => ranksOf(values, (a, b) => a - b);
// By code units, as rows are compared one by one.
const ranksOfTexts = (values: readonly string[]) => ranksOf(values, (a, b) => (a < b ? -1 : 1));

/** The place of each row among the different keys, the first for the row that stands first. */
export function ranksBy(rows: readonly Row[], { number, text, isDescending }: RowKey): Ranks {
  const numbers = number === undefined ? undefined : ranksOfNumbers(rows.map(number));
  const texts = text === undefined ? undefined : ranksOfTexts(rows.map(text));
  const ranks =
    numbers !== undefined && texts !== undefined
      ? ranksOfNumbers(rows.map((_, at) => (numbers.of[at] ?? 0) * texts.count + (texts.of[at] ?? 0)))
      : (numbers ?? texts ?? { of: new Uint32Array(rows.length), count: 1 });
  const { of, count } = ranks;
  if (isDescending) for (let at = 0; at < of.length; at += 1) of[at] = count - 1 - (of[at] ?? 0);
  return ranks;
}
