import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { Cluster } from '../../../contract/clusters.ts';
import { useData } from '../../data/port.ts';
import type { FleetMember } from './fleet.ts';

/** Maximum number of clusters whose dashboards home follows; the others show whether they can be reached. */
export const followedClusters = 40;

/**
 * The clusters with their dashboards, which are followed while home is on screen: those that answer, in the order in
 * which they were added. A cluster that has not been opened yet is not woken by it.
 */
export function useFleet(clusters: readonly Cluster[], isVisible: boolean): readonly FleetMember[] {
  const { live, known } = useData();
  const ids = clusters
    .filter(({ state }) => state.status === 'reachable')
    .slice(0, followedClusters)
    .map(({ id }) => id)
    .join();
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
        dashboard:
          version.length === 0
            ? undefined
            : known.get({ type: 'dashboard', clusterId: cluster.id })?.dashboard,
      })),
    [clusters, version, known, targets],
  );
}
