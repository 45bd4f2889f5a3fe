import type { CellValue, Row } from '../../../contract/live.ts';
import type { CellFormat } from '../../../registry/kinds/kind.ts';
import { noStatus } from '../../../registry/custom-status/statements.ts';
import type { ColumnFacts } from '../../../registry/kinds/kind-facts.ts';
import { type ColumnChoice, noChoice } from '../../core/state/columns.ts';
import type { PlacedColumn } from '../../data/rows/placed.ts';
import { statusOf } from '../../data/rows/tones.ts';

/** Width of a column by its format: the least it takes (px at 16px root), and its track in the grid. */
const widths: Readonly<Record<CellFormat, { readonly least: number; readonly track: string }>> = {
  namespace: { least: 96, track: 'minmax(6rem, 0.5fr)' },
  name: { least: 170, track: 'minmax(10.5rem, 1.3fr)' },
  ratio: { least: 52, track: '3.25rem' },
  status: { least: 158, track: '10rem' },
  restarts: { least: 116, track: '7.25rem' },
  number: { least: 72, track: '4.5rem' },
  text: { least: 96, track: 'minmax(6rem, 0.6fr)' },
  mono: { least: 112, track: 'minmax(7rem, 0.4fr)' },
  age: { least: 58, track: '3.625rem' },
  duration: { least: 84, track: '5.25rem' },
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

/** A column of usage has room for its share and the line of its past; at a glance for a bar and a figure. */
const usage = { least: 176, track: '11rem' };
const briefWidth = { least: 94, track: '5.875rem' };
const widthOf = ({ column, isBrief }: PlacedColumn) =>
  column.join === 'metrics' ? (isBrief === true ? briefWidth : usage) : widths[column.format];

/** Whether a format is set to the right. */
export const isRight = (format: CellFormat): boolean =>
  format === 'ratio' ||
  format === 'restarts' ||
  format === 'number' ||
  format === 'age' ||
  format === 'duration' ||
  format === 'cores' ||
  format === 'bytes';

/**
 * Whether a column is wanted: as chosen one by one, else as the table says.
 * @param hasUsage what the objects use is known anyway
 */
export function isChosen(
  { id, wide, join }: Pick<ColumnFacts, 'id' | 'wide' | 'join'>,
  choice: ColumnChoice,
  hasUsage = false,
): boolean {
  return choice.columns[id] ?? (choice.isWide || wide !== true || (hasUsage && join === 'metrics'));
}

/** Whether any of these rows tells what its object uses. */
export function tellsUsage(columns: readonly PlacedColumn[], rows: Iterable<Row>): boolean {
  const places = columns.filter(({ column }) => column.join === 'metrics').map(({ index }) => index);
  if (places.length === 0) return false;
  for (const [, cells] of rows) if (places.some((index) => cells[index] != null)) return true;
  return false;
}

/** Whether any of these rows has a status that says something: many definitions allow one that nobody writes. */
export function hasStatus(columns: readonly PlacedColumn[], rows: Iterable<Row>): boolean {
  const place = columns.find(({ column }) => column.format === 'status')?.index;
  if (place === undefined) return false;
  for (const [, cells] of rows) if (statusOf(cells[place] ?? null)?.label !== noStatus.label) return true;
  return false;
}

/** Formats whose cells mean nothing when they are cut off: the px (at 16px root) of a character, and of what is beside. */
const figures: Partial<Record<CellFormat, { readonly char: number; readonly besides: number }>> = {
  ratio: { char: 8, besides: 12 },
  number: { char: 8, besides: 12 },
  status: { char: 7, besides: 38 },
};

/** Formats whose columns share what place is left, each by the longest text in it. */
const textFormats: ReadonlySet<CellFormat> = new Set([
  'namespace',
  'name',
  'text',
  'mono',
  'message',
  'object',
  'list',
  'labels',
  'link',
]);

/** Characters of a status that are never cut off: clusters may write whole sentences there. */
const maxStatusLength = 32;
/** A text longer than this, and a message longer than that, takes no more of the place that is left; and texts count in steps, so that columns stay still while rows change. */
const maxTextLength = 48;
const maxMessageLength = 96;
const textStep = 8;

/** The characters of a cell: of a figure its first part, of a text all that stands in it. */
function charsIn(cell: CellValue | undefined, isText: boolean): number {
  if (typeof cell === 'string') return isText ? cell.length : Math.min(cell.length, maxStatusLength);
  if (typeof cell === 'number') return String(cell).length;
  if (!Array.isArray(cell)) return 0;
  const parts = cell as readonly CellValue[];
  if (!isText) return charsIn(parts[0], false);
  return parts.reduce<number>((sum, part) => sum + charsIn(part, true) + 2, -2);
}

/** Characters of the longest figure or text of each column, 0 where its width is that of its format; for `sized`. */
export function longestChars(columns: readonly PlacedColumn[], rows: Iterable<Row>): readonly number[] {
  const chars = columns.map(() => 0);
  const measured = [...columns.entries()].flatMap(([at, { column, index }]) => {
    const isText = textFormats.has(column.format);
    const most = column.format === 'message' ? maxMessageLength : maxTextLength;
    return isText || figures[column.format] !== undefined ? [{ at, index, isText, most }] : [];
  });
  if (measured.length === 0) return chars;
  for (const [, cells] of rows) {
    for (const { at, index, isText, most } of measured) {
      const known = chars[at] ?? 0;
      if (isText && known >= most) continue;
      const found = charsIn(cells[index], isText);
      if (found > known) chars[at] = isText ? Math.min(most, Math.ceil(found / textStep) * textStep) : found;
    }
  }
  return chars;
}

/** The columns with what `longestChars` found. */
export function sized(columns: readonly PlacedColumn[], chars: readonly number[]): readonly PlacedColumn[] {
  return columns.map((placed, at) => ({ ...placed, chars: chars[at] ?? 0 }));
}

/**
 * The width of a column's figures, px at 16px root; 0 for the usual width. Times are as short as in `Age`, but their
 * heading is not: `Last seen ↑`.
 */
function figureWidth({ column, chars = 0 }: PlacedColumn): number {
  const figure = figures[column.format];
  if (figure === undefined && column.format !== 'age') return 0;
  const width = figure === undefined ? column.label.length * 6.5 + 24 : chars * figure.char + figure.besides;
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
  { isWide, columns: chosen }: ColumnChoice = noChoice,
): boolean {
  if (width === 0) return false;
  if (width < leastInLine) return true;
  // Columns that were chosen explicitly take their width from the message: they do not force two lines.
  const others = columns.filter(({ column }) => !(chosen[column.id] ?? false));
  return !isWide && hasMessage(columns) && leastWidth(others) > width;
}

/** The columns that identify an object: they stay in the narrowest tile. */
const essentialFormats: ReadonlySet<CellFormat> = new Set(['name', 'status', 'object', 'message']);

/**
 * The columns that fit: of those wanted the ones with the highest `dropAt` go first, one by one, then all but name and
 * status. A
 * wide table drops none, it is scrolled; nor does a column go that was asked for by itself.
 * @param width px at 16px root; 0 is not measured yet and drops nothing
 * @param hasUsage what the objects use is known though nobody chose its columns: they show in brief
 */
export function fittingColumns(
  columns: readonly PlacedColumn[],
  width: number,
  choice: ColumnChoice = noChoice,
  hasUsage = false,
): readonly PlacedColumn[] {
  const chosen = columns
    .filter(({ column }) => isChosen(column, choice, hasUsage))
    .map((placed) =>
      placed.column.join === 'metrics' && !isChosen(placed.column, choice)
        ? { ...placed, isBrief: true }
        : placed,
    );
  return choice.isWide ? chosen : dropped(chosen, width, choice);
}

function dropped(
  columns: readonly PlacedColumn[],
  width: number,
  choice: ColumnChoice,
): readonly PlacedColumn[] {
  const rankOf = ({ column }: PlacedColumn) =>
    choice.columns[column.id] ? 0 : (column.dropAt ?? (essentialFormats.has(column.format) ? 0 : 0.5));
  const most = Math.max(0, ...columns.map(rankOf));
  if (width === 0 || leastWidth(columns) <= width || most === 0) return columns;
  // Of several with the same rank the last one goes first: those of a definition are in the order of their weight.
  const last = columns.findLastIndex((placed) => rankOf(placed) === most);
  return dropped(columns.toSpliced(last, 1), width, choice);
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
      if (isTight && column.format === 'name') return `minmax(3rem, ${Math.max(1, chars)}fr)`;
      if (isTight && figure !== undefined) return `${(chars * figure.char + figure.besides) / 16}rem`;
      if (textFormats.has(column.format) && chars > 0)
        return `minmax(${widthOf(placed).least / 16}rem, ${chars}fr)`;
      return widthOf(placed).track;
    })
    .join(' ');
}
