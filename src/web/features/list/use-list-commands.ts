import { type RefObject, useCallback, useLayoutEffect } from 'react';
import { flushSync } from 'react-dom';
import type { Target } from '../../../registry/commands/invocation.ts';
import { searchOfFilter } from '../../../registry/filter/former.ts';
import { toggledTerm, unhealthyTerm } from '../../../registry/filter/parse.ts';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import { Refusal } from '../../../registry/commands/refusal.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { useWorkspace } from '../../workspace/port.ts';
import { useView, useViewSearch } from '../../workspace/view.ts';
import { clusterTime, lowerFirst } from '../../data/live/freshness.ts';
import { steppedSort, turnedSort } from './ListHead.tsx';
import type { ListColumns } from './use-list-columns.ts';
import type { ListRows } from './use-list-rows.ts';
import { useStable } from '../../kit/use-stable.ts';

/** List operations that keys and the pointer share. */
export interface ListCommands {
  readonly open: (uid: string | undefined, to?: Target) => void;
  readonly filterBy: (text: string) => void;
  readonly clearFilter: () => void;
  /** Shows only what is not well, or everything again. */
  readonly toggleUnhealthy: () => void;
  /** Selects every row that shows, or none where all of them are; of a list that is not complete it selects nothing. */
  readonly toggleAll: () => void;
}

interface Commanded {
  readonly kind: KindFacts;
  readonly look: ListColumns;
  readonly rows: ListRows;
  /** All rows are there. */
  readonly isComplete: boolean;
  readonly filterField: RefObject<HTMLInputElement | null>;
  /** The element that scrolls the rows; null before it is mounted. */
  readonly scroller: HTMLElement | null;
  /** Gives the rows the keys. */
  readonly focusRows: () => void;
  /** Explains how filters are written. */
  readonly showHelp: () => void;
  readonly onRetry: () => void;
}

/** Publishes what commands do with a list while its view has the focus. */
export function useListCommands(commanded: Commanded): ListCommands {
  const { kind, look, rows, isComplete, filterField, scroller, focusRows, showHelp, onRetry } = commanded;
  const { services } = useCommands();
  const { api, live } = useData();
  const { lists } = useWorkspace();
  const { tab } = useView();
  const [search, setSearch] = useViewSearch();
  const {
    arranged,
    settle,
    filter,
    sort,
    chosenSort,
    chooseSort,
    cursor,
    selection,
    selected,
    refOf,
    targetsOf,
  } = rows;
  const { columns, fitting, choice, choose, rowHeight } = look;
  const opens = kind.paths.detail !== undefined;
  const open = (uid: string | undefined, to?: Target) => {
    const ref = refOf(uid);
    if (ref !== undefined && opens) services.objects.open(ref, to);
  };
  const filterBy = useCallback((text: string) => setSearch(searchOfFilter(text)), [setSearch]);
  const clearFilter = () => {
    filterBy('');
    focusRows();
  };
  const toggleUnhealthy = useStable(() => filterBy(toggledTerm(filter, unhealthyTerm)));
  const soFar = () =>
    `Only ${arranged.known.toLocaleString('en')} ${lowerFirst(kind.title)} have been read so far, not all`;
  const toggleAll = useStable(() => {
    if (isComplete) flushSync(selection.toggleAll);
    else services.toast.info(`${soFar()}: select all once the list is complete.`);
  });
  const save = async (format: 'csv' | 'yaml') => {
    if (!isComplete) throw new Refusal(`${soFar()}: save the list once it is complete.`);
    const { saveList } = await import('./export.ts');
    const namespace = kind.scope === 'Namespaced' ? search.ns : undefined;
    const all = arranged.all();
    const refs = all.flatMap((row) => refOf(row[0]) ?? []);
    const now = clusterTime(live.connection.get(), refs[0]?.cluster, Date.now());
    await saveList(format, { api, kind, namespace, columns: fitting, rows: all, refs, now });
  };
  const moveCursor = (by: number) => {
    focusRows();
    flushSync(() => cursor.move(by));
  };

  // Published anew at each render: the functions see the rows of this moment. A key's row or selection is drawn and
  // published before the next key comes, however soon: that one acts on what is marked.
  useLayoutEffect(() =>
    lists.publish(tab, {
      row: () => (cursor.uid === undefined ? 'none' : opens ? 'opens' : 'plain'),
      moveCursor,
      movePage: (by) => {
        const page = Math.max(1, Math.floor((scroller?.clientHeight ?? rowHeight) / rowHeight) - 1);
        moveCursor(Math.round(by * page));
      },
      rowRef: () => refOf(cursor.uid),
      rowTargets: () => targetsOf(cursor.uid),
      selection: () => selected,
      openRow: (to) => open(cursor.uid, to),
      toggleRow: () => {
        const { uid } = cursor;
        if (uid !== undefined) flushSync(() => selection.toggle(uid));
      },
      selectToRow: () => {
        const { uid } = cursor;
        if (uid !== undefined) flushSync(() => selection.extend(uid));
      },
      stretchSelection: (by) => {
        const to = arranged.at(cursor.index + by)?.[0];
        if (cursor.uid === undefined || to === undefined) return;
        const from = cursor.uid;
        flushSync(() => selection.stretch(from, to));
        moveCursor(by);
      },
      toggleAll,
      toggleUnhealthy,
      save,
      toggleWide: () => choose({ isWide: !choice.isWide, columns: {} }),
      focusFilter: () => filterField.current?.select(),
      explainFilter: showHelp,
      escape: () => {
        if (document.activeElement === filterField.current) focusRows();
        else if (selection.uids.size > 0) selection.clear();
        else clearFilter();
      },
      retry: onRetry,
      settle,
      stepSort: (by) => {
        const ids = fitting.map(({ column }) => column.id);
        chooseSort(steppedSort(ids, chosenSort, by));
      },
      sortBy: (wanted) => {
        const id = wanted.replace(/^-/, '');
        const isThere = columns.some(({ column }) => column.id === id);
        if (isThere) chooseSort(sort === wanted ? turnedSort(wanted) : wanted);
        return isThere;
      },
      turnSort: () => chooseSort(turnedSort(chosenSort)),
    }),
  );
  return { open, filterBy, clearFilter, toggleUnhealthy, toggleAll };
}
