import { useQuery } from '@tanstack/react-query';
import { cva } from 'class-variance-authority';
import { Columns2, Lock } from 'lucide-react';
import { useCommands } from '../core/commands.ts';
import { useData } from '../data/port.ts';
import { restrictionText } from '../data/restriction.ts';
import { clusterStyle, Flag } from '../kit/marks.tsx';
import { activeTab } from '../workspace/layout.ts';
import { clusterOf } from '../workspace/place.ts';
import type { TabGroup } from '../workspace/tree.ts';
import { TabBar } from './TabBar.tsx';
import { useTitleOf } from './use-title-of.ts';

const tileLook = cva(
  [
    'group/tile flex h-full min-h-0 min-w-0 flex-col overflow-hidden rounded-sm border bg-surface',
    'narrow:rounded-none forced-colors:data-focused:border-[Highlight]',
  ],
  {
    variants: {
      /** A protected cluster's tile is framed in the cluster's colour, twice as wide with the focus. */
      isProtected: {
        true: 'border-cluster ring-cluster md:data-focused:ring-1 narrow:not-forced-colors:border-2 forced-colors:border-3 forced-colors:border-double',
        false: 'border-border data-focused:border-accent-border narrow:border-0',
      },
    },
  },
);

/** The free part of the bar is the tile's handle, also for a finger; along the tabs a finger scrolls. */
const barLook =
  '@container flex h-tabbar flex-none touch-none items-stretch border-b border-border bg-raised narrow:h-10 low:h-8';

const stepLook = [
  'flex flex-none items-center gap-1.5 border-l border-border px-2.5 font-medium text-text-2 hover:bg-row-hover',
  'focus-visible:-outline-offset-2',
].join(' ');

const plateLook = [
  'ml-auto flex min-w-0 max-w-64 shrink-99 items-center overflow-hidden gap-1.5 px-2 text-(length:--text-xs) font-medium whitespace-nowrap',
  'border-border text-text-2 md:@max-[40rem]:max-w-36 narrow:max-w-[40vw] @max-[18rem]:flex-none',
  'group-data-protected/tile:border-l group-data-protected/tile:bg-cluster-soft group-data-protected/tile:text-text',
].join(' ');

interface TileProps {
  readonly group: TabGroup;
  readonly isFocused: boolean;
  readonly isShown: boolean;
  /** Whether this tile covers the others, so that there must be a way to them. */
  readonly isCovering: boolean;
  /** Its place among the tiles, from 0. */
  readonly index: number;
  readonly count: number;
  /** The element that the views of its tabs are put into. */
  readonly bodyRef: (body: HTMLDivElement | null) => void;
}

/** One tile: its tabs, the plate of its cluster, and the place of its views. */
export function Tile(props: TileProps) {
  const { group, isFocused, isShown, isCovering, index, count, bodyRef } = props;
  const { registry, run } = useCommands();
  const { queries } = useData();
  const titleOf = useTitleOf();
  const clusters = useQuery(queries.clusters).data;
  const tab = activeTab(group);
  const clusterId = clusterOf(registry, tab.href);
  const cluster = clusters?.find((one) => one.id === clusterId);
  const isProtected = cluster?.isProtected === true;
  const restriction = restrictionText(cluster?.namespaces);
  const label = [
    [titleOf(tab.href), ...(cluster === undefined ? [] : [`in ${cluster.name}`])].join(' '),
    ...(isProtected ? ['protected cluster'] : []),
    ...(restriction === undefined ? [] : [restriction]),
    ...(count > 1 ? [`tile ${index + 1} of ${count}`] : []),
  ].join(', ');
  return (
    <section
      id={`tile-${group.id}`}
      data-tile={group.id}
      data-focused={isFocused || undefined}
      data-protected={isProtected || undefined}
      className={tileLook({ isProtected })}
      style={cluster === undefined ? undefined : clusterStyle(cluster.colour)}
      aria-label={label}
      hidden={!isShown}
    >
      <div className={barLook} data-tile-bar>
        <TabBar group={group} />
        {isCovering && (
          <button
            type="button"
            className={stepLook}
            aria-label={`Tile ${index + 1} / ${count}: next tile`}
            onClick={() => run('workspace.nextTile')}
          >
            <Columns2 size={14} strokeWidth={1.75} aria-hidden="true" />
            {index + 1} / {count}
          </button>
        )}
        {cluster !== undefined && (
          <span className={plateLook}>
            <Flag colour={cluster.colour} className="flex-none" />
            {/* In a narrow tile the title of the tab is worth more than this name: the flag stays. */}
            <span className="min-w-0 truncate @max-[18rem]:hidden">{cluster.name}</span>
            {restriction !== undefined && (
              <span
                className="min-w-0 shrink-99 truncate font-normal text-text-3 @max-[40rem]:hidden"
                title={restriction}
              >
                {restriction}
              </span>
            )}
            {isProtected && (
              <Lock className="flex-none" size={12} strokeWidth={1.75} aria-label="protected" />
            )}
          </span>
        )}
      </div>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col" ref={bodyRef} />
    </section>
  );
}
