import { useMemo } from 'react';
import type { Cluster } from '../../contract/clusters.ts';
import { useData } from './port.ts';

/**
 * Handlers of a link to a cluster, which is warmed while it is pointed at. One that was never reached is left asleep.
 * @param isAmongMany it is warmed only where the person moved to it, not where the page put the cursor on it by itself
 */
export function useWarmUp({ id, state }: Pick<Cluster, 'id' | 'state'>, isAmongMany = false) {
  const { warmUps } = useData();
  const isAwake = state.status === 'reachable';
  return useMemo(() => {
    const point = () => warmUps.pointAt(isAwake ? id : undefined);
    const leave = () => warmUps.pointAt(undefined);
    // The key that moved the cursor is let go on the link that it moved to.
    const byCursor = isAmongMany ? { onKeyUp: point } : { onFocus: point };
    return { onPointerEnter: point, ...byCursor, onPointerLeave: leave, onBlur: leave };
  }, [warmUps, id, isAwake, isAmongMany]);
}
