import { useEffect } from 'react';
import { storeGrace } from '../../contract/live-socket.ts';
import { Problem } from '../../contract/problem.ts';
import { useCell } from '../core/state/state.ts';
import { useNow } from '../data/now.ts';
import { useData } from '../data/port.ts';
import { Glyph } from '../kit/marks.tsx';
import { clockText } from '../kit/date-time.ts';

/**
 * Says while the server has no database that the answers of calls are as of then, from when on lists wait as well, and
 * has whatever failed meanwhile read again once the database is back.
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
        <p className="flex min-h-9 items-center justify-center gap-2 rounded-sm border border-warn-border bg-warn-bg px-3 py-1 text-warn-fg">
          <Glyph tone="warn" size={14} />
          <span>
            <Sentences since={since} />
          </span>
        </p>
      )}
    </div>
  );
}

function Sentences({ since }: { readonly since: number }) {
  const now = useNow();
  const time = (at: number) => clockText(at, 'medium');
  const waitsFrom = since + storeGrace;
  return now < waitsFrom
    ? `The database is not responding. Live lists and objects go on until ${time(waitsFrom)}; everything else is from ${time(since)} and cannot be changed until the database is back.`
    : `The database is not responding. Lists and objects are from ${time(waitsFrom)}, because the console cannot check what you may see; everything else is from ${time(since)}. Updates continue once the database is back.`;
}
