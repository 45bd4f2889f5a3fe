import type { CellValue, Row } from '../../../contract/live.ts';
import type { CellFormat } from '../../../registry/kinds/kind.ts';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import { toneRank } from '../../../registry/tone.ts';
import type { PlacedColumn } from './placed.ts';
import { statusOf } from './tones.ts';

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

/** The sort key of a row before its name: a number, then a text, either absent. */
export interface RowKey {
  /** Which key it is, either way up. */
  readonly id: string;
  readonly number?: (row: Row) => number;
  /** Where in a row the cell is whose text counts. */
  readonly textAt?: number;
  readonly isDescending: boolean;
}

/** Where the cells are by which every list is ordered in the end; namespace -1 where there is none. */
export function namePlaces(columns: readonly PlacedColumn[]): {
  readonly nameAt: number;
  readonly namespaceAt: number;
} {
  const at = (format: CellFormat) => columns.find(({ column }) => column.format === format)?.index;
  return { nameAt: at('name') ?? 0, namespaceAt: at('namespace') ?? -1 };
}

/**
 * The key that an order compares before names; undefined if it compares names alone. Worst first compares the tone of
 * the status. Rows that are equal in the key are ordered by name and namespace, so that no row moves without a reason.
 */
export function rowKey(sort: SortKey, columns: readonly PlacedColumn[]): RowKey | undefined {
  const name = sort?.replace(/^-/, '') ?? '';
  const placed = columns.find(({ column }) => column.id === name);
  if (placed === undefined) {
    const statusAt = columns.find(({ column }) => column.format === 'status')?.index;
    if (statusAt === undefined) return undefined;
    return { id: `worst@${statusAt}`, number: (row) => toneRankOf(row, statusAt), isDescending: false };
  }
  const { index, column } = placed;
  const { format } = column;
  const id = `${name}@${index}`;
  const isTurned = sort?.startsWith('-') === true;
  if (format === 'status')
    return { id, number: (row) => toneRankOf(row, index), textAt: index, isDescending: isTurned };
  if (format === 'ratio')
    return { id, number: (row) => ratioOf(row[1][index]), textAt: index, isDescending: isTurned };
  if (format === 'duration')
    return { id, number: (row) => durationRank(row[1][index]), isDescending: isTurned };
  if (!numeric.has(format)) return { id, textAt: index, isDescending: isTurned };
  // Age counts up while its value, the time of creation, stands still: older is more.
  return { id, number: (row) => numberOf(row[1][index]), isDescending: isTurned !== (format === 'age') };
}

/** Starting and ending objects rank with healthy ones: rows that settle do not move. */
const ranks: ReadonlyMap<unknown, number> = new Map(Object.entries({ ...toneRank, info: toneRank.ok }));

/** The rank of a status cell `[label, tone]`. Called for every row of a list: it allocates nothing. */
const toneRankOf = (row: Row, at: number): number => {
  const value = row[1][at];
  return Array.isArray(value) ? (ranks.get((value as readonly unknown[])[1]) ?? 5) : 5;
};

/** A cell's value as one text. */
export function plainText(value: CellValue | undefined): string {
  if (typeof value === 'string') return value;
  return statusOf(value)?.label ?? (Array.isArray(value) ? value.join(' ') : String(value ?? ''));
}

/** A text as it sorts: lower case, numbers by value (`web-2` before `web-10`). */
export const sortText = (text: string): string =>
  text.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(10, '0'));

/** Formats whose cells are numbers, or begin with one. */
const numeric: ReadonlySet<string> = new Set(['age', 'number', 'restarts', 'cores', 'bytes']);

function numberOf(value: CellValue | undefined): number {
  const first = Array.isArray(value) ? (value as readonly unknown[])[0] : value;
  if (typeof first === 'number') return first;
  return typeof first === 'string' && /^-?\d+$/.test(first) ? Number(first) : -1;
}

/** The order of durations; what still runs is longer than what ended, and the longer the earlier it began. */
function durationRank(value: CellValue | undefined): number {
  const [from, until] = Array.isArray(value) ? (value as readonly unknown[]) : [];
  if (typeof from !== 'number') return -1;
  return typeof until === 'number' ? until - from : Number.MAX_SAFE_INTEGER - from;
}

/** Of `1/2` the half; -1 for what is no ratio. */
function ratioOf(value: CellValue | undefined): number {
  if (typeof value !== 'string') return -1;
  const [part = 0, whole = 0] = value.split('/').map(Number);
  if (whole === 0) return 1;
  return Number.isNaN(part / whole) ? -1 : part / whole;
}
