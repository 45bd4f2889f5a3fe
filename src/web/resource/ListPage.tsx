import { useVirtualizer } from '@tanstack/react-virtual';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Row } from '../../contract/live.ts';
import type { ScreenProps } from '../../registry/command.ts';
import type { KindFacts } from '../../registry/kind-facts.ts';
import { useApp } from '../app/context.ts';
import { kindById } from '../data/kinds.ts';
import type { ListTarget } from '../data/live/targets.ts';
import { agesAt, lowerFirst } from '../data/live/freshness.ts';
import { useLive } from '../data/live/use-live.ts';
import { useNow } from '../data/now.ts';
import { useNarrow } from '../shell/use-sidebar.ts';
import { useCell } from '../state/state.ts';
import { Keys } from '../keyboard/Keys.tsx';
import { useView, useViewSearch } from '../workspace/view.ts';
import { fittingColumns, tracksOf } from './columns.ts';
import { ListHead, steppedSort, turnedSort } from './ListHead.tsx';
import { ListRow } from './ListRow.tsx';
import { ListState } from './ListState.tsx';
import { ListStatus } from './ListStatus.tsx';
import { ListTools } from './ListTools.tsx';
import { placeColumns, windowSort } from './pipeline.ts';
import { useArranged } from './use-arranged.ts';
import { useCursor } from './use-cursor.ts';
import { useMeasure } from './use-measure.ts';

const none: ReadonlyMap<string, Row> = new Map<string, Row>();

/** The list of any kind. */
export function Screen({ params, command }: ScreenProps) {
  const kind = kindById(command.kind ?? '');
  if (kind === undefined) throw new Error(`The route ${command.id} names no kind.`);
  return <ListPage kind={kind} clusterId={Number(params.clusterId)} />;
}

interface ListPageProps {
  readonly kind: KindFacts;
  readonly clusterId: number;
}

function ListPage({ kind, clusterId }: ListPageProps) {
  const { live, queries, lists, registry, workspace } = useApp();
  const { tab, isVisible } = useView();
  const [search, setSearch] = useViewSearch();
  const namespace = kind.scope === 'Namespaced' ? search.ns : undefined;
  const filter = search.q ?? '';
  const sort = search.sort ?? windowSort(kind);
  const list = useLive<ListTarget>({ clusterId, kind: kind.id, namespace, window: kind.window }, isVisible);
  const order = useCell(live.connection, (connection) => connection.columns[kind.id]);
  const skew = useCell(live.connection, (connection) => connection.skew);
  const phase = useCell(live.connection, (connection) => connection.phase);
  const cluster = useQuery(queries.clusters).data?.find((one) => one.id === clusterId);
  const now = useNow();
  const told = agesAt(list, { phase, skew, heardAt: live.connection.get().heardAt }, now);
  const isTwoLine = useNarrow();

  const filterField = useRef<HTMLInputElement>(null);
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const grid = useRef<HTMLDivElement>(null);
  // The grid is as tall as its rows: without this, focusing it would scroll.
  const focusRows = () => grid.current?.focus({ preventScroll: true });
  const { width, rootSize } = useMeasure(scroller);
  const rowHeight = (isTwoLine ? 3.25 : 1.625) * rootSize;

  const columns = useMemo(() => placeColumns(kind, order), [kind, order]);
  const fitting = useMemo(
    () => fittingColumns(columns, (width * 16) / rootSize, false),
    [columns, width, rootSize],
  );

  const [isPointed, setPointed] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const rows = list?.rows ?? none;
  const arranged = useArranged({
    rows,
    columns,
    filter,
    sort,
    isHeld: (isPointed || hasFocus) && list?.complete === true,
  });

  const virtualizer = useVirtualizer({
    count: arranged.rows.length,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeight,
    overscan: 12,
    getItemKey: (index) => arranged.rows[index]?.[0] ?? index,
    useFlushSync: false,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);

  const scrollTo = useCallback(
    (index: number) => virtualizer.scrollToIndex(index, { align: 'auto' }),
    [virtualizer],
  );
  const page = Math.max(1, Math.floor((scroller?.clientHeight ?? rowHeight) / rowHeight) - 1);
  const cursor = useCursor(arranged.rows, scrollTo);

  const detailId = `${kind.id}.open`;
  const opens = registry.has(detailId);
  const open = (uid: string | undefined) => {
    const row = arranged.rows.find((one) => one[0] === uid);
    if (row === undefined || !opens) return;
    const text = (format: 'name' | 'namespace') => {
      const placed = columns.find(({ column }) => column.format === format);
      return placed === undefined ? '' : String(row[1][placed.index] ?? '');
    };
    const command = registry.get(detailId);
    if (command.type !== 'route') return;
    const names = [...command.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
    const values = names.map((name, at): [string, string] => [
      name,
      name === 'clusterId' ? String(clusterId) : at === names.length - 1 ? text('name') : text('namespace'),
    ]);
    workspace.open(registry.href(detailId, Object.fromEntries(values)));
  };
  const clearFilter = () => {
    setSearch({ q: undefined });
    focusRows();
  };
  const target = { clusterId, kind: kind.id, namespace };

  // Published anew at each render: the functions see the rows of this moment.
  useEffect(() =>
    lists.publish(tab, {
      row: () => (cursor.uid === undefined ? 'none' : opens ? 'opens' : 'plain'),
      moveCursor: (by) => {
        focusRows();
        cursor.move(by);
      },
      movePage: (by) => {
        focusRows();
        cursor.move(by * page);
      },
      openRow: () => open(cursor.uid),
      focusFilter: () => filterField.current?.select(),
      escape: () => {
        if (document.activeElement === filterField.current && filter !== '') focusRows();
        else clearFilter();
      },
      retry: () => live.retry(target),
      settle: arranged.settle,
      stepSort: (by) => {
        const ids = fitting.map(({ column }) => column.id);
        setSearch({ sort: steppedSort(ids, search.sort, by) }, 'push');
      },
      turnSort: () => setSearch({ sort: turnedSort(search.sort) }, 'push'),
    }),
  );

  const isEmpty = arranged.rows.length === 0;
  const activeId = cursor.uid === undefined ? undefined : `${tab}-${cursor.uid}`;
  const plural = lowerFirst(kind.title);
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
        fieldRef={filterField}
        onFilter={(q) => setSearch({ q })}
        onLeave={() => focusRows()}
      />
      <div
        className="body list-body"
        // Not `enter`: that is missed when the list appears under a pointer that was there before.
        onPointerMove={() => setPointed(true)}
        onPointerOver={() => setPointed(true)}
        onPointerLeave={() => setPointed(false)}
      >
        {isEmpty ? (
          <ListState
            kind={kind}
            list={list}
            clusterId={clusterId}
            clusterName={cluster?.name ?? ''}
            clusterMessage={cluster?.state.message}
            namespace={namespace}
            filter={filter}
            hidden={arranged.hidden}
            onClearFilter={clearFilter}
            onAllNamespaces={() => setSearch({ ns: undefined }, 'push')}
            onRetry={() => live.retry(target)}
          />
        ) : (
          <div ref={setScroller} className="tbl-scroll scroll">
            <div
              ref={grid}
              className="tbl"
              role="grid"
              aria-label={kind.title}
              aria-rowcount={arranged.rows.length + 1}
              aria-activedescendant={activeId}
              tabIndex={0}
              style={{ '--cols': tracksOf(fitting) } as React.CSSProperties}
              onFocus={() => setFocus(true)}
              onBlur={() => setFocus(false)}
            >
              <ListHead
                columns={fitting}
                sort={sort}
                isHidden={isTwoLine}
                onSort={(sort) => setSearch({ sort }, 'push')}
              />
              <div className="rows" role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
                {virtualizer.getVirtualItems().map((item) => {
                  const row = arranged.rows[item.index];
                  if (row === undefined) return null;
                  return (
                    <ListRow
                      key={row[0]}
                      row={row}
                      id={`${tab}-${row[0]}`}
                      columns={isTwoLine ? columns : fitting}
                      index={item.index + 2}
                      top={item.start}
                      isCursor={row[0] === cursor.uid}
                      isTwoLine={isTwoLine}
                      now={told + skew}
                      onPoint={cursor.set}
                      onOpen={opens ? open : undefined}
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
                <Keys keys="esc" />
              </p>
            )}
          </div>
        )}
      </div>
      <ListStatus
        kind={kind}
        list={list}
        moved={arranged.moved}
        isFiltering={filter !== ''}
        onSettle={arranged.settle}
        onRetry={() => live.retry(target)}
      />
    </>
  );
}
