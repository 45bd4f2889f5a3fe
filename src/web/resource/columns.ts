import type { Row } from '../../contract/live.ts';
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
  link: { least: 160, track: 'minmax(10rem, 1fr)' },
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

/** Formats whose cells are figures that mean nothing when they are cut off. */
const isFigure = (format: CellFormat): boolean => format === 'ratio' || format === 'number';

/** Width of one character of a figure, and of what is beside it in a cell (px at 16px root). */
const figure = { char: 8, besides: 12 };

/** Characters of the longest figure of each column, 0 where its width is not that of a figure; for `sized`. */
export function figureChars(columns: readonly PlacedColumn[], rows: Iterable<Row>): readonly number[] {
  const chars = columns.map(() => 0);
  const figures = [...columns.entries()].filter(([, { column }]) => isFigure(column.format));
  if (figures.length === 0) return chars;
  for (const [, cells] of rows) {
    for (const [at, { index }] of figures) {
      const cell = cells[index];
      if (typeof cell === 'string' || typeof cell === 'number')
        chars[at] = Math.max(chars[at] ?? 0, String(cell).length);
    }
  }
  return chars;
}

/** The columns with what `figureChars` found. */
export function sized(columns: readonly PlacedColumn[], chars: readonly number[]): readonly PlacedColumn[] {
  return columns.map((placed, at) => ({ ...placed, chars: chars[at] ?? 0 }));
}

/** What the figures of a column take, px at 16px root; 0 where they take no more than is usual. */
function figureWidth({ column, chars = 0 }: PlacedColumn): number {
  const width = chars * figure.char + figure.besides;
  return isFigure(column.format) && width > widths[column.format].least ? width : 0;
}

/** The least width of some columns, px at 16px root. */
export function leastWidth(columns: readonly PlacedColumn[]): number {
  return columns.reduce(
    (sum, placed) => sum + Math.max(widths[placed.column.format].least, figureWidth(placed)),
    16,
  );
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
  return columns
    .map((placed) => {
      const width = figureWidth(placed);
      return width === 0 ? widths[placed.column.format].track : `${width / 16}rem`;
    })
    .join(' ');
}
