import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useApp } from '../app/context.ts';
import { ScreenPending } from '../shell/ScreenPending.tsx';

interface ClusterScopeProps {
  readonly tab: string;
  readonly href: string;
  readonly children: ReactNode;
}

/**
 * The guard of routes with a cluster: the clusters are loaded first; an unknown or missing id, or clusters that
 * cannot be loaded, send the tab home. A cluster that is merely unreachable is a state of what is shown.
 */
export function ClusterScope({ tab, href, children }: ClusterScopeProps) {
  const { registry, queries, workspace } = useApp();
  const id = registry.match(href)?.params.clusterId;
  const clusters = useQuery({ ...queries.clusters, enabled: id !== undefined });
  const isKnown = clusters.data?.some((cluster) => String(cluster.id) === id) ?? false;
  // A list being asked for again may be about to name the cluster.
  const isSettled = clusters.data === undefined ? clusters.isError : isKnown || !clusters.isFetching;
  const isLost = id !== undefined && isSettled && !isKnown;

  useEffect(() => {
    if (isLost) workspace.sendHome(tab);
  }, [isLost, workspace, tab]);

  if (id === undefined || isKnown) return children;
  return <ScreenPending />;
}
