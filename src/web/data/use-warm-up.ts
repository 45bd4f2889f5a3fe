import { useMemo } from 'react';
import type { Cluster } from '../../contract/clusters.ts';
import { useData } from './port.ts';

/**
 * Handlers of a link to a cluster, which is warmed while it is pointed at. One that was never reached is left asleep.
 * @param isAmongMany the cursor does not warm it: on a page of many the page itself puts the cursor on the first
 */
export function useWarmUp({ id, state }: Pick<Cluster, 'id' | 'state'>, isAmongMany = false) {
  const { warmUps } = useData();
  const isAwake = state.status === 'reachable';
  return useMemo(() => {
    const point = () => warmUps.pointAt(isAwake ? id : undefined);
    const leave = () => warmUps.pointAt(undefined);
    const byCursor = isAmongMany ? {} : { onFocus: point };
    return { onPointerEnter: point, ...byCursor, onPointerLeave: leave, onBlur: leave };
  }, [warmUps, id, isAwake, isAmongMany]);
}
