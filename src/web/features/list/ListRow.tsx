import { memo, Suspense, useMemo } from 'react';
import type { Row } from '../../../contract/live.ts';
import { type MenuPlace, placeBelow } from '../../kit/menu-place.ts';
import { linkUnder, takeClick } from '../../kit/Link.tsx';
import { CheckMark } from '../../kit/marks.tsx';
import { BriefUsage } from '../cells/BriefUsage.tsx';
import { cellFace, plainKind } from '../cells/Cell.tsx';
import { namespaceIn, type RowLinks } from '../../data/cell-links.ts';
import type { PlacedColumn } from '../../data/rows/placed.ts';
import { boxButton, boxCell, dotsButton, dotsCell, emptyBox, rowLook } from './row-look.ts';
import { statusOf } from '../../data/rows/tones.ts';
import { TwoLines } from './TwoLines.tsx';
import { lazyPart } from '../../kit/lazy-part.ts';

const UsageCell = lazyPart(async () => (await import('../metrics/UsageCell.tsx')).UsageCell);

const boxLook = `${boxButton} ${emptyBox}`;

/** Pointer actions of a row. */
export interface RowActs {
  readonly onPoint: (uid: string) => void;
  readonly onOpen: ((uid: string) => void) | undefined;
  /** Opens the path of a link in a row. */
  readonly onFollow: (href: string) => void;
  /** Selects the row or no more; `isRange` from the row selected last up to this one. */
  readonly onSelect: (uid: string, isRange: boolean) => void;
  /** Opens the menu of the row at a point in the window. */
  readonly onMenu: (uid: string, place: MenuPlace) => void;
}

interface ListRowProps extends RowActs {
  /** Whose row it is: cluster and kind. */
  readonly list: string;
  readonly row: Row;
  readonly columns: readonly PlacedColumn[];
  /** The classes of its cells, by column. */
  readonly cellClasses: readonly string[];
  readonly links: RowLinks;
  readonly id: string;
  /** Position in the list from 1, the header being row 1. */
  readonly index: number;
  readonly top: number;
  readonly isCursor: boolean;
  readonly isSelected: boolean;
  readonly isTwoLine: boolean;
  /** The server's clock, ms, when the row's times last read otherwise. */
  readonly now: number;
}

/** The accessible name of the cursor's row: name, status and namespace; the cells have the rest. */
function labelOf(columns: readonly PlacedColumn[], cells: Row[1]): string {
  const value = (format: PlacedColumn['column']['format']) => {
    const placed = columns.find(({ column }) => column.format === format);
    return placed === undefined ? undefined : cells[placed.index];
  };
  const object = value('object');
  return [
    value('name') ?? (Array.isArray(object) ? `${plainKind(String(object[0]))} ${object[1]}` : object),
    statusOf(value('status') ?? null)?.label,
    value('namespace'),
  ]
    .filter((text) => text != null && text !== '')
    .map(String)
    .join(', ');
}

/** One row, in one line or, in narrow windows, in two. */
export const ListRow = memo(function ListRow(props: ListRowProps) {
  const { list, row, columns, cellClasses, links, id, index, top } = props;
  const { isCursor, isSelected, isTwoLine, now, onPoint, onOpen, onFollow, onSelect, onMenu } = props;
  const [uid, cells] = row;
  const label = useMemo(() => labelOf(columns, cells), [columns, cells]);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid holds focus; keys are commands
    <div
      role="row"
      id={id}
      tabIndex={-1}
      aria-rowindex={index}
      aria-label={label}
      aria-selected={isSelected}
      aria-current={isCursor ? 'true' : undefined}
      data-row=""
      data-cursor={isCursor ? '' : undefined}
      data-two-line={isTwoLine ? '' : undefined}
      className={rowLook(isTwoLine, isCursor, isSelected)}
      style={{ transform: `translateY(${top}px)` }}
      onClick={(event) => {
        // With shift the rows up to this one are selected, also on a link: nobody means another window.
        const isLink = linkUnder(event.target) !== null;
        if (isLink && !event.shiftKey) {
          const href = takeClick(event);
          if (href === undefined) return;
          onPoint(uid);
          onFollow(href);
          return;
        }
        if (isLink) event.preventDefault();
        onPoint(uid);
        if (event.shiftKey || event.ctrlKey || event.metaKey) onSelect(uid, event.shiftKey);
      }}
      onContextMenu={(event) => {
        // A link has the browser's menu, with its address.
        if (linkUnder(event.target) !== null) return;
        event.preventDefault();
        onPoint(uid);
        onMenu(uid, { x: event.clientX, y: event.clientY, align: 'start' });
      }}
      onDoubleClick={(event) => {
        if (linkUnder(event.target) === null) onOpen?.(uid);
      }}
    >
      <Box uid={uid} isSelected={isSelected} onSelect={onSelect} />
      <Cells
        list={list}
        row={row}
        columns={columns}
        cellClasses={cellClasses}
        links={links}
        isTwoLine={isTwoLine}
        now={now}
      />
      <Dots uid={uid} onPoint={onPoint} onMenu={onMenu} />
    </div>
  );
});

/** The cells of a row, memoised apart from it: a row that only moves or is marked does not draw its cells again. */
const Cells = memo(function Cells({
  list,
  row,
  columns,
  cellClasses,
  links,
  isTwoLine,
  now,
}: Pick<ListRowProps, 'list' | 'row' | 'columns' | 'cellClasses' | 'links' | 'isTwoLine' | 'now'>) {
  const [, cells] = row;
  if (isTwoLine) return <TwoLines columns={columns} cells={cells} links={links} now={now} />;
  const namespace = namespaceIn(cells, links);
  return columns.map((placed, place) => {
    const { column, index: at, isBrief } = placed;
    const { className = '', children } =
      column.join === 'metrics'
        ? {
            children:
              isBrief === true ? (
                <BriefUsage format={column.format} value={cells[at]} />
              ) : (
                <Suspense>
                  <UsageCell
                    list={list}
                    row={row}
                    columns={columns}
                    format={column.format}
                    value={cells[at]}
                  />
                </Suspense>
              ),
          }
        : cellFace({ format: column.format, value: cells[at], now, href: links.hrefs[place], namespace });
    return (
      <span key={column.id} role="gridcell" className={`${cellClasses[place]} ${className}`}>
        {children}
      </span>
    );
  });
});

/** The button of a row's menu. */
const Dots = memo(function Dots({
  uid,
  onPoint,
  onMenu,
}: { readonly uid: string } & Pick<RowActs, 'onPoint' | 'onMenu'>) {
  return (
    <span role="gridcell" className={dotsCell}>
      <button
        type="button"
        className={dotsButton}
        tabIndex={-1}
        aria-label="Actions"
        aria-haspopup="menu"
        onClick={(event) => {
          event.stopPropagation();
          onPoint(uid);
          onMenu(uid, placeBelow(event.currentTarget));
        }}
      />
    </span>
  );
});

interface BoxProps {
  readonly uid: string;
  readonly isSelected: boolean;
  readonly onSelect: (uid: string, isRange: boolean) => void;
}

/** The box that selects a row; the whole cell is the target. */
const Box = memo(function Box({ uid, isSelected, onSelect }: BoxProps) {
  return (
    <span role="gridcell" className={boxCell}>
      <button
        type="button"
        className={boxLook}
        role="checkbox"
        tabIndex={-1}
        aria-checked={isSelected}
        aria-label="Select"
        onClick={(event) => {
          event.stopPropagation();
          onSelect(uid, event.shiftKey);
        }}
      >
        {isSelected && <CheckMark state="all" />}
      </button>
    </span>
  );
});
