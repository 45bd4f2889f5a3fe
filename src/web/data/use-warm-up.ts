import { useMemo } from 'react';
import type { Cluster } from '../../contract/clusters.ts';
import { useData } from './port.ts';

/** Handlers of a link to a cluster, which is warmed while it is pointed at. One that was never reached is left asleep. */
export function useWarmUp({ id, state }: Pick<Cluster, 'id' | 'state'>) {
  const { warmUps } = useData();
  const isAwake = state.status === 'reachable';
  return useMemo(() => {
    const point = () => warmUps.pointAt(isAwake ? id : undefined);
    const leave = () => warmUps.pointAt(undefined);
    return { onPointerEnter: point, onFocus: point, onPointerLeave: leave, onBlur: leave };
  }, [warmUps, id, isAwake]);
}
