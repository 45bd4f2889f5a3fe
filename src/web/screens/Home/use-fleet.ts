import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { Cluster } from '../../../contract/clusters.ts';
import { fleetQuery } from '../../data/fleet-query.ts';
import { useData } from '../../data/port.ts';
import type { FleetMember } from './fleet.ts';

/**
 * Maximum number of clusters of which home follows the dashboards. Of more it follows none: each would open some twenty
 * watches, and the figures that the servers share say how they do. Those that do not answer count as well: what home shows
 * is not to change each time one comes or goes.
 */
export const followedClusters = 10;

/**
 * The clusters with their dashboards, which are followed while home is on screen, or with figures where there are many.
 * A cluster that does not answer is not woken by it.
 */
export function useFleet(clusters: readonly Cluster[], isVisible: boolean): readonly FleetMember[] {
  const { api, live, known } = useData();
  const isMany = clusters.length > followedClusters;
  const ids = clusters
    .filter(({ state }) => !isMany && state.status === 'reachable')
    .map(({ id }) => id)
    .join();
  const { data: figures } = useQuery({ ...fleetQuery(api), enabled: isMany && isVisible });
  const targets = useMemo(
    () =>
      ids
        .split(',')
        .flatMap((id) => (id === '' ? [] : [{ type: 'dashboard', clusterId: Number(id) } as const])),
    [ids],
  );
  useEffect(() => {
    if (!isVisible) return undefined;
    const ends = targets.map((target) => live.follow(target, known.get(target)));
    return () => {
      for (const end of ends) end();
    };
  }, [targets, isVisible, live, known]);

  // One snapshot for all: made anew only when one of the dashboards was replaced.
  const last = useRef<readonly unknown[]>([]);
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = targets.map((target) => known.subscribe(target, listener));
      return () => {
        for (const end of ends) end();
      };
    },
    [targets, known],
  );
  const snapshot = useCallback(() => {
    const now = targets.map((target) => known.get(target));
    const isSame =
      now.length === last.current.length && now.every((one, index) => one === last.current[index]);
    if (!isSame) last.current = now;
    return last.current;
  }, [targets, known]);
  const version = useSyncExternalStore(subscribe, snapshot);
  return useMemo(
    () =>
      clusters.map((cluster) => ({
        cluster,
        isFollowed: targets.some(({ clusterId }) => clusterId === cluster.id),
        isCounted: isMany,
        figures: isMany ? figures?.find(({ clusterId }) => clusterId === cluster.id) : undefined,
        dashboard:
          version.length === 0
            ? undefined
            : known.get({ type: 'dashboard', clusterId: cluster.id })?.dashboard,
      })),
    [clusters, version, known, targets, isMany, figures],
  );
}
