import { cva } from 'class-variance-authority';

// A small table in a page, of which every row is drawn. Lists of a cluster have a grid of their own.

export const tableLook = 'w-full border-collapse';

/** A heading of a column. */
export const headCell = cva(
  'h-thead border-b border-border bg-raised px-2 text-(length:--text-2xs) font-medium whitespace-nowrap text-text-3 first:pl-3 last:pr-3',
  {
    variants: { isNumber: { true: 'text-right', false: 'text-left' } },
    defaultVariants: { isNumber: false },
  },
);

/** A row below the headings. */
export const tableRow = 'group/line hover:bg-row-hover';

/** A cell of such a row; the last row has the card's border below it. */
export const tableCell =
  'border-b border-hairline px-2 py-1.5 align-top group-last/line:border-b-0 first:pl-3 last:pr-3';

/** A cell of a table whose rows take several lines in a narrow window: there its place and its room are its own. */
export const stackingCell =
  'align-top md:border-b md:border-hairline md:px-2 md:group-last/line:border-b-0 md:first:pl-3 md:last:pr-3';

/** A row that folds in a narrow window: what it is and one fact beside it, the rest in lines below. */
export const foldingRow = [
  tableRow,
  'narrow:grid narrow:grid-cols-[minmax(0,1fr)_auto] narrow:gap-x-2 narrow:gap-y-0.5 narrow:px-3 narrow:py-2',
  'narrow:border-b narrow:border-hairline',
].join(' ');
