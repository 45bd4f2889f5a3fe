import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Row } from '../../contract/live.ts';
import type { Target } from '../../registry/command.ts';
import type { KindFacts } from '../../registry/kind-facts.ts';
import { type MenuPlace, placeBelow } from '../ui/menu-place.ts';
import { useApp } from '../app/context.ts';
import { lowerFirst } from '../data/live/freshness.ts';
import type { LiveList } from '../data/live/rows.ts';
import { useTold } from '../data/live/use-told.ts';
import { useNarrow } from '../shell/use-sidebar.ts';
import { createListMarks } from '../state/list-marks.ts';
import { useCell } from '../state/state.ts';
import { KeysOf } from '../keyboard/Keys.tsx';
import { LinkButton } from '../ui/Link.tsx';
import { useView, useViewSearch } from '../workspace/view.ts';
import { type ColumnChoice, noChoice } from '../state/columns.ts';
import { fittingColumns, needsTwoLines } from './columns.ts';
import { AsideToggle } from './AsideToggle.tsx';
import { extras } from './extras.tsx';
import { failureScope } from './failure-scope.ts';
import { toggledTerm, unhealthyTerm } from './filter.ts';
import { besides, ListGrid, type ListGridHandle } from './ListGrid.tsx';
import { sortText, steppedSort, turnedSort } from './ListHead.tsx';
import { isListWaiting, ListWaiting } from './ListWaiting.tsx';
import { ListStatus } from './ListStatus.tsx';
import { ListTools } from './ListTools.tsx';
import { placeColumns, type SortKey, windowSort } from './pipeline.ts';
import { refOfRow } from './row-ref.ts';
import { createRowTimes } from './row-times.ts';
import { useArranged } from './use-arranged.ts';
import { useAside } from './use-aside.ts';
import { useCursor } from './use-cursor.ts';
import { useMeasure } from './use-measure.ts';
import { useSelection } from './use-selection.ts';
import { useSized, useTellsUsage } from './use-sized.ts';
import { useStable } from './use-stable.ts';

const ActionMenu = lazy(async () => ({ default: (await import('../actions/ActionMenu.tsx')).ActionMenu }));
/** Loaded once a list has nothing to show. */
const ListState = lazy(async () => ({ default: (await import('./ListState.tsx')).ListState }));
const BulkBar = lazy(async () => ({ default: (await import('./BulkBar.tsx')).BulkBar }));
const UsageNote = lazy(async () => ({ default: (await import('../metrics/UsageNote.tsx')).UsageNote }));
const ColumnsMenu = lazy(async () => ({ default: (await import('./ColumnsMenu.tsx')).ColumnsMenu }));
const none: ReadonlyMap<string, Row> = new Map<string, Row>();

interface ListViewProps {
  readonly kind: KindFacts;
  readonly clusterId: number;
  readonly list: LiveList | undefined;
  readonly onRetry: () => void;
}

/** A list of objects: filter, rows, what is selected, and how fresh it all is. */
export function ListView({ kind, clusterId, list, onRetry }: ListViewProps) {
  const { api, live, queries, lists, columnChoices, services } = useApp();
  const { tab } = useView();
  const [search, setSearch] = useViewSearch();
  const namespace = kind.scope === 'Namespaced' ? search.ns : undefined;
  const filter = search.q ?? '';
  const sort = search.sort ?? windowSort(kind);
  const choice = useCell(columnChoices, (choices) => choices[kind.id]) ?? noChoice;
  const order = useCell(live.connection, (connection) => connection.columns[kind.id]);
  const { data: clusters } = useQuery(queries.clusters);
  const cluster = clusters?.find((one) => one.id === clusterId);
  const told = useTold(list);
  const [timeOf] = useState(createRowTimes);
  const isNarrow = useNarrow();

  const filterField = useRef<HTMLInputElement>(null);
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const grid = useRef<ListGridHandle>(null);
  const focusRows = useCallback(() => grid.current?.focus(), []);
  const [scrolling] = useState(() => ({
    scrollTo: (index: number) => grid.current?.scrollTo(index),
    scrollToTop: () => grid.current?.scrollToTop(),
  }));
  const { width, rootSize } = useMeasure(scroller);
  const room = width === 0 ? 0 : (width * 16) / rootSize - besides;
  const placed = useMemo(() => placeColumns(kind, order), [kind, order]);
  const isWhole = search.all === '1';
  const { rows, aside } = useAside(list?.rows ?? none, kind.aside, placed, isWhole);
  const columns = useSized(placed, rows);
  // Once told, its columns stay: what has just come is not measured yet.
  const listed = `${clusterId} ${kind.id} ${namespace ?? ''}`;
  const tells = useTellsUsage(placed, rows);
  const [toldOf, setToldOf] = useState<string | undefined>(undefined);
  if (tells && toldOf !== listed) setToldOf(listed);
  const hasUsage = tells || toldOf === listed;
  const fitting = useMemo(
    () => fittingColumns(columns, room, choice, hasUsage),
    [columns, room, choice, hasUsage],
  );
  const isTwoLine = isNarrow || needsTwoLines(fitting, room, choice);
  // Two lines have no room for columns beside each other.
  const isWide = choice.isWide && !isTwoLine;
  const rowHeight = (isNarrow ? 3.25 : isTwoLine ? 2.75 : 1.625) * rootSize;

  const inTwoLines = useMemo(
    () => columns.filter(({ column }) => column.join !== 'metrics' || (choice.columns[column.id] ?? true)),
    [columns, choice],
  );

  const [isTyping, setTyping] = useState(false);
  const [isPointed, setPointed] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const arranged = useArranged({
    rows,
    columns,
    filter,
    sort,
    isTold:
      hasUsage &&
      placed.some(({ column }) => column.join === 'metrics' && column.id === sort?.replace(/^-/, '')),
    isHeld: (isPointed || hasFocus) && list?.complete === true,
  });

  const [marks] = useState(createListMarks);
  const cursor = useCursor(
    marks,
    arranged.rows,
    filter,
    list?.complete === true,
    arranged.placeOf,
    scrolling,
  );

  const selection = useSelection(marks, arranged.rows, rows);
  const opens = kind.paths.detail !== undefined;
  const refOf = (uid: string | undefined) => {
    const row = uid === undefined ? undefined : rows.get(uid);
    return row === undefined ? undefined : refOfRow(row, columns, kind.id, clusterId);
  };
  const open = (uid: string | undefined, to?: Target) => {
    const ref = refOf(uid);
    if (ref !== undefined && opens) services.objects.open(ref, to);
  };
  const selected = [...selection.uids].flatMap((uid) => refOf(uid) ?? []);
  const [firstSelected, ...otherSelected] = selected;
  const [menu, setMenu] = useState<{ readonly uid: string; readonly place: MenuPlace } | undefined>(
    undefined,
  );
  const openRow = useStable((uid: string) => open(uid));
  const selectRow = useStable((uid: string, isRange: boolean) =>
    isRange ? selection.extend(uid) : selection.toggle(uid),
  );
  const selectAll = useStable(() => selection.toggleAll());
  const sortAs = useCallback((next: SortKey) => setSearch({ sort: next }, 'push'), [setSearch]);
  const menuAt = useCallback((uid: string, place: MenuPlace) => setMenu({ uid, place }), []);
  const [columnsAt, setColumnsAt] = useState<MenuPlace | undefined>(undefined);
  const menuRef = refOf(menu?.uid);
  const choose = (next: ColumnChoice) => columnChoices.update((choices) => ({ ...choices, [kind.id]: next }));
  const toggleUnhealthy = useStable(() => setSearch({ q: toggledTerm(filter, unhealthyTerm) || undefined }));
  const filterBy = useCallback((q: string) => setSearch({ q }), [setSearch]);
  const showColumns = useCallback((button: Element) => setColumnsAt(placeBelow(button)), []);
  const save = async (format: 'csv' | 'yaml') => {
    const { saveList } = await import('./export.ts');
    const refs = arranged.rows.flatMap((row) => refOf(row[0]) ?? []);
    await saveList(format, { api, kind, namespace, columns: fitting, rows: arranged.rows, refs });
  };
  const clearFilter = () => {
    setSearch({ q: undefined });
    focusRows();
  };

  const names = function* () {
    for (const uid of rows.keys()) yield refOf(uid)?.name ?? '';
  };
  const showAside = () => setSearch({ all: isWhole ? undefined : '1' }, 'push');

  // Published anew at each render: the functions see the rows of this moment. A key's row or selection is drawn and
  // published before the next key comes, however soon: that one acts on what is marked.
  useLayoutEffect(() =>
    lists.publish(tab, {
      row: () => (cursor.uid === undefined ? 'none' : opens ? 'opens' : 'plain'),
      moveCursor: (by) => {
        focusRows();
        flushSync(() => cursor.move(by));
      },
      movePage: (by) => {
        focusRows();
        const page = Math.max(1, Math.floor((scroller?.clientHeight ?? rowHeight) / rowHeight) - 1);
        flushSync(() => cursor.move(Math.round(by * page)));
      },
      rowRef: () => refOf(cursor.uid),
      selection: () => selected,
      openRow: (to) => open(cursor.uid, to),
      toggleRow: () => {
        const { uid } = cursor;
        if (uid !== undefined) flushSync(() => selection.toggle(uid));
      },
      toggleAll: () => flushSync(selection.toggleAll),
      toggleUnhealthy,
      save,
      toggleWide: () => choose({ isWide: !choice.isWide, columns: {} }),
      focusFilter: () => filterField.current?.select(),
      escape: () => {
        if (document.activeElement === filterField.current) focusRows();
        else if (selection.uids.size > 0) selection.clear();
        else clearFilter();
      },
      retry: onRetry,
      settle: arranged.settle,
      stepSort: (by) => {
        const ids = fitting.map(({ column }) => column.id);
        setSearch({ sort: steppedSort(ids, search.sort, by) }, 'push');
      },
      sortBy: (wanted) => {
        const id = wanted.replace(/^-/, '');
        const isThere = columns.some(({ column }) => column.id === id);
        if (isThere) setSearch({ sort: sort === wanted ? turnedSort(wanted) : wanted }, 'push');
        return isThere;
      },
      turnSort: () => setSearch({ sort: turnedSort(search.sort) }, 'push'),
    }),
  );

  const isEmpty = arranged.rows.length === 0;
  const bulk =
    firstSelected === undefined ? undefined : (
      <Suspense fallback={<span className="semi small">{selected.length} selected</span>}>
        <BulkBar kind={kind} refs={[firstSelected, ...otherSelected]} onClear={selection.clear} />
      </Suspense>
    );
  const plural = lowerFirst(kind.title);
  const listKey = `${clusterId} ${kind.id}`;
  return (
    <>
      <h1 className="sr-only">{kind.title}</h1>
      <ListTools
        kind={kind}
        filter={filter}
        shown={arranged.rows.length}
        known={rows.size}
        total={list?.total}
        isComplete={list?.complete === true}
        order={sortText(sort, columns)}
        selected={selected.length}
        fieldRef={filterField}
        onFilter={filterBy}
        onTyping={setTyping}
        onLeave={focusRows}
        isUnhealthyOnly={filter.split(/\s+/).includes(unhealthyTerm)}
        onUnhealthy={columns.some(({ column }) => column.format === 'status') ? toggleUnhealthy : undefined}
        isChoosingColumns={columnsAt !== undefined}
        onColumns={showColumns}
        bulk={isTwoLine ? undefined : bulk}
        extra={
          <>
            {kind.aside !== undefined && aside > 0 && (
              <AsideToggle label={kind.aside.label} count={aside} isShown={isWhole} onToggle={showAside} />
            )}
            {fitting.some(({ column, isBrief }) => column.join === 'metrics' && isBrief !== true) && (
              <Suspense>
                <UsageNote list={listKey} />
              </Suspense>
            )}
            {extras[kind.id]?.(clusterId)}
          </>
        }
      />
      <div
        className="body flex flex-col"
        // Not `enter`: that is missed when the list appears under a pointer that was there before.
        onPointerMove={() => setPointed(true)}
        onPointerOver={() => setPointed(true)}
        onPointerLeave={() => setPointed(false)}
      >
        {isEmpty && arranged.hidden === 0 && isListWaiting(list) ? (
          <ListWaiting />
        ) : isEmpty ? (
          <Suspense fallback={<div aria-busy="true" className="fill" />}>
            <ListState
              kind={kind}
              list={list}
              clusterId={clusterId}
              clusterName={cluster?.name ?? ''}
              clusterMessage={cluster?.state.message}
              failureScope={failureScope(clusters, clusterId)}
              namespace={namespace}
              filter={filter}
              hidden={arranged.hidden}
              names={names}
              onFilter={(text) => {
                filterBy(text);
                focusRows();
              }}
              aside={isWhole ? 0 : aside}
              onAside={showAside}
              onClearFilter={clearFilter}
              onAllNamespaces={() => setSearch({ ns: undefined }, 'push')}
              onRetry={onRetry}
            />
          </Suspense>
        ) : (
          <div
            ref={setScroller}
            data-part="rows"
            className={`scroll min-h-0 w-full flex-1 ${isWide ? 'scroll-shade' : ''}`}
          >
            <ListGrid
              ref={grid}
              title={kind.title}
              list={listKey}
              what={`${listed} ${sort ?? ''} ${filter}`}
              rows={arranged.rows}
              columns={fitting}
              shown={isTwoLine ? inTwoLines : fitting}
              isTwoLine={isTwoLine}
              isWide={isWide}
              room={room}
              scroller={scroller}
              rowHeight={rowHeight}
              rootSize={rootSize}
              sort={sort}
              onSort={sortAs}
              cursor={cursor}
              selection={selection}
              onSelectAll={selectAll}
              isTyping={isTyping}
              onFocus={setFocus}
              timeOf={timeOf}
              told={told}
              onPoint={cursor.set}
              onOpen={opens ? openRow : undefined}
              onSelect={selectRow}
              onMenu={menuAt}
            />
            {arranged.hidden > 0 && (
              <p className="flex items-center gap-1.5 px-3.25 py-2.5 text-(length:--text-xs) text-text-3 narrow:pb-4">
                {arranged.hidden === 1
                  ? `1 ${lowerFirst(kind.kind)} is hidden by the filter.`
                  : `${arranged.hidden} ${plural} are hidden by the filter.`}{' '}
                <LinkButton onClick={clearFilter}>Clear filter</LinkButton>
                <span className="contents narrow:hidden">
                  <KeysOf id="table.escape" />
                </span>
              </p>
            )}
          </div>
        )}
      </div>
      <Suspense>
        {menu !== undefined && menuRef !== undefined && (
          <ActionMenu
            place={menu.place}
            refs={
              selection.uids.has(menu.uid) && firstSelected !== undefined
                ? [firstSelected, ...otherSelected]
                : [menuRef]
            }
            onClose={() => setMenu(undefined)}
          />
        )}
        {columnsAt !== undefined && (
          <ColumnsMenu
            place={columnsAt}
            columns={kind.columns}
            choice={choice}
            hasUsage={hasUsage}
            onChoose={choose}
            onClose={() => setColumnsAt(undefined)}
          />
        )}
      </Suspense>
      <ListStatus
        kind={kind}
        clusterId={clusterId}
        list={list}
        moved={arranged.moved}
        isFiltering={filter !== ''}
        onSettle={arranged.settle}
        onRetry={onRetry}
        bulk={isTwoLine ? bulk : undefined}
      />
    </>
  );
}
