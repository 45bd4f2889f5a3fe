import type { CellFormat } from '../../registry/kind.ts';
import type { ColumnFacts } from '../../registry/kind-facts.ts';
import { type ColumnChoice, noChoice } from '../state/columns.ts';
import type { PlacedColumn } from './pipeline.ts';

/** Width of a column by its format: the least it takes (px at 16px root), and its track in the grid. */
const widths: Readonly<Record<CellFormat, { readonly least: number; readonly track: string }>> = {
  namespace: { least: 96, track: 'minmax(6rem, 0.5fr)' },
  name: { least: 170, track: 'minmax(10.5rem, 1.3fr)' },
  ratio: { least: 52, track: '3.25rem' },
  status: { least: 158, track: '10rem' },
  restarts: { least: 116, track: '7.25rem' },
  number: { least: 72, track: '4.5rem' },
  text: { least: 96, track: 'minmax(6rem, 0.6fr)' },
  mono: { least: 112, track: '7rem' },
  age: { least: 58, track: '3.625rem' },
  message: { least: 160, track: 'minmax(10rem, 2fr)' },
  object: { least: 120, track: 'minmax(7.5rem, 0.8fr)' },
  list: { least: 96, track: 'minmax(6rem, 0.6fr)' },
  labels: { least: 112, track: 'minmax(7rem, 0.8fr)' },
  cores: { least: 80, track: '5rem' },
  bytes: { least: 92, track: '5.75rem' },
};

/** Whether a format is set to the right. */
export const isRight = (format: CellFormat): boolean =>
  format === 'ratio' ||
  format === 'restarts' ||
  format === 'number' ||
  format === 'age' ||
  format === 'cores' ||
  format === 'bytes';

/** Whether a column is wanted: as chosen one by one, else as the table says. */
export function isChosen({ id, wide }: Pick<ColumnFacts, 'id' | 'wide'>, choice: ColumnChoice): boolean {
  return choice.columns[id] ?? (choice.isWide || wide !== true);
}

/** The least width of some columns, px at 16px root. */
export function leastWidth(columns: readonly PlacedColumn[]): number {
  return columns.reduce((sum, { column }) => sum + widths[column.format].least, 16);
}

/**
 * The columns that fit: of those wanted the ones with the highest `dropAt` go first. A wide table drops none, it is
 * scrolled; nor does a column go that was asked for by itself.
 * @param width px at 16px root; 0 is not measured yet and drops nothing
 */
export function fittingColumns(
  columns: readonly PlacedColumn[],
  width: number,
  choice: ColumnChoice = noChoice,
): readonly PlacedColumn[] {
  const chosen = columns.filter(({ column }) => isChosen(column, choice));
  return choice.isWide ? chosen : dropped(chosen, width, choice);
}

function dropped(
  columns: readonly PlacedColumn[],
  width: number,
  choice: ColumnChoice,
): readonly PlacedColumn[] {
  const rankOf = ({ column }: PlacedColumn) => (choice.columns[column.id] ? 0 : (column.dropAt ?? 0));
  const most = Math.max(0, ...columns.map(rankOf));
  if (width === 0 || leastWidth(columns) <= width || most === 0) return columns;
  return dropped(
    columns.filter((placed) => rankOf(placed) < most),
    width,
    choice,
  );
}

/** The grid tracks of some columns. */
export function tracksOf(columns: readonly PlacedColumn[]): string {
  return columns.map(({ column }) => widths[column.format].track).join(' ');
}
