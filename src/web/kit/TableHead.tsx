import { headCell } from './table.ts';

/** A heading of a column. */
export interface TableColumn {
  readonly title: string;
  readonly isNumber?: boolean;
  /** Where the column is left out. */
  readonly className?: string;
  /** How the rows are sorted by it; absent where they are not. */
  readonly sorted?: 'ascending' | 'descending';
  /** Sorts by it, or the other way round; absent where the order is fixed. */
  readonly onSort?: () => void;
}

interface TableHeadProps {
  readonly columns: readonly TableColumn[];
  /** A last column of buttons, whose heading nobody sees. */
  readonly hasActions?: boolean;
  /** A line above, for a table that begins inside of a card. */
  readonly hasLineAbove?: boolean;
}

/** The headings of a small table; in a narrow window, where rows stand for themselves, only screen readers have them. */
export function TableHead({ columns, hasActions = false, hasLineAbove = false }: TableHeadProps) {
  return (
    <thead className="narrow:sr-only">
      <tr className={hasLineAbove ? '*:border-t' : undefined}>
        {columns.map(({ title, isNumber, className, sorted, onSort }) => (
          <th
            key={title}
            scope="col"
            className={headCell({ isNumber, className })}
            aria-sort={onSort === undefined ? undefined : (sorted ?? 'none')}
          >
            {onSort === undefined ? (
              title
            ) : (
              <button
                type="button"
                className={`h-full [text-align:inherit] hover:text-text ${sorted === undefined ? '' : 'font-semibold text-text'}`}
                title={`Sort by ${title.toLowerCase()}`}
                onClick={onSort}
              >
                {title}
                {sorted !== undefined && (
                  <span aria-hidden="true">{sorted === 'ascending' ? ' ↑' : ' ↓'}</span>
                )}
              </button>
            )}
          </th>
        ))}
        {hasActions && (
          <th scope="col" className={headCell()}>
            <span className="sr-only">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  );
}
