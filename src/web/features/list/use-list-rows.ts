import { useState } from 'react';
import { filterOfSearch } from '../../../registry/filter/former.ts';
import type { RowTarget } from '../../../registry/kinds/cell-link.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import type { RowLinks } from '../../data/cell-links.ts';
import type { LiveList } from '../../data/live/rows.ts';
import { isAside } from '../../data/rows/aside.ts';
import { fieldsOfColumns } from '../../data/rows/filter.ts';
import { type AskedFilter, useAsked } from './use-asked.ts';
import { type SortKey, windowSort } from '../../data/rows/sort-key.ts';
import { useStable } from '../../kit/use-stable.ts';
import { searchOfSort, sortOfSearch } from './sort-in-address.ts';
import { useFirstSort } from './use-list-defaults.ts';
import type { Arranged } from '../../data/rows/view.ts';
import { createListMarks } from '../../core/state/list-marks.ts';
import { useViewSearch } from '../../workspace/view.ts';
import { refOfRow } from './row-ref.ts';
import { useArranged } from './use-arranged.ts';
import { type Cursor, useCursor } from './use-cursor.ts';
import type { Drawn } from './use-drawn.ts';
import type { ListColumns } from './use-list-columns.ts';
import { useRowLinks } from './use-row-links.ts';
import { type Selection, useSelection } from './use-selection.ts';

/** The rows of a list as they show, and what is marked among them. */
export interface ListRows {
  readonly arranged: Arranged;
  /** Sorts again although somebody is looking. */
  readonly settle: () => void;
  readonly filter: string;
  /** The filter's terms, and what is to be said about them. */
  readonly asked: AskedFilter;
  readonly sort: SortKey;
  /** As the address and the person ask for it, before the order in which the server cut the list off. */
  readonly chosenSort: SortKey;
  readonly chooseSort: (next: SortKey) => void;
  /** Rows that are set apart show as well. */
  readonly isWhole: boolean;
  readonly cursor: Cursor;
  readonly selection: Selection;
  /** The objects of the selected rows. */
  readonly selected: readonly ObjectRef[];
  /** Where its cells lead. */
  readonly links: RowLinks;
  /** The other objects that a row names; none for one that is not in the list. */
  readonly targetsOf: (uid: string | undefined) => readonly RowTarget[];
  /** The object of a row; undefined for one that is not in the list. */
  readonly refOf: (uid: string | undefined) => ObjectRef | undefined;
  /** Names of every object, also of those that the filter hides. */
  readonly names: () => Iterable<string>;
}

interface Listed {
  readonly kind: KindFacts;
  readonly clusterId: number;
  readonly list: LiveList | undefined;
  readonly look: ListColumns;
  /** Pointer or cursor is in the list: nothing moves from under them. */
  readonly isHeld: boolean;
  /** The pointer is among the rows. */
  readonly isPointed: boolean;
  /** What the rows are scrolled in; null before it stands. */
  readonly scroller: HTMLElement | null;
  readonly scrolling: Pick<Drawn, 'scrollTo' | 'scrollToTop'>;
}

/** Filters and sorts the rows of a list by its address, and keeps the cursor and the selection on their objects. */
export function useListRows(listed: Listed): ListRows {
  const { kind, clusterId, list, look, isHeld, isPointed, scroller, scrolling } = listed;
  const [search, setSearch] = useViewSearch();
  const { placed, columns, aside, hasUsage } = look;
  const filter = filterOfSearch(search, fieldsOfColumns(placed));
  const asked = useAsked(filter, placed);
  const firstSort = useFirstSort(clusterId, kind);
  const chosenSort = sortOfSearch(search.sort, firstSort);
  const sort = chosenSort ?? windowSort(kind);
  const chooseSort = useStable((next: SortKey) => setSearch({ sort: searchOfSort(next, firstSort) }, 'push'));
  const isWhole = search.all === '1';
  const isComplete = list?.complete === true;
  const [marks] = useState(createListMarks);
  const isTouched = () => {
    const put = marks.cursorPut.get();
    const hasMoved = put !== undefined && list?.rows.get(put.uid) !== undefined;
    return isPointed || hasMoved || marks.selected.get().size > 0 || (scroller?.scrollTop ?? 0) > 0;
  };
  const sortedBy = placed.find(({ column }) => column.id === sort?.replace(/^-/, ''))?.column;
  const { arranged, settle } = useArranged(
    list,
    { columns: placed, filter, sort, aside, isWhole, compile: asked.compile, now: asked.now },
    {
      isTold: hasUsage && sortedBy?.join === 'metrics',
      isHeld: isHeld && isComplete,
      isReading: list !== undefined && !isComplete,
      isTouched,
      seen: { scroller, rowHeight: look.rowHeight },
    },
  );
  const leftOut = isWhole ? undefined : aside;
  const rowOf = (uid: string) => {
    const row = list?.rows.get(uid);
    return row === undefined || isAside(row, leftOut) ? undefined : row;
  };
  const cursor = useCursor(marks, arranged, filter, isComplete, scrolling);
  const selection = useSelection(marks, arranged, (uid) => rowOf(uid) !== undefined);
  const refOf = (uid: string | undefined) => {
    const row = uid === undefined ? undefined : rowOf(uid);
    return row === undefined ? undefined : refOfRow(row, columns, kind.id, clusterId);
  };
  const { links, targetsIn } = useRowLinks(kind, clusterId, look);
  const targetsOf = (uid: string | undefined) => {
    const row = uid === undefined ? undefined : rowOf(uid);
    return row === undefined ? [] : targetsIn(row);
  };
  const names = function* () {
    for (const [uid] of list?.rows.values() ?? []) {
      const ref = refOf(uid);
      if (ref !== undefined) yield ref.name;
    }
  };
  const selected = [...selection.uids].flatMap((uid) => refOf(uid) ?? []);
  return {
    arranged,
    settle,
    filter,
    asked,
    sort,
    chosenSort,
    chooseSort,
    isWhole,
    cursor,
    selection,
    selected,
    refOf,
    links,
    targetsOf,
    names,
  };
}
