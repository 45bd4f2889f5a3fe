import { type CSSProperties, type Ref, useImperativeHandle, useLayoutEffect, useMemo, useRef } from 'react';
import { linkUnder } from '../../kit/Link.tsx';
import { useView } from '../../workspace/view.ts';
import { hasMessage, leastWidth, tracksOf } from './columns.ts';
import { ListHead } from './ListHead.tsx';
import { ListRow, type RowActs } from './ListRow.tsx';
import type { PlacedColumn } from '../../data/rows/placed.ts';
import type { SortKey } from '../../data/rows/sort-key.ts';
import type { Arranged } from '../../data/rows/view.ts';
import type { RowLinks } from '../../data/cell-links.ts';
import { cellLooks } from './row-look.ts';
import type { RowTimes } from '../cells/row-times.ts';
import type { Cursor } from './use-cursor.ts';
import { type Drawn, useDrawn } from './use-drawn.ts';
import type { Selection } from './use-selection.ts';

/** Width of what stands besides the columns: the box and the dots, px at 16px root. */
export const chromeWidth = 52;

/** Height of the headings (`--spacing-thead`), rem. */
const headHeight = 1.5;

/** Methods of the grid. */
export interface ListGridHandle extends Pick<Drawn, 'scrollTo' | 'scrollToTop'> {
  /** Gives the rows the keys. */
  readonly focus: () => void;
}

interface ListGridProps extends RowActs {
  readonly ref: Ref<ListGridHandle>;
  readonly title: string;
  /** Whose rows they are: cluster and kind. */
  readonly list: string;
  /** Says what shows. Where that is another, so is every row. */
  readonly what: string;
  readonly rows: Arranged;
  /** Columns with a heading. */
  readonly columns: readonly PlacedColumn[];
  /** Columns drawn in rows; more than those with a heading where rows have two lines. */
  readonly shown: readonly PlacedColumn[];
  /** Where the cells of the columns in `shown` lead. */
  readonly links: RowLinks;
  readonly isTwoLine: boolean;
  /** Whether it is as wide as its columns, not as the window. */
  readonly isWide: boolean;
  /** For the columns, px at 16px root. */
  readonly room: number;
  /** The element that scrolls the rows; null before it is mounted. */
  readonly scroller: HTMLElement | null;
  /** Of a row, px. */
  readonly rowHeight: number;
  /** The root's font size, px. */
  readonly rootSize: number;
  readonly sort: SortKey;
  readonly onSort: (sort: SortKey) => void;
  readonly cursor: Cursor;
  readonly selection: Selection;
  readonly onSelectAll: () => void;
  /** All rows are there. */
  readonly isComplete: boolean;
  /** Somebody types into the filter: the cursor is marked as what Enter will take. */
  readonly isTyping: boolean;
  readonly onFocus: (hasFocus: boolean) => void;
  readonly timeOf: RowTimes;
  /** The server's clock, ms. */
  readonly dataTime: number;
}

/** The headings and rows of a list. Scrolling draws them anew, and nothing around them. */
export function ListGrid(props: ListGridProps) {
  const { ref, title, list, what, rows, columns, shown, links, isTwoLine, isWide, room, sort, onSort } =
    props;
  const { scroller, rowHeight, rootSize, cursor, selection, onSelectAll, isComplete, isTyping, onFocus } =
    props;
  const { timeOf, dataTime, onPoint, onOpen, onFollow, onSelect, onMenu } = props;
  const { tab, isFocused } = useView();
  const grid = useRef<HTMLDivElement>(null);
  const { items, height, scrollTo, scrollToTop } = useDrawn({
    count: rows.size,
    what,
    scroller,
    rowHeight,
    headHeight: isTwoLine ? 0 : headHeight * rootSize,
    rootSize,
  });
  useImperativeHandle(
    ref,
    // The grid is as tall as its rows: without this, focusing it would scroll.
    () => ({ focus: () => grid.current?.focus({ preventScroll: true }), scrollTo, scrollToTop }),
    [scrollTo, scrollToTop],
  );
  // While the rows were on their way their view had the focus: one of the two shows it, and it is a row.
  useLayoutEffect(() => {
    const view = grid.current?.closest('[role=tabpanel]');
    if (view != null && document.activeElement === view) grid.current?.focus({ preventScroll: true });
  }, []);
  const { uids } = selection;
  const looks = useMemo(() => cellLooks(shown), [shown]);
  // A row out of sight is not drawn: nothing can refer to it.
  const isDrawn = items.some(({ index }) => index === cursor.index);
  return (
    <div
      ref={grid}
      // Its row shows the focus, where there is one.
      className="group/grid min-w-(--least) font-stretch-93% focus-visible:-outline-offset-2 [&[aria-activedescendant]]:outline-none"
      data-selecting={uids.size > 0 ? '' : undefined}
      data-telling={hasMessage(columns) ? '' : undefined}
      // The focused tile has the keys, unless somebody types.
      data-keys={isFocused && !isTyping ? '' : undefined}
      role="grid"
      aria-multiselectable="true"
      aria-label={title}
      // How many there are is not known before all of them are there.
      aria-rowcount={isComplete ? rows.size + 1 : -1}
      aria-activedescendant={cursor.uid === undefined || !isDrawn ? undefined : `${tab}-${cursor.uid}`}
      tabIndex={0}
      style={
        {
          '--cols': tracksOf(columns, isWide ? 0 : room),
          '--least': isWide ? `${(leastWidth(columns) + chromeWidth) / 16}rem` : '0',
        } as CSSProperties
      }
      onFocus={(event) => {
        // A press on a link would leave it the focus, and Enter would be the link's: keys are the cursor's.
        if (linkUnder(event.target) !== null) grid.current?.focus({ preventScroll: true });
        onFocus(true);
      }}
      onBlur={() => onFocus(false)}
    >
      <ListHead
        columns={columns}
        sort={sort}
        isHidden={isTwoLine}
        selected={uids.size === 0 ? 'none' : isComplete && isEveryRow(rows, uids) ? 'all' : 'some'}
        onSort={onSort}
        onSelectAll={onSelectAll}
      />
      <div className="relative" role="rowgroup" style={{ height }}>
        {items.map((item) => {
          const row = rows.at(item.index);
          if (row === undefined) return null;
          const [uid] = row;
          return (
            <ListRow
              list={list}
              key={uid}
              row={row}
              id={`${tab}-${uid}`}
              columns={shown}
              cellClasses={looks}
              links={links}
              index={item.index + 2}
              top={item.start}
              isCursor={uid === cursor.uid}
              isSelected={uids.has(uid)}
              isTwoLine={isTwoLine}
              now={timeOf(row, shown, dataTime)}
              onPoint={onPoint}
              onOpen={onOpen}
              onFollow={onFollow}
              onSelect={onSelect}
              onMenu={onMenu}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Whether every row that shows is selected. */
const isEveryRow = (rows: Arranged, uids: ReadonlySet<string>): boolean =>
  uids.size >= rows.size && rows.all().every(([uid]) => uids.has(uid));
