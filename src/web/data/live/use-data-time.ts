import { useData } from '../port.ts';
import { useCell } from '../../core/state/state.ts';
import { useNow } from '../now.ts';
import { agesAt, clusterTime } from './freshness.ts';
import type { LiveBase } from './base.ts';

/**
 * The clock (ms) against which ages of live data are computed: they stop where the data did.
 * @param clusterId whose clock it is; the server's without one
 */
export function useDataTime(data: LiveBase | undefined, clusterId?: string | number): number {
  const { live } = useData();
  const skew = useCell(live.connection, (connection) => connection.skew);
  const phase = useCell(live.connection, (connection) => connection.phase);
  const ahead = useCell(live.connection, (connection) => connection.ahead[clusterId ?? ''] ?? 0);
  const now = useNow();
  return agesAt(data, { phase, skew, heardAt: live.connection.get().heardAt }, now) + skew + ahead;
}

/** The time by the clock of each cluster, ms: theirs judge what expires there. */
export function useClusterTimes(): (clusterId: string | number) => number {
  const { live } = useData();
  const skew = useCell(live.connection, (connection) => connection.skew);
  const ahead = useCell(live.connection, (connection) => connection.ahead);
  const now = useNow();
  return (clusterId) => clusterTime({ skew, ahead }, clusterId, now);
}
