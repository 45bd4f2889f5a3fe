import { useQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { useMemo } from 'react';
import { useApp } from '../app/context.ts';
import { useCell } from '../state/state.ts';
import { clusterStyle, Flag } from '../ui/marks.tsx';
import { allTabs, focusedTab, mountedTabs } from '../workspace/layout.ts';
import { clusterOf } from '../workspace/place.ts';
import { createRouteTree } from '../workspace/router.tsx';
import { TabView } from '../workspace/TabView.tsx';
import { TabBar } from './TabBar.tsx';
import { titleOf } from './titles.ts';

/** Views kept mounted over the whole workspace. */
const viewLimit = 10;

/** One tile: its tabs, the plate of its cluster, and the views. */
export function Tile() {
  const { workspace, registry, queries } = useApp();
  const { layout } = useCell(workspace.state);
  const clusters = useQuery(queries.clusters).data;
  const routeTree = useMemo(() => createRouteTree(registry), [registry]);
  const tab = focusedTab(layout);
  const mounted = mountedTabs(layout, viewLimit);
  const clusterId = clusterOf(registry, tab.href);
  const cluster = clusters?.find((one) => one.id === clusterId);
  const label = [titleOf(registry, tab.href), ...(cluster === undefined ? [] : [`in ${cluster.name}`])].join(
    ' ',
  );
  return (
    <section
      className={`tile focused ${cluster?.isProtected === true ? 'protected' : ''}`}
      style={cluster === undefined ? undefined : clusterStyle(cluster.colour)}
      aria-label={cluster?.isProtected === true ? `${label}, protected cluster` : label}
    >
      <div className="tabs">
        <TabBar />
        {cluster !== undefined && (
          <span className="plate">
            <Flag colour={cluster.colour} />
            <span className="trunc">{cluster.name}</span>
            {cluster.isProtected && <Lock size={12} strokeWidth={1.75} aria-label="protected" />}
          </span>
        )}
      </div>
      {allTabs(layout).map((one) =>
        mounted.has(one.id) ? (
          <TabView
            key={one.id}
            tab={one.id}
            routeTree={routeTree}
            isVisible={one.id === tab.id}
            isFocused={one.id === tab.id}
          />
        ) : null,
      )}
    </section>
  );
}
