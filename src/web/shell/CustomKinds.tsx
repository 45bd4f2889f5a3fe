import { useQuery } from '@tanstack/react-query';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { sentenceOf } from '../../registry/commands/execute.ts';
import { customPrefix } from '../../registry/kinds/resource-key.ts';
import { useCommands } from '../core/commands.ts';
import { useData } from '../data/port.ts';
import { useWorkspace } from '../workspace/port.ts';
import { useLive } from '../data/live/use-live.ts';
import { useCell } from '../core/state/state.ts';
import { PlaceLink } from '../kit/Link.tsx';
import { type CustomEntry, customEntries, customHref, definitionsIn } from './custom-entries.ts';
import { SidebarTally } from './SidebarTally.tsx';
import { sideEntry, sideName, sideNothing } from './sidebar-look.ts';

/** The kind whose objects define kinds. */
const definitionKind = 'customresourcedefinition';
/** The height of an entry (px) until the first one was measured. */
const usualHeight = 24;

interface CustomKindsProps {
  readonly clusterId: number;
  /** The place that shows, as `viewKey` gives it. */
  readonly here: string;
  /** The button above the entries, which is as high as each of them. */
  readonly head: RefObject<HTMLButtonElement | null>;
  readonly onChoose: () => void;
}

/** The kinds that definitions of the cluster made. Only the entries in sight are drawn: a cluster may have thousands. */
export function CustomKinds({ clusterId, here, head, onChoose }: CustomKindsProps) {
  const { registry } = useCommands();
  const { live, queries } = useData();
  const { workspace } = useWorkspace();
  const namespace = useCell(workspace.state, () => workspace.namespaceOf(clusterId));
  const { data, error } = useQuery(queries.definitions(clusterId));
  const list = useLive({ clusterId, kind: definitionKind }, true);
  const order = useCell(live.connection, (connection) => connection.columns[definitionKind]);
  const rows = list?.complete === true ? list.rows : undefined;
  const definitions = useMemo(
    () =>
      rows !== undefined && order !== undefined
        ? definitionsIn(rows.values(), order)
        : data?.map(({ metadata, spec }) => ({
            crdName: metadata.name,
            group: spec.group,
            kind: spec.names.kind,
          })),
    [rows, order, data],
  );
  const kinds = useMemo(() => customEntries(definitions ?? []), [definitions]);

  const hrefOf = useCallback(
    (entry: CustomEntry) => customHref(registry, clusterId, entry),
    [registry, clusterId],
  );
  const box = useRef<HTMLDivElement>(null);
  const [above, setAbove] = useState(0);
  const [height, setHeight] = useState(usualHeight);
  // The focused and the current entry are always rendered, wherever the sidebar is scrolled to.
  const [focused, setFocused] = useState<string>();
  const kept = useMemo(
    () =>
      kinds.flatMap((entry, index) => (entry.crdName === focused || hrefOf(entry) === here ? [index] : [])),
    [kinds, focused, here, hrefOf],
  );
  const rangeExtractor = useCallback(
    (range: Range) => [...new Set([...defaultRangeExtractor(range), ...kept])].sort((a, b) => a - b),
    [kept],
  );
  const virtualizer = useVirtualizer({
    rangeExtractor,
    count: kinds.length,
    getScrollElement: () => box.current?.closest('nav') ?? null,
    estimateSize: () => height,
    scrollMargin: above,
    overscan: 10,
    useFlushSync: false,
  });
  useLayoutEffect(() => {
    const list = box.current;
    const scroller = list?.closest('nav');
    if (list === null || scroller === null || scroller === undefined) return undefined;
    const measure = () => {
      const top = list.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
      setAbove(Math.round(top + scroller.scrollTop));
      // Every entry is as high as the button above them, on each screen.
      setHeight(head.current?.offsetHeight || usualHeight);
    };
    measure();
    // The entries above come and go with permissions and add-ons.
    const observer = new ResizeObserver(measure);
    for (const part of scroller.children) observer.observe(part);
    return () => observer.disconnect();
  }, [head, kinds]);
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, height]);

  const said =
    definitions === undefined && error !== null
      ? sentenceOf(error)
      : definitions === undefined
        ? 'Loading...'
        : kinds.length === 0
          ? 'No custom resources'
          : undefined;
  return (
    <>
      {said !== undefined && (
        <p className={sideNothing} role="status">
          {said}
        </p>
      )}
      <div ref={box} data-part="kinds" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const entry = kinds[index];
          if (entry === undefined) return null;
          const { crdName, kind } = entry;
          const href = hrefOf(entry);
          const isHere = href === here;
          return (
            <PlaceLink
              key={crdName}
              href={workspace.inChosenNamespace(href)}
              className={sideEntry({ kind: 'within' })}
              aria-current={isHere ? 'page' : undefined}
              title={crdName}
              style={{ transform: `translateY(${start - above}px)` }}
              onFocus={() => setFocused(crdName)}
              onBlur={() => setFocused(undefined)}
              onClick={onChoose}
            >
              <span className={sideName}>{kind}</span>
              <SidebarTally
                clusterId={clusterId}
                kindId={`${customPrefix}${crdName}`}
                of="custom"
                namespace={namespace}
              />
            </PlaceLink>
          );
        })}
      </div>
    </>
  );
}
