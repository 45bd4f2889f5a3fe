import { useEffect } from 'react';
import { Problem } from '../../contract/problem.ts';
import { useCell } from '../core/state/state.ts';
import { useData } from '../data/port.ts';

/**
 * Says while the server has no database that what comes of calls is as of then, and has what failed meanwhile read again
 * once the database is back.
 */
export function StoreNotice() {
  const { live, queryClient } = useData();
  const since = useCell(live.connection, ({ storeAwaySince }) => storeAwaySince);
  const isAway = since !== undefined;
  useEffect(() => {
    if (!isAway) return undefined;
    return () => {
      const failedMeanwhile = ({ state }: { readonly state: { readonly error: unknown } }) =>
        state.error instanceof Problem && state.error.status === 503;
      void queryClient.refetchQueries({ type: 'active', predicate: failedMeanwhile });
    };
  }, [isAway, queryClient]);
  return (
    <div role="status" className="empty:hidden">
      {isAway && (
        <p className="flex min-h-9 items-center justify-center rounded-sm border border-warn-border bg-warn-bg px-3 py-1 text-warn-fg">
          The database is not responding. Live lists and objects go on; everything else is as of{' '}
          {new Date(since).toLocaleTimeString([], { timeStyle: 'medium' })} and cannot be changed until the
          database is back.
        </p>
      )}
    </div>
  );
}
