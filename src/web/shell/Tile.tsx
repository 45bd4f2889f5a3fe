import { useQuery } from '@tanstack/react-query';
import { Columns2, Lock } from 'lucide-react';
import { useApp } from '../app/context.ts';
import { useCell } from '../state/state.ts';
import { clusterStyle, Flag } from '../ui/marks.tsx';
import { activeTab } from '../workspace/layout.ts';
import { clusterOf } from '../workspace/place.ts';
import type { TabGroup } from '../workspace/tree.ts';
import { TabBar } from './TabBar.tsx';
import { titleOf } from './titles.ts';

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
  const app = useApp();
  const { registry, queries, run } = app;
  useCell(app.kinds.learnt);
  const clusters = useQuery(queries.clusters).data;
  const tab = activeTab(group);
  const clusterId = clusterOf(registry, tab.href);
  const cluster = clusters?.find((one) => one.id === clusterId);
  const label = [
    [titleOf(app, tab.href), ...(cluster === undefined ? [] : [`in ${cluster.name}`])].join(' '),
    ...(cluster?.isProtected === true ? ['protected cluster'] : []),
    ...(count > 1 ? [`tile ${index + 1} of ${count}`] : []),
  ].join(', ');
  return (
    <section
      id={`tile-${group.id}`}
      data-tile={group.id}
      className={`tile ${isFocused ? 'focused' : ''} ${cluster?.isProtected === true ? 'protected' : ''}`}
      style={cluster === undefined ? undefined : clusterStyle(cluster.colour)}
      aria-label={label}
      hidden={!isShown}
    >
      <div className="tabs" data-tile-bar>
        <TabBar group={group} />
        {isCovering && (
          <button
            type="button"
            className="tile-step inset"
            aria-label={`Tile ${index + 1} / ${count}: next tile`}
            onClick={() => run('workspace.nextTile')}
          >
            <Columns2 size={14} strokeWidth={1.75} aria-hidden="true" />
            {index + 1} / {count}
          </button>
        )}
        {cluster !== undefined && (
          <span className="plate">
            <Flag colour={cluster.colour} />
            <span className="trunc">{cluster.name}</span>
            {cluster.isProtected && <Lock size={12} strokeWidth={1.75} aria-label="protected" />}
          </span>
        )}
      </div>
      <div className="tile-body" ref={bodyRef} />
    </section>
  );
}
