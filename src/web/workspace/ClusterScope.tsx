import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { useApp } from '../app/context.ts';
import { isDeletedHere } from '../data/deleting.ts';
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
  const { registry, queries, queryClient, workspace, services } = useApp();
  const id = registry.match(href)?.params.clusterId;
  const clusters = useQuery({ ...queries.clusters, enabled: id !== undefined });
  const isKnown = clusters.data?.some((cluster) => String(cluster.id) === id) ?? false;
  // A list being asked for again may be about to name the cluster.
  const isSettled = clusters.data === undefined ? clusters.isError : isKnown || !clusters.isFetching;
  const isLost = id !== undefined && isSettled && !isKnown;

  const name = clusters.data?.find((cluster) => String(cluster.id) === id)?.name;
  const seen = useRef<{ readonly id: string | undefined; readonly name: string } | undefined>(undefined);
  useEffect(() => {
    if (name !== undefined) seen.current = { id, name };
  }, [id, name]);
  useEffect(() => {
    if (!isLost) return;
    // Somebody who was looking at it hears why it went, unless it was their doing; a link that never led anywhere just leads home.
    const isOwn = isDeletedHere(queryClient, Number(id));
    if (seen.current?.id === id && seen.current !== undefined && !isOwn) {
      services.toast.warning(`You no longer see ${seen.current.name}`, {
        detail: 'It was taken out of this console, or your teams no longer reach it.',
      });
    }
    workspace.sendHome(tab);
  }, [isLost, queryClient, workspace, services, tab, id]);

  if (id === undefined || isKnown) return children;
  return <ScreenPending />;
}
