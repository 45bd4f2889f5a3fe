import type { CellValue, Row } from '../../contract/live.ts';
import type { CellFormat } from '../../registry/kind.ts';
import type { ColumnFacts, KindFacts } from '../../registry/kind-facts.ts';
import { toneRank } from '../../registry/tone.ts';
import type { RowsChange } from '../data/live/lineage.ts';
import type { RowFilter } from './filter.ts';
import { statusOf } from './tones.ts';

/** A column and where its cell is in a row. */
export interface PlacedColumn {
  readonly column: ColumnFacts;
  readonly index: number;
  /** Characters of its longest figure, where that says how wide it is. */
  readonly chars?: number;
}

/**
 * A kind's columns with their places. `order` are the column ids as the server sends them: a page older or newer than
 * the server still puts every cell under its own heading.
 */
export function placeColumns(kind: KindFacts, order: readonly string[] | undefined): readonly PlacedColumn[] {
  return kind.columns.flatMap((column, index): readonly PlacedColumn[] => {
    const at = order === undefined ? index : order.indexOf(column.id);
    return at < 0 ? [] : [{ column, index: at }];
  });
}

/** How rows are sorted: a column's id, with a minus for descending; undefined is worst first. */
export type SortKey = string | undefined;

/**
 * The order of a list that its server cuts off: as it was cut. The server sorts by values, people by ages, and the
 * later a time the smaller its age.
 */
export function windowSort(kind: KindFacts): SortKey {
  const sort = kind.window?.sort;
  if (sort === undefined) return undefined;
  const id = sort.replace(/^-/, '');
  if (kind.columns.find((column) => column.id === id)?.format !== 'age') return sort;
  return sort === id ? `-${id}` : id;
}

/** Compares two rows. */
export type RowOrder = (a: Row, b: Row) => number;

/**
 * The order of a list. Worst first is by the tone of the status, then by name. Whatever the order, rows that are
 * equal in it stand by namespace and name, so that no row ever jumps for nothing.
 */
export function rowOrder(sort: SortKey, columns: readonly PlacedColumn[]): RowOrder {
  const at = (format: CellFormat) => columns.find(({ column }) => column.format === format)?.index;
  const nameAt = at('name') ?? 0;
  const namespaceAt = at('namespace');
  const byName: RowOrder = (a, b) =>
    compareText(a, b, nameAt) ||
    (namespaceAt === undefined ? 0 : compareText(a, b, namespaceAt)) ||
    (a[0] < b[0] ? -1 : 1);

  const id = sort?.replace(/^-/, '');
  const placed = columns.find(({ column }) => column.id === id);
  if (placed === undefined) {
    const statusAt = at('status');
    if (statusAt === undefined) return byName;
    return (a, b) => rankOf(a, statusAt) - rankOf(b, statusAt) || byName(a, b);
  }
  const { index, column } = placed;
  const factor = sort?.startsWith('-') === true ? -1 : 1;
  // Age counts up while its value, the time of creation, stands still: older is more.
  const sign = column.format === 'age' ? -factor : factor;
  return (a, b) => sign * compareAt(a, b, index, column.format) || byName(a, b);
}

const ranks: ReadonlyMap<unknown, number> = new Map(Object.entries(toneRank));

/** Of a status cell `[label, tone]`; asked a million times a sort, so nothing is made for it. */
const rankOf = (row: Row, at: number): number => {
  const value = row[1][at];
  return Array.isArray(value) ? (ranks.get((value as readonly unknown[])[1]) ?? 5) : 5;
};

/** Text as it sorts: lower case, numbers by value (`web-2` before `web-10`). */
const sortText = (text: string) => text.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(10, '0'));

/** Prepared once for each row and column: a collator would cost ten times as much for every comparison. */
const sortTexts = new WeakMap<Row, (string | undefined)[]>();

function sortTextOf(row: Row, at: number): string {
  let texts = sortTexts.get(row);
  if (texts === undefined) {
    texts = [];
    sortTexts.set(row, texts);
  }
  const known = texts[at];
  if (known !== undefined) return known;
  const value = row[1][at];
  const text = sortText(
    statusOf(value)?.label ?? (Array.isArray(value) ? value.join(' ') : String(value ?? '')),
  );
  texts[at] = text;
  return text;
}

function compareText(a: Row, b: Row, at: number): number {
  const left = sortTextOf(a, at);
  const right = sortTextOf(b, at);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Formats whose cells are numbers, or begin with one. */
const numeric: ReadonlySet<string> = new Set(['age', 'number', 'restarts', 'cores', 'bytes']);

function compareAt(a: Row, b: Row, at: number, format: CellFormat): number {
  if (format === 'status') return rankOf(a, at) - rankOf(b, at) || compareText(a, b, at);
  if (format === 'ratio') return ratioOf(a[1][at]) - ratioOf(b[1][at]) || compareText(a, b, at);
  return numeric.has(format) ? numberOf(a[1][at]) - numberOf(b[1][at]) : compareText(a, b, at);
}

function numberOf(value: CellValue | undefined): number {
  const first = Array.isArray(value) ? (value as readonly unknown[])[0] : value;
  return typeof first === 'number' ? first : -1;
}

function ratioOf(value: CellValue | undefined): number {
  if (typeof value !== 'string') return -1;
  const [part = 0, whole = 0] = value.split('/').map(Number);
  return whole === 0 ? 1 : part / whole;
}

/** The rows of a list as they would stand now. */
export function arrange(rows: Iterable<Row>, filter: RowFilter | undefined, order: RowOrder): readonly Row[] {
  const all = [...rows];
  return (filter === undefined ? all : all.filter(filter)).sort(order);
}

/** More of a list than this share of it is faster sorted anew. */
const mostMoved = 0.25;

/**
 * The same as `arrange` of what a change made of the rows, from the rows as they stood before it: what did not change is
 * not compared again. Undefined where that would not be faster, or where `sorted` was not what the change began from.
 */
export function rearrange(
  sorted: readonly Row[],
  { came, gone }: RowsChange,
  filter: RowFilter | undefined,
  order: RowOrder,
): readonly Row[] | undefined {
  if (came.length + gone.length > sorted.length * mostMoved) return undefined;
  // Every row is passed below anyway: looking each up there costs less than searching for those that left.
  const leaving = new Set(filter === undefined ? gone : gone.filter(filter));
  const added = arrange(came, filter, order);
  const places = added.map((row) => placeOf(row, sorted, order));
  const rows: Row[] = [];
  let [left, nextAdded] = [0, 0];
  for (let at = 0; at <= sorted.length; at += 1) {
    while (places[nextAdded] === at) {
      const row = added[nextAdded];
      if (row !== undefined) rows.push(row);
      nextAdded += 1;
    }
    const row = sorted[at];
    if (row === undefined) continue;
    if (leaving.has(row)) left += 1;
    else rows.push(row);
  }
  return left === leaving.size ? rows : undefined;
}

/** Where a row stands in sorted rows, or would. */
function placeOf(row: Row, sorted: readonly Row[], order: RowOrder): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = sorted[middle];
    if (other === row) return middle;
    if (other !== undefined && order(other, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Rows in a held order, and how many would stand elsewhere. */
export interface Held {
  readonly rows: readonly Row[];
  readonly moved: number;
}

/**
 * Keeps the order somebody is looking at: rows stay where they were, rows that are gone leave, new rows come at the
 * end. `moved` counts the fewest rows that would have to move to get from there to the sorted order.
 */
export function holdOrder(shown: readonly string[], sorted: readonly Row[]): Held {
  const places = new Map(sorted.map((row, index) => [row[0], index]));
  const kept: number[] = [];
  const seen = new Set<number>();
  for (const uid of shown) {
    const place = places.get(uid);
    if (place === undefined) continue;
    kept.push(place);
    seen.add(place);
  }
  for (let place = 0; place < sorted.length; place += 1) if (!seen.has(place)) kept.push(place);
  const rows = kept.map((place) => sorted[place]).filter((row) => row !== undefined);
  return { rows, moved: kept.length - longestRise(kept) };
}

/** Length of the longest strictly rising subsequence. */
function longestRise(values: readonly number[]): number {
  const tails: number[] = [];
  for (const value of values) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((tails[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    tails[low] = value;
  }
  return tails.length;
}
