import { useQuery } from '@tanstack/react-query';
import { type Ref, Suspense, useCallback, useState } from 'react';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import { useData } from '../../data/port.ts';
import { lowerFirst } from '../../data/live/freshness.ts';
import type { LiveList } from '../../data/live/rows.ts';
import { placeOfList } from '../../data/restriction.ts';
import { useDataTime } from '../../data/live/use-data-time.ts';
import { KeysOf } from '../../keyboard/Keys.tsx';
import { LinkButton } from '../../kit/Link.tsx';
import type { MenuPlace } from '../../kit/menu-place.ts';
import { ViewBody } from '../../kit/ViewBody.tsx';
import { useViewSearch } from '../../workspace/view.ts';
import { useCommands } from '../../core/commands.ts';
import { failureScope } from '../../frame/failure-scope.ts';
import { ListGrid, type ListGridHandle } from './ListGrid.tsx';
import type { OpenMenu } from './ListMenus.tsx';
import { isListWaiting, ListWaiting } from './ListWaiting.tsx';
import { createRowTimes } from '../cells/row-times.ts';
import type { ListColumns } from './use-list-columns.ts';
import type { ListCommands } from './use-list-commands.ts';
import type { ListRows } from './use-list-rows.ts';
import { useStable } from '../../kit/use-stable.ts';
import { lazyPart } from '../../kit/lazy-part.ts';

/** Loaded once a list has nothing to show. */
const ListState = lazyPart(async () => (await import('./ListState.tsx')).ListState);

interface ListBodyProps {
  readonly kind: KindFacts;
  readonly clusterId: number;
  readonly list: LiveList | undefined;
  /** Whose rows they are: cluster, kind and namespace. */
  readonly listed: string;
  readonly look: ListColumns;
  readonly rows: ListRows;
  readonly commands: ListCommands;
  /** The element that scrolls the rows; null before it is mounted. */
  readonly scroller: HTMLElement | null;
  /** Somebody types into the filter. */
  readonly isTyping: boolean;
  readonly gridRef: Ref<ListGridHandle>;
  readonly focusRows: () => void;
  readonly onScroller: (scroller: HTMLDivElement | null) => void;
  readonly onPointed: (isPointed: boolean) => void;
  readonly onFocus: (hasFocus: boolean) => void;
  readonly onMenu: (menu: OpenMenu) => void;
  readonly onAside: () => void;
  readonly onRetry: () => void;
}

/** The rows of a list, or why there are none. */
export function ListBody(props: ListBodyProps) {
  const { list, rows, onPointed } = props;
  const { arranged } = rows;
  // What the person may view no more is not left on the screen.
  const isEmpty = arranged.size === 0 || list?.ended !== undefined;
  return (
    <ViewBody
      className="flex flex-col"
      // Not `enter`: that is missed when the list appears under a pointer that was there before.
      onPointerMove={() => onPointed(true)}
      onPointerOver={() => onPointed(true)}
      onPointerLeave={() => onPointed(false)}
    >
      {isEmpty && arranged.hidden === 0 && isListWaiting(list) ? (
        <ListWaiting />
      ) : isEmpty ? (
        <EmptyList {...props} />
      ) : (
        <ScrolledRows {...props} />
      )}
    </ViewBody>
  );
}

function EmptyList({ kind, clusterId, list, rows, commands, focusRows, onAside, onRetry }: ListBodyProps) {
  const { queries } = useData();
  const [search, setSearch] = useViewSearch();
  const { data: clusters } = useQuery(queries.clusters);
  const cluster = clusters?.find((one) => one.id === clusterId);
  const { arranged, asked, filter, isWhole, names } = rows;
  return (
    <Suspense fallback={<div aria-busy="true" className="h-full" />}>
      <ListState
        kind={kind}
        list={list}
        clusterId={clusterId}
        clusterName={cluster?.name ?? ''}
        place={cluster === undefined ? '' : placeOfList(kind, cluster, search.ns)}
        clusterMessage={cluster?.state.message}
        failureScope={failureScope(clusters, clusterId)}
        namespace={kind.scope === 'Namespaced' ? search.ns : undefined}
        filter={filter}
        problem={asked.problem}
        hidden={arranged.hidden}
        names={names}
        onFilter={(text) => {
          commands.filterBy(text);
          focusRows();
        }}
        aside={isWhole ? 0 : arranged.aside}
        onAside={onAside}
        onClearFilter={commands.clearFilter}
        onAllNamespaces={() => setSearch({ ns: undefined }, 'push')}
        onRetry={onRetry}
      />
    </Suspense>
  );
}

function ScrolledRows(props: ListBodyProps) {
  const { kind, clusterId, list, listed, look, rows, commands, scroller } = props;
  const { isTyping, gridRef, onScroller, onFocus, onMenu } = props;
  const { arranged, filter, sort, cursor, selection } = rows;
  const dataTime = useDataTime(list, clusterId);
  const [timeOf] = useState(createRowTimes);
  const { workspace } = useCommands().services;
  const follow = useCallback((href: string) => workspace.open(href), [workspace]);
  const openRow = useStable((uid: string) => commands.open(uid));
  const selectRow = useStable((uid: string, isRange: boolean) =>
    isRange ? selection.extend(uid) : selection.toggle(uid),
  );
  const menuAt = useStable((uid: string, place: MenuPlace) => onMenu({ of: 'row', uid, place }));
  return (
    <div
      ref={onScroller}
      data-part="rows"
      className={`scrollbar-quiet min-h-0 w-full flex-1 overflow-auto ${look.isWide ? 'scroll-shade' : ''}`}
    >
      <ListGrid
        ref={gridRef}
        title={kind.title}
        list={`${clusterId} ${kind.id}`}
        what={`${listed} ${sort ?? ''} ${filter}`}
        rows={arranged}
        columns={look.fitting}
        shown={look.shown}
        links={rows.links}
        isTwoLine={look.isTwoLine}
        isWide={look.isWide}
        room={look.room}
        scroller={scroller}
        rowHeight={look.rowHeight}
        rootSize={look.rootSize}
        sort={sort}
        onSort={rows.chooseSort}
        cursor={cursor}
        selection={selection}
        onSelectAll={commands.toggleAll}
        isComplete={list?.complete === true}
        isTyping={isTyping}
        onFocus={onFocus}
        timeOf={timeOf}
        dataTime={dataTime}
        onPoint={cursor.set}
        onOpen={kind.paths.detail === undefined ? undefined : openRow}
        onFollow={follow}
        onSelect={selectRow}
        onMenu={menuAt}
      />
      {arranged.hidden > 0 && (
        <HiddenNote
          kind={kind}
          count={arranged.hidden}
          isComplete={list?.complete === true}
          onClear={commands.clearFilter}
        />
      )}
    </div>
  );
}

interface HiddenNoteProps {
  readonly kind: KindFacts;
  readonly count: number;
  /** No more rows are to come. */
  readonly isComplete: boolean;
  readonly onClear: () => void;
}

/** How many rows the filter hides, below those that it shows. */
function HiddenNote({ kind, count, isComplete, onClear }: HiddenNoteProps) {
  const soFar = isComplete ? '' : ' so far';
  return (
    <p className="flex items-center gap-1.5 px-3.25 py-2.5 text-(length:--text-xs) text-text-3 narrow:pb-4">
      {count === 1
        ? `1 ${lowerFirst(kind.kind)} is hidden by the filter${soFar}.`
        : `${count} ${lowerFirst(kind.title)} are hidden by the filter${soFar}.`}{' '}
      <LinkButton onClick={onClear}>Clear filter</LinkButton>
      <span className="contents narrow:hidden">
        <KeysOf id="table.escape" />
      </span>
    </p>
  );
}
