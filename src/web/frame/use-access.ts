import { useQuery } from '@tanstack/react-query';
import type { AccessRequest } from '../../contract/access-requests.ts';
import { useCell } from '../core/state/state.ts';
import { useNow } from '../data/now.ts';
import { useData } from '../data/port.ts';

/** The access requests that the person sees; undefined before they are read. */
export function useAccessRequests(): readonly AccessRequest[] | undefined {
  const { queries } = useData();
  return useQuery(queries.accessRequests).data?.requests;
}

/** The server's time in ms, ticking once a second. */
export function useServerNow(): number {
  const { live } = useData();
  const skew = useCell(live.connection, (connection) => connection.skew);
  return useNow() + skew;
}
