import { isRight } from './columns.ts';
import type { PlacedColumn } from '../../data/rows/placed.ts';

// Rows are many and are drawn at each scroll: their classes are constants, chosen by comparison and put together once.

/** A row of a list that is as wide as the tile: a box, the columns, the dots. Its grid is `group/grid`. */
export const gridRow = 'grid grid-cols-[1.625rem_var(--cols)_1.625rem] items-center border-b';
/** A row of headings. */
export const headRow =
  'h-thead border-border bg-raised text-(length:--text-2xs) font-medium font-stretch-100% text-text-3';

/** Cells that truncate their text. */
export const cutCell = 'min-w-0 truncate px-1.25';
/** Cells that are short or truncate inside: an element that clips its content is painted separately. */
const wholeCell = 'min-w-0 px-1.25 whitespace-nowrap';
/** A text after a figure: they would read as one. */
const afterFigure = 'min-w-0 truncate pr-1.25 pl-3';
const wholeAfterFigure = 'min-w-0 pr-1.25 pl-3 whitespace-nowrap';
const figure = `${wholeCell} text-right`;
const name = 'font-medium text-text';

/** The classes of a row's cells, by column. */
export function cellLooks(columns: readonly PlacedColumn[]): readonly string[] {
  return columns.map(({ column: { format } }, at) => {
    const before = columns[at - 1];
    const isAfterFigure = before !== undefined && isRight(before.column.format);
    if (isRight(format)) return figure;
    if (format === 'name') return `${isAfterFigure ? wholeAfterFigure : wholeCell} ${name}`;
    if (format === 'status') return isAfterFigure ? wholeAfterFigure : wholeCell;
    return isAfterFigure ? afterFigure : cutCell;
  });
}

/** The classes of the cells of a table inside a page, and of headings: every one is cut. */
export function cutCellLooks(columns: readonly PlacedColumn[]): readonly string[] {
  return columns.map(({ column: { format } }, at) => {
    const before = columns[at - 1];
    if (isRight(format)) return `${cutCell} text-right`;
    return before !== undefined && isRight(before.column.format) ? afterFigure : cutCell;
  });
}

/** Name and status above, the rest below; narrow windows have a box and dots besides. */
const twoLineRow = [
  'grid content-center items-center border-b',
  'narrow:h-13 narrow:grid-cols-[2rem_minmax(0,1fr)_auto_2.25rem] narrow:grid-rows-[1.375rem_1.125rem] narrow:gap-y-px',
  'md:h-11 md:grid-cols-[0.25rem_minmax(0,1fr)] md:grid-rows-[1.25rem_1.125rem]',
  'md:group-data-selecting/grid:grid-cols-[1.625rem_minmax(0,1fr)]',
  'md:group-data-telling/grid:grid-cols-[0.25rem_minmax(0,1fr)_auto]',
  'md:group-data-selecting/grid:group-data-telling/grid:grid-cols-[1.625rem_minmax(0,1fr)_auto]',
].join(' ');

const rowPosition = 'group/row absolute inset-x-0 top-0 border-hairline';
/** The cursor: faint while the keys are another tile's, or go to a field. */
const ring = [
  'outline -outline-offset-1 outline-control outline-dashed',
  'group-data-keys/grid:outline-2 group-data-keys/grid:-outline-offset-2 group-data-keys/grid:outline-focus group-data-keys/grid:outline-solid',
  'group-focus-within/grid:outline-2 group-focus-within/grid:-outline-offset-2 group-focus-within/grid:outline-focus group-focus-within/grid:outline-solid',
].join(' ');

const plainRow = `${rowPosition} outline-none hover:bg-row-hover`;
const cursorRow = `${rowPosition} bg-row-cursor ${ring}`;
const selectedRow = `${rowPosition} bg-row-selected outline-none hover:bg-row-selected-hover forced-colors:outline forced-colors:-outline-offset-1 forced-colors:outline-[Highlight] forced-colors:outline-solid`;
const selectedCursorRow = `${rowPosition} bg-row-selected-hover ${ring} forced-colors:outline-3 forced-colors:outline-[Highlight] forced-colors:outline-solid`;

/** By whether it is selected, and whether it has the cursor. */
const states = {
  plain: plainRow,
  cursor: cursorRow,
  selected: selectedRow,
  both: selectedCursorRow,
} as const;
const onOneLine = {
  plain: `${gridRow} h-row ${states.plain}`,
  cursor: `${gridRow} h-row ${states.cursor}`,
  selected: `${gridRow} h-row ${states.selected}`,
  both: `${gridRow} h-row ${states.both}`,
} as const;
const onTwoLines = {
  plain: `${twoLineRow} ${states.plain}`,
  cursor: `${twoLineRow} ${states.cursor}`,
  selected: `${twoLineRow} ${states.selected}`,
  both: `${twoLineRow} ${states.both}`,
} as const;

/** The classes of a row of a list. */
export function rowLook(isTwoLine: boolean, isCursor: boolean, isSelected: boolean): string {
  const looks = isTwoLine ? onTwoLines : onOneLine;
  if (isCursor) return isSelected ? looks.both : looks.cursor;
  return isSelected ? looks.selected : looks.plain;
}

/** The cell of the box that selects a row, or all. */
export const boxCell =
  'min-w-0 whitespace-nowrap group-data-two-line/row:row-span-full md:group-data-two-line/row:invisible md:group-data-two-line/row:group-data-selecting/grid:visible';
/** The box's target. An empty box is a pseudo-element, made only where it is seen: every row has one. */
export const boxButton =
  'grid size-6.5 place-items-center narrow:group-data-two-line/row:h-12 narrow:group-data-two-line/row:w-9';
export const emptyBox = [
  'empty:before:content-none empty:before:size-3.5 empty:before:rounded-[3px] empty:before:border empty:before:border-control empty:before:bg-surface',
  'group-hover/row:empty:before:content-[""] group-data-cursor/row:empty:before:content-[""]',
  'group-data-two-line/row:empty:before:content-[""] group-data-selecting/grid:empty:before:content-[""]',
].join(' ');

export const dotsCell =
  'min-w-0 whitespace-nowrap narrow:group-data-two-line/row:col-start-4 narrow:group-data-two-line/row:row-span-full md:group-data-two-line/row:hidden';
/** Three dots as wide as those of the icon, made only where they are seen. */
export const dotsButton = [
  'grid size-6.5 place-items-center rounded-sm text-text-3 hover:bg-fill-hover hover:text-text',
  'narrow:group-data-two-line/row:h-12 narrow:group-data-two-line/row:w-9',
  'before:h-1 before:w-[0.766rem] before:bg-[radial-gradient(circle,currentColor_0.068rem,transparent_0.0875rem)] before:bg-size-[0.2553rem_100%] before:bg-position-[0_50%] before:content-none',
  'group-hover/row:before:content-[""] group-data-cursor/row:before:content-[""] group-data-two-line/row:before:content-[""]',
  'forced-colors:before:text-[ButtonText] before:forced-color-adjust-none',
].join(' ');
