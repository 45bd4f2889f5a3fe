import type { CellValue, Row } from '../../../contract/live.ts';
import { formatAge } from '../../../kube/age.ts';
import type { PlacedColumn } from '../../data/rows/placed.ts';

/** How long ago, or how long until: definitions have columns of what is to come. */
export const timeText = (seconds: number): string =>
  seconds < -1 ? `in ${formatAge(-seconds)}` : formatAge(seconds);

/** Seconds from the start to the end of a cell `[start, end]`, or to now (s) without an end; undefined for no such cell. */
export function durationIn(value: unknown, now: number): number | undefined {
  const [from, until] = Array.isArray(value) ? (value as readonly unknown[]) : [];
  if (typeof from !== 'number') return undefined;
  return Math.max(0, (typeof until === 'number' ? until : now) - from);
}

/** The moment that a cell counts from, seconds since 1970; undefined for a cell that tells no time. */
function momentIn({ column }: PlacedColumn, value: CellValue | undefined): number | undefined {
  if (column.format === 'duration') {
    const [from, until] = Array.isArray(value) ? (value as readonly unknown[]) : [];
    return typeof from === 'number' && until === null ? from : undefined;
  }
  const moment =
    column.format === 'restarts' && Array.isArray(value) ? (value as readonly unknown[])[1] : value;
  return (column.format === 'age' || column.format === 'restarts') && typeof moment === 'number'
    ? moment
    : undefined;
}

/** Restarts within this time are still trouble (s). */
const recentRestartAge = 3_600;

/**
 * Whether containers were restarted lately. @param value a cell of restarts: the number, with the time of the last one (s)
 * @param now the server's clock, ms
 */
export function isRestartRecent(value: unknown, now: number): boolean {
  const last = Array.isArray(value) ? (value as readonly unknown[])[1] : undefined;
  return typeof last === 'number' && now / 1000 - last < recentRestartAge;
}

/** Whether a row reads the same at two moments, both ms since 1970. */
function readsSame([, cells]: Row, columns: readonly PlacedColumn[], a: number, b: number): boolean {
  return columns.every((placed) => {
    const moment = momentIn(placed, cells[placed.index]);
    return moment === undefined || timeText(a / 1000 - moment) === timeText(b / 1000 - moment);
  });
}

/** For which moment a row is to be drawn, ms since 1970, at this one. */
export type RowTimes = (row: Row, columns: readonly PlacedColumn[], now: number) => number;

/**
 * Remembers for which moment each row was drawn: as long as its times read the same, it stays that one, and a row that
 * nothing else changed is not drawn again. Most ages change once a minute, the clock every second.
 */
export function createRowTimes(): RowTimes {
  const drawn = new WeakMap<Row, number>();
  return (row, columns, now) => {
    const before = drawn.get(row);
    if (before === now) return now;
    if (before !== undefined && readsSame(row, columns, before, now)) return before;
    drawn.set(row, now);
    return now;
  };
}
