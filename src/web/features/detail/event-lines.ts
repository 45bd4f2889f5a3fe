import type { CellValue, Row } from '../../../contract/live.ts';
import type { KindStatus } from '../../../registry/kinds/kind.ts';
import { statusOf } from '../../data/rows/tones.ts';

/** An event as it is shown beside what it is about. */
export interface EventLine {
  readonly uid: string;
  readonly status: KindStatus | undefined;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  /** Epoch seconds. */
  readonly seen: number | undefined;
}

/** Which events are shown: those with every word of `query` in reason or message, and of these warnings alone. */
export interface EventFilter {
  readonly query: string;
  readonly isWarnings: boolean;
}

/** The events that pass a filter, the newest first. @param cell reads a cell of a row by its column's id */
export function shownEvents(
  rows: Iterable<Row>,
  cell: (row: Row, id: string) => CellValue,
  { query, isWarnings }: EventFilter,
): readonly EventLine[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const text = (value: CellValue) => (typeof value === 'string' ? value : '');
  const number = (value: CellValue) => (typeof value === 'number' ? value : undefined);
  return [...rows]
    .map(
      (row): EventLine => ({
        uid: row[0],
        status: statusOf(cell(row, 'status')),
        reason: text(cell(row, 'reason')),
        message: text(cell(row, 'message')),
        count: number(cell(row, 'count')) ?? 1,
        seen: number(cell(row, 'last-seen')),
      }),
    )
    .filter(({ status, reason, message }) => {
      const said = `${reason}\n${message}`.toLowerCase();
      return (!isWarnings || status?.tone === 'warn') && words.every((word) => said.includes(word));
    })
    .sort((a, b) => (b.seen ?? 0) - (a.seen ?? 0));
}
