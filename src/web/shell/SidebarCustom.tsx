import { useQuery } from '@tanstack/react-query';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useCallback, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { sentenceOf } from '../../registry/execute.ts';
import { customPrefix } from '../../registry/resource-key.ts';
import { useCommands } from '../core/commands.ts';
import { useData } from '../data/port.ts';
import { useWorkspace } from '../workspace/port.ts';
import { useLive } from '../data/live/use-live.ts';
import { useCell } from '../core/state/state.ts';
import { PlaceLink } from '../kit/Link.tsx';
import { type CustomEntry, customEntries, customHref, definitionsIn } from './custom-entries.ts';
import { SidebarTally } from './SidebarTally.tsx';
import { sideEntry, sideHeading, sideName, sideNothing } from './sidebar-look.ts';

/** The kind whose objects define kinds. */
const definitionKind = 'customresourcedefinition';
/** The height of an entry (px) until the first one was measured. */
const usualHeight = 24;

interface SidebarCustomProps {
  readonly clusterId: number;
  /** The place that shows, as `viewKey` gives it. */
  readonly here: string;
  readonly onChoose: () => void;
}

/**
 * The accordion of the cluster's own resources: the kind of each definition. Asked for once it is open, and followed
 * from then on. Only the entries in sight are drawn: a cluster may have thousands.
 */
export function SidebarCustom({ clusterId, here, onChoose }: SidebarCustomProps) {
  const { registry } = useCommands();
  const { live, queries } = useData();
  const { workspace } = useWorkspace();
  const namespace = useCell(workspace.state, () => workspace.namespaceOf(clusterId));
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { data, error } = useQuery({ ...queries.definitions(clusterId), enabled: isOpen });
  const list = useLive(isOpen ? { clusterId, kind: definitionKind } : undefined, isOpen);
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
  const head = useRef<HTMLButtonElement>(null);
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
    count: isOpen ? kinds.length : 0,
    // Asking for its size lays out the page: not before there is something to draw.
    getScrollElement: () => (isOpen ? (box.current?.closest('nav') ?? null) : null),
    estimateSize: () => height,
    scrollMargin: above,
    overscan: 10,
    useFlushSync: false,
  });
  useLayoutEffect(() => {
    const list = box.current;
    const scroller = list?.closest('nav');
    if (!isOpen || list === null || scroller === null || scroller === undefined) return undefined;
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
  }, [isOpen, kinds]);
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, height]);

  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const said =
    definitions === undefined && error !== null
      ? sentenceOf(error)
      : definitions === undefined
        ? 'Loading...'
        : kinds.length === 0
          ? 'No custom resources'
          : undefined;
  return (
    <div>
      <h3 className={sideHeading}>CRDs</h3>
      <button
        ref={head}
        type="button"
        className={sideEntry({ kind: 'accordion' })}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Chevron size={14} strokeWidth={1.75} aria-hidden="true" />
        <span className={sideName}>Custom Resources</span>
      </button>
      <div id={id} hidden={!isOpen}>
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
      </div>
    </div>
  );
}
