import { type ReactNode, Suspense, useCallback, useRef, useState } from 'react';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import type { LiveList } from '../../data/live/rows.ts';
import type { FilterField } from '../../../registry/filter/fields.ts';
import { hasTerm, unhealthyTerm } from '../../../registry/filter/parse.ts';
import { lowerFirst } from '../../data/live/freshness.ts';
import { columnValues } from '../../data/rows/column-values.ts';
import { fieldsOfColumns } from '../../data/rows/filter.ts';
import { placeBelow } from '../../kit/menu-place.ts';
import { useStable } from '../../kit/use-stable.ts';
import { useViewSearch } from '../../workspace/view.ts';
import { AsideToggle } from './AsideToggle.tsx';
import { extras } from './extras.tsx';
import { ExcludedToggle } from '../../frame/ExcludedToggle.tsx';
import { ListBody } from './ListBody.tsx';
import type { ListGridHandle } from './ListGrid.tsx';
import { sortText } from './ListHead.tsx';
import { ListMenus, type OpenMenu } from './ListMenus.tsx';
import { ListStatus } from './ListStatus.tsx';
import { ListTools } from './ListTools.tsx';
import { useListColumns } from './use-list-columns.ts';
import { useListCommands } from './use-list-commands.ts';
import { useListRows } from './use-list-rows.ts';
import { lazyPart } from '../../kit/lazy-part.ts';

const BulkBar = lazyPart(async () => (await import('./BulkBar.tsx')).BulkBar);
const FilterTerms = lazyPart(async () => (await import('./FilterTerms.tsx')).FilterTerms);
const FilterHelp = lazyPart(async () => (await import('./FilterHelp.tsx')).FilterHelp);
const UsageNote = lazyPart(async () => (await import('../metrics/UsageNote.tsx')).UsageNote);

/** Whether a list shows several namespaces, or is that of the namespaces themselves. */
const isOfNamespaces = ({ scope, group, plural }: KindFacts, namespace: string | undefined): boolean =>
  scope === 'Namespaced' ? namespace === undefined : group === '' && plural === 'namespaces';

interface ListViewProps {
  readonly kind: KindFacts;
  readonly clusterId: number;
  readonly list: LiveList | undefined;
  readonly onRetry: () => void;
}

/** A list of objects: filter, rows, what is selected, and how fresh it all is. */
export function ListView({ kind, clusterId, list, onRetry }: ListViewProps) {
  const [search, setSearch] = useViewSearch();
  const listed = `${clusterId} ${kind.id} ${kind.scope === 'Namespaced' ? (search.ns ?? '') : ''}`;
  const filterField = useRef<HTMLInputElement>(null);
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const grid = useRef<ListGridHandle>(null);
  const focusRows = useCallback(() => grid.current?.focus(), []);
  const [scrolling] = useState(() => ({
    scrollTo: (index: number) => grid.current?.scrollTo(index),
    scrollToTop: () => grid.current?.scrollToTop(),
  }));
  const [isTyping, setTyping] = useState(false);
  const [isPointed, setPointed] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const [menu, setMenu] = useState<OpenMenu | undefined>(undefined);
  const [isHelpOpen, setHelpOpen] = useState(false);

  const look = useListColumns({ kind, clusterId, list, listed, isWhole: search.all === '1', scroller });
  const isHeld = isPointed || hasFocus;
  const rows = useListRows({ kind, clusterId, list, look, isHeld, isPointed, scroller, scrolling });
  const isComplete = list?.complete === true;
  const showHelp = useCallback(() => setHelpOpen(true), []);
  const commanded = { kind, look, rows, isComplete, filterField, scroller, focusRows, showHelp, onRetry };
  const commands = useListCommands(commanded);

  const { arranged, settle, filter, asked, sort, isWhole, selection, selected } = rows;
  const { columns, fitting, isTwoLine } = look;
  const status = columns.find(({ column }) => column.format === 'status');
  const fields = fieldsOfColumns(look.placed);
  const valuesOf = useStable((field: FilterField) => {
    const placed = look.placed.find(({ column }) => column.id === field.id);
    return placed === undefined ? new Map<string, number>() : columnValues(list?.rows.values() ?? [], placed);
  });
  const showAside = () => setSearch({ all: isWhole ? undefined : '1' }, 'push');
  const showColumns = useCallback(
    (button: Element) => setMenu({ of: 'columns', place: placeBelow(button) }),
    [],
  );
  const [first, ...others] = selected;
  const bulk: ReactNode =
    first === undefined ? undefined : (
      <Suspense
        fallback={<span className="text-(length:--text-xs) font-semibold">{selected.length} selected</span>}
      >
        <BulkBar kind={kind} refs={[first, ...others]} isInLine={isTwoLine} onClear={selection.clear} />
      </Suspense>
    );
  return (
    <>
      <h1 className="sr-only">{kind.title}</h1>
      <ListTools
        kind={kind}
        filter={filter}
        shown={arranged.size}
        known={arranged.known}
        total={list?.total}
        isComplete={isComplete && list?.ended === undefined}
        order={sortText(sort, columns)}
        selected={selected.length}
        problem={asked.problem}
        fields={fields}
        valuesOf={valuesOf}
        fieldRef={filterField}
        onFilter={commands.filterBy}
        onTyping={setTyping}
        onLeave={focusRows}
        onHelp={showHelp}
        isUnhealthyOnly={hasTerm(filter, unhealthyTerm)}
        onUnhealthy={status === undefined ? undefined : commands.toggleUnhealthy}
        isChoosingColumns={menu?.of === 'columns'}
        onColumns={showColumns}
        bulk={isTwoLine ? undefined : bulk}
        extra={
          <>
            <ExcludedToggle clusterId={clusterId} isConcerned={isOfNamespaces(kind, search.ns)} />
            {kind.aside !== undefined && arranged.aside > 0 && (
              <AsideToggle
                label={kind.aside.label}
                count={isComplete ? arranged.aside : undefined}
                isShown={isWhole}
                onToggle={showAside}
              />
            )}
            {fitting.some(({ column, isBrief }) => column.join === 'metrics' && isBrief !== true) && (
              <Suspense>
                <UsageNote list={`${clusterId} ${kind.id}`} />
              </Suspense>
            )}
            {kind.listExtra !== undefined && extras[kind.listExtra](clusterId)}
          </>
        }
      />
      {filter !== '' && (
        <Suspense>
          <FilterTerms
            filter={filter}
            terms={asked.terms}
            problem={asked.problem}
            fieldRef={filterField}
            onFilter={commands.filterBy}
          />
        </Suspense>
      )}
      {isHelpOpen && (
        <Suspense>
          <FilterHelp plural={lowerFirst(kind.title)} fields={fields} onClose={() => setHelpOpen(false)} />
        </Suspense>
      )}
      <ListBody
        {...commanded}
        clusterId={clusterId}
        list={list}
        listed={listed}
        commands={commands}
        isTyping={isTyping}
        gridRef={grid}
        onScroller={setScroller}
        onPointed={setPointed}
        onFocus={setFocus}
        onMenu={setMenu}
        onAside={showAside}
      />
      <ListMenus menu={menu} kind={kind} look={look} rows={rows} onClose={() => setMenu(undefined)} />
      <ListStatus
        kind={kind}
        clusterId={clusterId}
        list={list}
        statusAt={status?.index ?? -1}
        moved={isComplete ? arranged.moved : 0}
        isFiltering={filter !== ''}
        onSettle={settle}
        onRetry={onRetry}
        bulk={isTwoLine ? bulk : undefined}
      />
    </>
  );
}
