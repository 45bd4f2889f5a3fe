import type { CellFormat } from '../../registry/kind.ts';
import type { PlacedColumn } from './pipeline.ts';

/** Width of a column by its format: the least it takes (px at 16px root), and its track in the grid. */
const widths: Readonly<Record<CellFormat, { readonly least: number; readonly track: string }>> = {
  namespace: { least: 96, track: 'minmax(6rem, 0.5fr)' },
  name: { least: 170, track: 'minmax(10.5rem, 1.3fr)' },
  ratio: { least: 52, track: '3.25rem' },
  status: { least: 158, track: '10rem' },
  restarts: { least: 104, track: '6.5rem' },
  number: { least: 72, track: '4.5rem' },
  text: { least: 96, track: 'minmax(6rem, 0.6fr)' },
  mono: { least: 112, track: '7rem' },
  age: { least: 58, track: '3.625rem' },
  message: { least: 160, track: 'minmax(10rem, 2fr)' },
  object: { least: 120, track: 'minmax(7.5rem, 0.8fr)' },
  list: { least: 96, track: 'minmax(6rem, 0.6fr)' },
  labels: { least: 112, track: 'minmax(7rem, 0.8fr)' },
  cores: { least: 72, track: '4.5rem' },
  bytes: { least: 72, track: '4.5rem' },
};

/** Whether a format is set to the right. */
export const isRight = (format: CellFormat): boolean =>
  format === 'ratio' ||
  format === 'restarts' ||
  format === 'number' ||
  format === 'age' ||
  format === 'cores' ||
  format === 'bytes';

/**
 * The columns that fit: wide ones only where asked for, then dropped from the highest `dropAt` down.
 * `width` in px at 16px root; 0 is not measured yet and drops nothing.
 */
export function fittingColumns(
  columns: readonly PlacedColumn[],
  width: number,
  wantsWide: boolean,
): readonly PlacedColumn[] {
  const fitting = columns.filter(({ column }) => wantsWide || column.wide !== true);
  const least = fitting.reduce((sum, { column }) => sum + widths[column.format].least, 16);
  const most = Math.max(0, ...fitting.map(({ column }) => column.dropAt ?? 0));
  if (width === 0 || least <= width || most === 0) return fitting;
  return fittingColumns(
    fitting.filter(({ column }) => (column.dropAt ?? 0) < most),
    width,
    wantsWide,
  );
}

/** The grid tracks of some columns. */
export function tracksOf(columns: readonly PlacedColumn[]): string {
  return columns.map(({ column }) => widths[column.format].track).join(' ');
}
