import { memo } from 'react';
import { CheckMark } from '../../kit/marks.tsx';
import type { PlacedColumn } from '../../data/rows/placed.ts';
import type { SortKey } from '../../data/rows/sort-key.ts';
import { isRight } from './columns.ts';
import { boxButton, boxCell, cutCellLooks, gridRow, headRow } from './row-look.ts';

interface ListHeadProps {
  readonly columns: readonly PlacedColumn[];
  readonly sort: SortKey;
  /** Narrow windows have no headings; assistive technology still hears them. */
  readonly isHidden: boolean;
  /** Whether all rows that show are selected, or some. */
  readonly selected: 'all' | 'some' | 'none';
  readonly onSort: (sort: SortKey) => void;
  readonly onSelectAll: () => void;
}

/** The next order a heading leads to: ascending, descending, worst first again. */
export function nextSort(id: string, sort: SortKey): SortKey {
  if (sort === id) return `-${id}`;
  return sort === `-${id}` ? undefined : id;
}

/** The order so many headings further: worst first, then each column ascending, and round again. */
export function steppedSort(ids: readonly string[], sort: SortKey, by: number): SortKey {
  const all: readonly SortKey[] = [undefined, ...ids];
  const at = Math.max(0, all.indexOf(sort?.replace(/^-/, '')));
  return all[(at + by + all.length) % all.length];
}

/** The same order the other way round. Worst first becomes best first. */
export function turnedSort(sort: SortKey): SortKey {
  if (sort === undefined) return '-status';
  return sort.startsWith('-') ? sort.slice(1) : `-${sort}`;
}

/** The order of the rows in words. */
export function sortText(sort: SortKey, columns: readonly PlacedColumn[]): string {
  const id = sort?.replace(/^-/, '');
  const label = columns.find(({ column }) => column.id === id)?.column.label;
  if (label !== undefined)
    return `Sorted by ${label.toLowerCase()}, ${sort?.startsWith('-') === true ? 'descending' : 'ascending'}`;
  return columns.some(({ column }) => column.format === 'status') ? 'Sorted worst first' : 'Sorted by name';
}

const headLook = `group/head ${gridRow} ${headRow}`;
/** The box that selects all shows where it is pointed at, and while anything is selected. */
const hiddenBox = 'grid opacity-0 group-hover/head:opacity-100 group-data-selecting/grid:opacity-100';

/** The headings: each sorts by its column. */
export const ListHead = memo(function ListHead(props: ListHeadProps) {
  const { columns, sort, isHidden, selected, onSort, onSelectAll } = props;
  const looks = cutCellLooks(columns);
  const isWorstFirst = sort === undefined && columns.some(({ column }) => column.format === 'status');
  return (
    <div role="rowgroup" className={isHidden ? 'sr-only' : 'sticky top-0 z-sticky'}>
      <div role="row" className={headLook} aria-rowindex={1}>
        <span role="columnheader" className={boxCell}>
          <button
            type="button"
            className={boxButton}
            role="checkbox"
            tabIndex={-1}
            aria-checked={selected === 'some' ? 'mixed' : selected === 'all'}
            aria-label="Select all rows"
            onClick={onSelectAll}
          >
            <span className={selected === 'none' ? hiddenBox : 'grid'}>
              <CheckMark state={selected} />
            </span>
          </button>
        </span>
        {columns.map(({ column }, at) => {
          const isDown = sort === `-${column.id}`;
          const isUp = sort === column.id;
          const isWorst = isWorstFirst && column.format === 'status';
          return (
            <span
              key={column.id}
              role="columnheader"
              className={`${isRight(column.format) ? 'text-right' : 'text-left'} min-w-0 ${isUp || isDown || isWorst ? 'font-semibold text-text' : ''}`}
              aria-sort={isUp ? 'ascending' : isDown ? 'descending' : isWorst ? 'other' : 'none'}
            >
              <button
                type="button"
                // The room around the words sorts as well.
                className={`h-5.75 w-full [text-align:inherit] hover:text-text ${looks[at]}`}
                tabIndex={-1}
                title={isWorst ? 'Worst first' : `Sort by ${column.label.toLowerCase()}`}
                // The rows keep the focus: Enter opens one of them, and does not sort again.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onSort(nextSort(column.id, sort))}
              >
                {column.label}
                {isUp && <span aria-hidden="true"> ↑</span>}
                {(isDown || isWorst) && <span aria-hidden="true"> ↓</span>}
              </button>
            </span>
          );
        })}
      </div>
    </div>
  );
});
