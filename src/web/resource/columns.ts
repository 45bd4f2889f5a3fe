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

/** Where a row has less (px at 16px root), its name and its status stand on a line each: beside each other none is read. */
const leastInLine = widths.name.least;

/** A column of usage has room for its share and the line of its past. */
const usage = { least: 176, track: '11rem' };
const widthOf = ({ column }: PlacedColumn) => (column.join === 'metrics' ? usage : widths[column.format]);

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

/** Formats whose cells mean nothing when they are cut off: the px (at 16px root) of a character, and of what is beside. */
const figures: Partial<Record<CellFormat, { readonly char: number; readonly besides: number }>> = {
  ratio: { char: 8, besides: 12 },
  number: { char: 8, besides: 12 },
  status: { char: 7, besides: 38 },
};

/** Characters of a status that are never cut off: clusters may write whole sentences there. */
const mostStatus = 32;

/** Characters of the longest figure of each column, 0 where its width is not that of a figure; for `sized`. */
export function figureChars(columns: readonly PlacedColumn[], rows: Iterable<Row>): readonly number[] {
  const chars = columns.map(() => 0);
  const measured = [...columns.entries()].filter(([, { column }]) => figures[column.format] !== undefined);
  if (measured.length === 0) return chars;
  for (const [, cells] of rows) {
    for (const [at, { index }] of measured) {
      const cell = cells[index];
      const text: unknown = Array.isArray(cell) ? (cell as readonly unknown[])[0] : cell;
      if (typeof text === 'string') chars[at] = Math.max(chars[at] ?? 0, Math.min(text.length, mostStatus));
      else if (typeof text === 'number') chars[at] = Math.max(chars[at] ?? 0, String(text).length);
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
  const figure = figures[column.format];
  if (figure === undefined) return 0;
  const width = chars * figure.char + figure.besides;
  return width > widths[column.format].least ? width : 0;
}

/** The least width of some columns, px at 16px root. */
export function leastWidth(columns: readonly PlacedColumn[]): number {
  return columns.reduce((sum, placed) => sum + Math.max(widthOf(placed).least, figureWidth(placed)), 16);
}

/** Whether some columns tell of things by a message. */
export const hasMessage = (columns: readonly PlacedColumn[]): boolean =>
  columns.some(({ column }) => column.format === 'message');

/**
 * Whether a list shows each object on two lines: its columns have not even their least, or would cut off a message, which
 * says nothing by its first words. A wide table is scrolled instead.
 * @param columns those that fit
 * @param width px at 16px root; 0 is not measured yet
 */
export function needsTwoLines(
  columns: readonly PlacedColumn[],
  width: number,
  { isWide }: Pick<ColumnChoice, 'isWide'> = noChoice,
): boolean {
  if (width === 0) return false;
  return width < leastInLine || (!isWide && hasMessage(columns) && leastWidth(columns) > width);
}

/** What an object is told by: these stay in the narrowest tile. */
const last: ReadonlySet<CellFormat> = new Set(['name', 'status', 'object', 'message']);

/**
 * The columns that fit: of those wanted the ones with the highest `dropAt` go first, then all but name and status. A
 * wide table drops none, it is scrolled; nor does a column go that was asked for by itself.
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
  const rankOf = ({ column }: PlacedColumn) =>
    choice.columns[column.id] ? 0 : (column.dropAt ?? (last.has(column.format) ? 0 : 0.5));
  const most = Math.max(0, ...columns.map(rankOf));
  if (width === 0 || leastWidth(columns) <= width || most === 0) return columns;
  return dropped(
    columns.filter((placed) => rankOf(placed) < most),
    width,
    choice,
  );
}

/**
 * The grid tracks of some columns. Where even their least is too much, a status takes what it says and the name the rest.
 * @param width px at 16px root; 0 is not measured yet
 */
export function tracksOf(columns: readonly PlacedColumn[], width = 0): string {
  const isTight = width !== 0 && leastWidth(columns) > width;
  return columns
    .map((placed) => {
      const { column, chars = 0 } = placed;
      const figure = figures[column.format];
      const taken = figureWidth(placed);
      if (taken !== 0) return `${taken / 16}rem`;
      if (isTight && column.format === 'name') return 'minmax(3rem, 1fr)';
      if (isTight && figure !== undefined) return `${(chars * figure.char + figure.besides) / 16}rem`;
      return widthOf(placed).track;
    })
    .join(' ');
}
