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
import { useCell } from '../state/state.ts';
import { KeysOf } from '../keyboard/Keys.tsx';
import { useView, useViewSearch } from '../workspace/view.ts';
import { type ColumnChoice, noChoice } from '../state/columns.ts';
import { fittingColumns, hasMessage, leastWidth, needsTwoLines, tracksOf } from './columns.ts';
import { AsideToggle } from './AsideToggle.tsx';
import { extras } from './extras.tsx';
import { failureScope } from './failure-scope.ts';
import { toggledTerm, unhealthyTerm } from './filter.ts';
import { ListHead, sortText, steppedSort, turnedSort } from './ListHead.tsx';
import { ListRow } from './ListRow.tsx';
import { isListWaiting, ListWaiting } from './ListWaiting.tsx';
import { ListStatus } from './ListStatus.tsx';
import { ListTools } from './ListTools.tsx';
import { placeColumns, windowSort } from './pipeline.ts';
import { refOfRow } from './row-ref.ts';
import { createRowTimes } from './row-times.ts';
import { useArranged } from './use-arranged.ts';
import { useAside } from './use-aside.ts';
import { useCursor } from './use-cursor.ts';
import { useDrawn } from './use-drawn.ts';
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
/** Width of what stands besides the columns: the box and the dots, px at 16px root. */
const besides = 52;
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
  const grid = useRef<HTMLDivElement>(null);
  // The grid is as tall as its rows: without this, focusing it would scroll.
  const focusRows = () => grid.current?.focus({ preventScroll: true });
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

  const drawn = useDrawn({
    count: arranged.rows.length,
    what: `${listed} ${sort ?? ''} ${filter}`,
    scroller,
    rowHeight,
    rootSize,
  });
  const page = Math.max(1, Math.floor((scroller?.clientHeight ?? rowHeight) / rowHeight) - 1);
  const cursor = useCursor(arranged.rows, filter, list?.complete === true, arranged.placeOf, drawn.scrollTo);

  const selection = useSelection(arranged.rows, rows);
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
  const menuAt = useCallback((uid: string, place: MenuPlace) => setMenu({ uid, place }), []);
  const [columnsAt, setColumnsAt] = useState<MenuPlace | undefined>(undefined);
  const menuRef = refOf(menu?.uid);
  const choose = (next: ColumnChoice) => columnChoices.update((choices) => ({ ...choices, [kind.id]: next }));
  const toggleUnhealthy = () => setSearch({ q: toggledTerm(filter, unhealthyTerm) || undefined });
  const save = async (format: 'csv' | 'yaml') => {
    const { saveList } = await import('./export.ts');
    const refs = arranged.rows.flatMap((row) => refOf(row[0]) ?? []);
    await saveList(format, { api, kind, namespace, columns: fitting, rows: arranged.rows, refs });
  };
  const clearFilter = () => {
    setSearch({ q: undefined });
    focusRows();
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
  // A row out of sight is not drawn: nothing can refer to it.
  const isDrawn = drawn.items.some(({ index }) => index === cursor.index);
  const activeId = cursor.uid === undefined || !isDrawn ? undefined : `${tab}-${cursor.uid}`;
  const plural = lowerFirst(kind.title);
  const listKey = `${clusterId} ${kind.id}`;
  return (
    <>
      <h1 className="vh">{kind.title}</h1>
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
        onFilter={(q) => setSearch({ q })}
        onTyping={setTyping}
        onLeave={() => focusRows()}
        isUnhealthyOnly={filter.split(/\s+/).includes(unhealthyTerm)}
        onUnhealthy={columns.some(({ column }) => column.format === 'status') ? toggleUnhealthy : undefined}
        isChoosingColumns={columnsAt !== undefined}
        onColumns={(button) => setColumnsAt(placeBelow(button))}
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
        className="body list-body"
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
              aside={isWhole ? 0 : aside}
              onAside={showAside}
              onClearFilter={clearFilter}
              onAllNamespaces={() => setSearch({ ns: undefined }, 'push')}
              onRetry={onRetry}
            />
          </Suspense>
        ) : (
          <div ref={setScroller} className={`tbl-scroll scroll ${isWide ? 'scroll-x' : ''}`}>
            <div
              ref={grid}
              className={`tbl ${selection.uids.size > 0 ? 'selecting' : ''} ${hasMessage(fitting) ? 'telling' : ''} ${isTyping ? 'typing' : ''}`}
              role="grid"
              aria-multiselectable="true"
              aria-label={kind.title}
              aria-rowcount={arranged.rows.length + 1}
              aria-activedescendant={activeId}
              tabIndex={0}
              style={
                {
                  '--cols': tracksOf(fitting, isWide ? 0 : room),
                  '--least': isWide ? `${(leastWidth(fitting) + besides) / 16}rem` : '0',
                } as React.CSSProperties
              }
              onFocus={() => setFocus(true)}
              onBlur={() => setFocus(false)}
            >
              <ListHead
                columns={fitting}
                sort={sort}
                isHidden={isTwoLine}
                selected={
                  selection.uids.size === 0
                    ? 'none'
                    : arranged.rows.every((row) => selection.uids.has(row[0]))
                      ? 'all'
                      : 'some'
                }
                onSort={(sort) => setSearch({ sort }, 'push')}
                onSelectAll={selection.toggleAll}
              />
              <div className="rows" role="rowgroup" style={{ height: drawn.height }}>
                {drawn.items.map((item) => {
                  const row = arranged.rows[item.index];
                  if (row === undefined) return null;
                  const shown = isTwoLine ? inTwoLines : fitting;
                  return (
                    <ListRow
                      list={listKey}
                      key={row[0]}
                      row={row}
                      id={`${tab}-${row[0]}`}
                      columns={shown}
                      index={item.index + 2}
                      top={item.start}
                      isCursor={row[0] === cursor.uid}
                      isSelected={selection.uids.has(row[0])}
                      isTwoLine={isTwoLine}
                      now={timeOf(row, shown, told)}
                      onPoint={cursor.set}
                      onOpen={opens ? openRow : undefined}
                      onSelect={selectRow}
                      onMenu={menuAt}
                    />
                  );
                })}
              </div>
            </div>
            {arranged.hidden > 0 && (
              <p className="more">
                {arranged.hidden === 1
                  ? `1 ${lowerFirst(kind.kind)} is hidden by the filter.`
                  : `${arranged.hidden} ${plural} are hidden by the filter.`}{' '}
                <button type="button" className="link" onClick={clearFilter}>
                  Clear filter
                </button>
                <KeysOf id="table.escape" />
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
