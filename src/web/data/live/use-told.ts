import { useData } from '../port.ts';
import { useCell } from '../../core/state/state.ts';
import { useNow } from '../now.ts';
import { agesAt } from './freshness.ts';
import type { LiveBase } from './subscription.ts';

/** The server's clock (ms) for which the ages of something live are told: they stop where its data did. */
export function useTold(data: LiveBase | undefined): number {
  const { live } = useData();
  const skew = useCell(live.connection, (connection) => connection.skew);
  const phase = useCell(live.connection, (connection) => connection.phase);
  const now = useNow();
  return agesAt(data, { phase, skew, heardAt: live.connection.get().heardAt }, now) + skew;
}
