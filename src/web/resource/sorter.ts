import type { Row } from '../../contract/live.ts';
import { changeBetween, type RowsChange } from '../data/live/lineage.ts';
import type { RowFilter } from './filter.ts';
import { keepLatest } from './latest.ts';
import { type ByName, createNameOrder, type NameOrder } from './name-order.ts';
import { type RowKey, type RowOrder, sortTextOf } from './pipeline.ts';
import { figuresOf, type Ranks, ranksBy } from './ranks.ts';

type Rows = ReadonlyMap<string, Row>;

/** Sorts and filters the rows of one list, whatever became of them since the last time; the same as `arrange` would. */
export type Sorter = (rows: Rows, test: RowFilter | undefined, order: RowOrder) => readonly Row[];

/** What rows are compared by, in their order: a search through a million cells waits for memory. */
interface Keys {
  readonly numbers: Float64Array;
  readonly texts: readonly string[];
  readonly names: Float64Array;
}

/** Rows in order, and beside them what they are compared by. */
interface Standing {
  readonly of: Rows;
  readonly rows: readonly Row[];
  /** Made when the first change asks: whoever only sorts or filters does not wait for them. May be longer than the rows. */
  readonly keys: () => Keys;
  /**
   * Those of the rows that stood before, of which nobody asks any more: those of the next rows are written there. Memory
   * that is new each time has to be cleared first, and makes the browser collect its garbage.
   */
  readonly spare?: Keys | undefined;
  readonly version: number;
  /** The rows as the list holds them, and where among these each is; gone with the first change. */
  readonly held?: { readonly rows: readonly Row[]; readonly at: () => Uint32Array };
}

/** Filters whose rows are remembered while no row changes: what is typed is often taken back. */
const filtersKept = 12;

function once<V>(make: () => V): () => V {
  let made: { readonly value: V } | undefined;
  return () => (made ??= { value: make() }).value;
}

/**
 * Remembers the rows as they stood: a change moves only the rows it is about, another order begins from the rows by their
 * names and compares none of these again, and another filter sorts nothing.
 */
export function createSorter(): Sorter {
  let names: NameOrder | undefined;
  let by: RowOrder | undefined;
  let all: Standing | undefined;
  /** Of the rows as they stand in `all`. */
  let shown = new Map<RowFilter, Standing>();
  let filter: RowFilter | undefined;
  const ranksOf = createRanker();

  return (rows, test, order) => {
    if (names?.nameAt !== order.nameAt || names.namespaceAt !== order.namespaceAt) {
      names = createNameOrder(order.nameAt, order.namespaceAt);
      all = undefined;
    }
    if (by !== order) all = undefined;
    by = order;
    const known = names;
    const before = all;
    all =
      (before && follow(before, rows, undefined, known, order.key)) ??
      sortAnew(rows, known, order.key, ranksOf);
    if (all !== before) {
      // Of what a change made of the rows only those that show are brought along.
      const last = filter === undefined || filter !== test ? undefined : shown.get(filter);
      const moved = last && before && follow(last, rows, test, known, order.key);
      shown = new Map(moved === undefined || test === undefined ? [] : [[test, moved]]);
    }
    filter = test;
    if (test === undefined) return all.rows;
    // Rows that passed less are asked alone where they are few: more of them are sooner asked as they lie in memory.
    const narrowed = test.within === undefined ? undefined : shown.get(test.within);
    const from = narrowed !== undefined && narrowed.rows.length < all.rows.length / 4 ? narrowed : all;
    const standing = shown.get(test) ?? filtered(from, test);
    keepLatest(shown, test, standing, filtersKept);
    return standing.rows;
  };
}

/** Gives what is there. A function made among others holds all that those use: rows would hold those they were made from. */
const giving =
  <V>(value: V) =>
  () =>
    value;

/** What a row is compared by. */
interface Key {
  readonly number: number;
  readonly text: string;
  readonly name: number;
}

/** @param rank of its name; undefined where that is not known */
function keyOf(row: Row, rank: number | undefined, key: RowKey | undefined): Key {
  const { number, textAt } = key ?? {};
  return {
    number: number?.(row) ?? 0,
    text: textAt === undefined ? '' : sortTextOf(row, textAt),
    name: rank ?? Number.NaN,
  };
}

/** Keys whose ranks are remembered while no row changes: an order is often turned. */
const ranksKept = 4;

/** The ranks of rows by a key, made once while the rows stay the same. */
function createRanker() {
  let of: ByName | undefined;
  const known = new Map<string, Ranks>();
  return (byName: ByName, key: RowKey, nameAt: number): Ranks => {
    if (of !== byName) known.clear();
    of = byName;
    const ranks = known.get(key.id) ?? ranksBy(byName, key, nameAt);
    keepLatest(known, key.id, ranks, ranksKept);
    return ranks;
  };
}

function sortAnew(
  of: Rows,
  order: NameOrder,
  key: RowKey | undefined,
  ranksOf: ReturnType<typeof createRanker>,
): Standing {
  const byName = order.sorted(of);
  const { rows, places, heldAt } = byName;
  const { version } = order;
  if (key === undefined) {
    const keys = once(() => ({ numbers: new Float64Array(rows.length), texts: [], names: places.slice() }));
    return { of, rows, keys, version, held: { rows: byName.held, at: () => heldAt } };
  }
  const { number, textAt } = key;
  const from = inOrder(ranksOf(byName, key, order.nameAt), key.isDescending);
  const sorted = picked(rows, from);
  const keys = once(() => ({
    numbers: number === undefined ? new Float64Array(rows.length) : figuresOf(sorted, number),
    texts: textAt === undefined ? [] : sorted.map((row) => sortTextOf(row, textAt)),
    names: figuresOf(sorted, (_, at) => places[from[at] ?? 0] ?? 0),
  }));
  const at = once(() => from.map((place) => heldAt[place] ?? 0));
  return { of, rows: sorted, keys, version, held: { rows: byName.held, at } };
}

function filtered({ rows, keys, held, of, version }: Standing, test: RowFilter): Standing {
  const passes = held === undefined ? asking(rows, test) : passing(held.rows, held.at(), test);
  const found = rows.filter(passes);
  return {
    of,
    version,
    rows: found,
    keys: once(() => {
      const { numbers, texts, names } = keys();
      const kept = [...rows.keys()].filter((at) => {
        const row = rows[at];
        return row !== undefined && passes(row, at);
      });
      return {
        numbers: figuresOf(kept, (at) => numbers[at] ?? 0),
        texts: texts.length === 0 ? texts : kept.map((at) => texts[at] ?? ''),
        names: figuresOf(kept, (at) => names[at] ?? 0),
      };
    }),
  };
}

/** The texts of rows beside them. */
const texts = new WeakMap<readonly Row[], readonly string[]>();

/** A filter, to be asked about rows and their places: words are looked for without a look at a row. */
function asking(rows: readonly Row[], test: RowFilter): (row: Row, at: number) => boolean {
  const { words } = test;
  if (words === undefined) return test;
  const known = texts.get(rows) ?? rows.map(words.textOf);
  texts.set(rows, known);
  return (_, at) => words.pass(known[at] ?? '');
}

/** Asks a filter about all rows as they lie in memory; gives its answer for each by its place in another order. */
function passing(held: readonly Row[], heldAt: Uint32Array, test: RowFilter) {
  const answers = new Uint8Array(held.length);
  const passes = asking(held, test);
  for (const [at, row] of held.entries()) answers[at] = Number(passes(row, at));
  return (_: Row, at: number): boolean => answers[heldAt[at] ?? 0] === 1;
}

/** Which of the rows stands at each place by their ranks; equal ones stay as they stand. Counts, and compares nothing. */
function inOrder({ of, count }: Ranks, isDescending: boolean): Uint32Array {
  const placeOf = (rank: number) => (isDescending ? count - 1 - rank : rank);
  // Where the rows of each rank begin, then where the next of them goes.
  const next = new Uint32Array(count + 1);
  for (const rank of of) {
    const after = placeOf(rank) + 1;
    next[after] = (next[after] ?? 0) + 1;
  }
  for (let rank = 1; rank <= count; rank += 1) next[rank] = (next[rank] ?? 0) + (next[rank - 1] ?? 0);
  const order = new Uint32Array(of.length);
  for (let at = 0; at < of.length; at += 1) {
    const rank = placeOf(of[at] ?? 0);
    const place = next[rank] ?? 0;
    next[rank] = place + 1;
    order[place] = at;
  }
  return order;
}

/** The rows at some places, in their order. */
function picked(rows: readonly Row[], places: Uint32Array): readonly Row[] {
  const found: Row[] = [];
  for (const place of places) {
    const row = rows[place];
    if (row !== undefined) found.push(row);
  }
  return found;
}

/** More of a list than this share of it is faster sorted anew. */
const mostMoved = 0.25;

/** The rows after what changed since they stood so; undefined where they are to be sorted anew. */
function follow(
  from: Standing,
  rows: Rows,
  test: RowFilter | undefined,
  names: NameOrder,
  key: RowKey | undefined,
): Standing | undefined {
  if (from.of === rows) return names.version === from.version ? from : undefined;
  const change = changeBetween(from.of, rows);
  if (change === undefined || change.came.length + change.gone.length > from.rows.length * mostMoved)
    return undefined;
  // Before anything is learnt: a renamed object is looked for where it stood.
  const leaving = placesOf(from, change, test, names, key);
  if (leaving === undefined) return undefined;
  const { version } = from;
  const keys = from.keys();
  // Whoever is called as before stands by name where it stood; only of others that is asked.
  const places = change.came.map((row) => leaving.get(row[0]));
  const ranks = change.came.map((row, at) => {
    const place = places[at];
    const before = place === undefined ? undefined : from.rows[place];
    return before !== undefined && names.isSameName(before, row) ? keys.names[place ?? 0] : undefined;
  });
  names.learn(change.came.filter((_, at) => ranks[at] === undefined));
  if (names.version !== version) return undefined;

  const added: Added[] = [];
  let moves = 0;
  for (const [at, row] of change.came.entries()) {
    if (test !== undefined && !test(row)) continue;
    const mine = keyOf(row, ranks[at] ?? names.rankOf(row), key);
    const place = places[at];
    const stays = place !== undefined && compareAt(keys, place, mine, key) === 0;
    if (!stays) moves += 1;
    added.push({ row, key: mine, place: stays ? place : placeOf(from, mine, key) });
  }
  if (moves === 0 && leaving.size === added.length) {
    const next = from.rows.slice();
    for (const { row, place } of added) next[place] = row;
    return { of: rows, rows: next, keys: giving(keys), spare: from.spare, version };
  }
  added.sort((a, b) => a.place - b.place || compareKeys(a.key, b.key, key));
  const moved = moveRows(from.rows, keys, [...leaving.values()].sort(byNumber), added, from.spare);
  return { of: rows, rows: moved.rows, keys: giving(moved.keys), spare: keys, version };
}

const byNumber = (a: number, b: number) => a - b;

/** A row that comes to stand before the one that stood at a place. */
interface Added {
  readonly row: Row;
  readonly key: Key;
  readonly place: number;
}

/**
 * Rows without those at some places and with others between them.
 * @param gaps places that are left, ascending
 * @param added by place and key
 * @param spare where their keys may be written
 */
function moveRows(
  from: readonly Row[],
  keys: Keys,
  gaps: readonly number[],
  added: readonly Added[],
  spare: Keys | undefined,
): { readonly rows: readonly Row[]; readonly keys: Keys } {
  const length = from.length - gaps.length + added.length;
  // All of it is written anew: a copy has its room at once, and is young.
  const rows = from.slice(0, length);
  const texts: string[] = [];
  const numbers = roomFor(length, spare?.numbers);
  const names = roomFor(length, spare?.names);
  /** Where the next row comes from, and where it goes. */
  let at = 0;
  let to = 0;
  const put = (row: Row, number: number, name: number, text: string | undefined) => {
    rows[to] = row;
    numbers[to] = number;
    names[to] = name;
    if (text !== undefined) texts.push(text);
    to += 1;
  };
  // Row by row: what moves divides the list into pieces of a few dozen rows, too short to be copied at once.
  const keep = (until: number) => {
    for (; at < until; at += 1) {
      const row = from[at];
      if (row !== undefined) put(row, keys.numbers[at] ?? 0, keys.names[at] ?? 0, keys.texts[at]);
    }
  };
  let nextGap = 0;
  const skip = (before: number) => {
    for (let gap = gaps[nextGap]; gap !== undefined && gap < before; gap = gaps[nextGap]) {
      keep(gap);
      at += 1;
      nextGap += 1;
    }
  };
  const hasTexts = keys.texts.length > 0;
  for (const { row, key, place } of added) {
    skip(place);
    keep(place);
    put(row, key.number, key.name, hasTexts ? key.text : undefined);
  }
  skip(from.length);
  keep(from.length);
  return { rows, keys: { numbers, texts, names } };
}

/** Figures of so many rows, or of some more. */
function roomFor(length: number, spare: Float64Array | undefined): Float64Array {
  return spare !== undefined && spare.length >= length ? spare : new Float64Array(Math.ceil(length * 1.02));
}

/** Where the rows that left stood, by uid; undefined where one of them stands elsewhere. */
function placesOf(
  from: Standing,
  { gone }: RowsChange,
  test: RowFilter | undefined,
  names: NameOrder,
  key: RowKey | undefined,
): Map<string, number> | undefined {
  const places = new Map<string, number>();
  for (const row of gone) {
    if (test !== undefined && !test(row)) continue;
    const place = placeOf(from, keyOf(row, names.rankOf(row), key), key);
    if (from.rows[place] !== row) return undefined;
    places.set(row[0], place);
  }
  return places;
}

function compareKeys(a: Key, b: Key, key: RowKey | undefined): number {
  const by = a.number - b.number || (a.text < b.text ? -1 : a.text > b.text ? 1 : 0);
  return (key?.isDescending === true ? -by : by) || a.name - b.name;
}

/** The row at a place against a key. */
function compareAt(standing: Keys, at: number, to: Key, key: RowKey | undefined): number {
  let by = (standing.numbers[at] ?? 0) - to.number;
  if (by === 0 && standing.texts.length > 0) {
    const text = standing.texts[at] ?? '';
    by = text < to.text ? -1 : text > to.text ? 1 : 0;
  }
  return (key?.isDescending === true ? -by : by) || (standing.names[at] ?? 0) - to.name;
}

/** Where a row of this key stands, or would. */
function placeOf(standing: Standing, of: Key, key: RowKey | undefined): number {
  const keys = standing.keys();
  let low = 0;
  let high = standing.rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareAt(keys, middle, of, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
