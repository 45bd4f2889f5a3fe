import type { CellValue, Row } from '../../contract/live.ts';
import type { CellFormat } from '../../registry/kind.ts';
import type { ColumnFacts, KindFacts } from '../../registry/kind-facts.ts';
import { toneRank } from '../../registry/tone.ts';
import type { RowFilter } from './filter.ts';
import { statusOf } from './tones.ts';

/** A column and where its cell is in a row. */
export interface PlacedColumn {
  readonly column: ColumnFacts;
  readonly index: number;
  /** Characters of its longest figure, where that says how wide it is. */
  readonly chars?: number;
  /** Usage as a bar and a figure, without its past. */
  readonly isBrief?: boolean;
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

/** Compares two rows; 0 for two states of one object that stand in the same place. */
export interface RowOrder {
  (a: Row, b: Row): number;
  /** Where the cells are that rows equal in it stand by; namespace -1 where there is none. */
  readonly nameAt: number;
  readonly namespaceAt: number;
  /** What goes before them. Undefined where nothing does. */
  readonly key: RowKey | undefined;
}

/** What rows are sorted by before their names: a number, then a text, either absent. */
export interface RowKey {
  /** Which key it is, either way up. */
  readonly id: string;
  readonly number?: (row: Row) => number;
  /** Where in a row the cell is whose text counts. */
  readonly textAt?: number;
  readonly isDescending: boolean;
}

/**
 * The order of a list. Worst first is by the tone of the status, then by name. Whatever the order, rows that are
 * equal in it stand by namespace and name, so that no row ever jumps for nothing.
 */
export function rowOrder(sort: SortKey, columns: readonly PlacedColumn[]): RowOrder {
  const at = (format: CellFormat) => columns.find(({ column }) => column.format === format)?.index;
  const nameAt = at('name') ?? 0;
  const namespaceAt = at('namespace') ?? -1;
  const byName = (a: Row, b: Row): number =>
    compareText(a, b, nameAt) ||
    (namespaceAt < 0 ? 0 : compareText(a, b, namespaceAt)) ||
    (a[0] === b[0] ? 0 : a[0] < b[0] ? -1 : 1);

  const key = rowKey(sort, columns, at('status'));
  const compare = (a: Row, b: Row): number =>
    (key === undefined ? 0 : compareKeys(key, a, b)) || byName(a, b);
  return Object.assign(compare, { nameAt, namespaceAt, key });
}

function rowKey(
  sort: SortKey,
  columns: readonly PlacedColumn[],
  statusAt: number | undefined,
): RowKey | undefined {
  const id = sort?.replace(/^-/, '') ?? '';
  const placed = columns.find(({ column }) => column.id === id);
  if (placed === undefined)
    return statusAt === undefined
      ? undefined
      : { id: '', number: (row) => rankOf(row, statusAt), isDescending: false };
  const { index, column } = placed;
  const isTurned = sort?.startsWith('-') === true;
  const { format } = column;
  if (format === 'status')
    return { id, number: (row) => rankOf(row, index), textAt: index, isDescending: isTurned };
  if (format === 'ratio')
    return { id, number: (row) => ratioOf(row[1][index]), textAt: index, isDescending: isTurned };
  if (!numeric.has(format)) return { id, textAt: index, isDescending: isTurned };
  // Age counts up while its value, the time of creation, stands still: older is more.
  return { id, number: (row) => numberOf(row[1][index]), isDescending: isTurned !== (format === 'age') };
}

function compareKeys({ number, textAt, isDescending }: RowKey, a: Row, b: Row): number {
  let sign = number === undefined ? 0 : number(a) - number(b);
  if (sign === 0 && textAt !== undefined) sign = compareText(a, b, textAt);
  return isDescending ? -sign : sign;
}

/** What starts or ends stands among what is well: rows that settle do not move. */
const ranks: ReadonlyMap<unknown, number> = new Map(Object.entries({ ...toneRank, info: toneRank.ok }));

/** Of a status cell `[label, tone]`; asked a million times a sort, so nothing is made for it. */
const rankOf = (row: Row, at: number): number => {
  const value = row[1][at];
  return Array.isArray(value) ? (ranks.get((value as readonly unknown[])[1]) ?? 5) : 5;
};

/** What a cell says, as one text. */
export function plainText(value: CellValue | undefined): string {
  if (typeof value === 'string') return value;
  return statusOf(value)?.label ?? (Array.isArray(value) ? value.join(' ') : String(value ?? ''));
}

/** A text as it sorts: lower case, numbers by value (`web-2` before `web-10`). */
export const sortText = (text: string): string =>
  text.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(10, '0'));

/** Prepared once for each row and column: a collator would cost ten times as much for every comparison. */
const sortTexts = new WeakMap<Row, (string | undefined)[]>();

/** The text of a row's cell as it sorts. */
export function sortTextOf(row: Row, at: number): string {
  let texts = sortTexts.get(row);
  if (texts === undefined) {
    texts = [];
    sortTexts.set(row, texts);
  }
  const known = texts[at];
  if (known !== undefined) return known;
  const text = sortText(plainText(row[1][at]));
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

function numberOf(value: CellValue | undefined): number {
  const first = Array.isArray(value) ? (value as readonly unknown[])[0] : value;
  return typeof first === 'number' ? first : -1;
}

function ratioOf(value: CellValue | undefined): number {
  if (typeof value !== 'string') return -1;
  const [part = 0, whole = 0] = value.split('/').map(Number);
  return whole === 0 ? 1 : part / whole;
}

/** Where a row goes among rows that stand in an order. */
export function placeIn(rows: readonly Row[], row: Row, order: (a: Row, b: Row) => number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = rows[middle];
    if (other !== undefined && order(other, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The rows of a list as they would stand now. */
export function arrange(
  rows: Iterable<Row>,
  filter: RowFilter | undefined,
  order: (a: Row, b: Row) => number,
): readonly Row[] {
  const all = [...rows];
  return (filter === undefined ? all : all.filter(filter)).sort(order);
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
