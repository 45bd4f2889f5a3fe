import { isDeepStrictEqual } from 'node:util';
import type { Optional } from '@marcbachmann/cel-js';
import { type CelExtension, LibraryError } from './cel-extension.ts';

/** The type of the constant `sets`. */
class Sets {
  readonly name = 'sets';
}
/** The type of the constant `lists`. */
class Lists {
  readonly name = 'lists';
}

type Values = readonly unknown[];
type Comparable = bigint | number | string;

const includes = (list: Values, item: unknown) => list.some((other) => isDeepStrictEqual(other, item));
const includesAll = (list: Values, other: Values) => other.every((item) => includes(list, item));

const isSorted = (list: readonly Comparable[]) =>
  list.every((item, index) => index === 0 || (list[index - 1] ?? item) <= item);
const extreme = (list: readonly Comparable[], better: (a: Comparable, b: Comparable) => boolean) =>
  list.reduce((best, item) => (better(item, best) ? item : best));

/** Throws LibraryError for a range outside the list. */
function sliced(list: Values, from: bigint, to: bigint): Values {
  const problem =
    from < 0n || to < 0n
      ? `cannot slice(${from}, ${to}), negative indexes not supported`
      : from > to
        ? `cannot slice(${from}, ${to}), start index must be less than or equal to end index`
        : to > BigInt(list.length)
          ? `cannot slice(${from}, ${to}), list is length ${list.length}`
          : undefined;
  if (problem !== undefined) throw new LibraryError(problem);
  return list.slice(Number(from), Number(to));
}

/** Kubernetes' functions of sets. */
export const sets: CelExtension = {
  types: { 'kubernetes.Sets': Sets },
  constants: [['sets', 'kubernetes.Sets', new Sets()]],
  functions: {
    'kubernetes.Sets.contains(list, list): bool': (_of: Sets, list: Values, other: Values) =>
      includesAll(list, other),
    'kubernetes.Sets.equivalent(list, list): bool': (_of: Sets, list: Values, other: Values) =>
      includesAll(list, other) && includesAll(other, list),
    'kubernetes.Sets.intersects(list, list): bool': (_of: Sets, list: Values, other: Values) =>
      other.some((item) => includes(list, item)),
  },
};

/** Kubernetes' functions of lists. */
export const lists = (optionals: typeof Optional): CelExtension => ({
  types: { 'kubernetes.Lists': Lists },
  constants: [['lists', 'kubernetes.Lists', new Lists()]],
  functions: {
    'kubernetes.Lists.range(int): list<int>': (_of: Lists, count: bigint) =>
      Array.from({ length: Number(count) }, (_, index) => BigInt(index)),
    'list.slice(int, int): list': sliced,
    'list.flatten(): list': (list: Values) => list.flat(),
    'list.flatten(int): list': (list: Values, depth: bigint) => list.flat(Number(depth)) as Values,
    'list.distinct(): list': (list: Values) =>
      list.filter((item, index) => !includes(list.slice(0, index), item)),
    'list.reverse(): list': (list: Values) => list.toReversed(),
    'list.sort(): list': (list: readonly Comparable[]) =>
      list.toSorted((a, b) => (a < b ? -1 : Number(a > b))),
    'list.first(): optional': (list: Values) =>
      list.length === 0 ? optionals.none() : optionals.of(list[0]),
    'list.last(): optional': (list: Values) =>
      list.length === 0 ? optionals.none() : optionals.of(list.at(-1)),
    'list.isSorted(): bool': isSorted,
    'list.sum(): dyn': (list: readonly (number | bigint)[]) =>
      list.reduce((sum, item) => (typeof sum === 'bigint' ? sum + BigInt(item) : sum + Number(item))),
    'list.min(): dyn': (list: readonly Comparable[]) => extreme(list, (a, b) => a < b),
    'list.max(): dyn': (list: readonly Comparable[]) => extreme(list, (a, b) => a > b),
    'list.indexOf(dyn): int': (list: Values, item: unknown) => BigInt(list.indexOf(item)),
    'list.lastIndexOf(dyn): int': (list: Values, item: unknown) => BigInt(list.lastIndexOf(item)),
  },
});
