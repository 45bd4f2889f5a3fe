import { useEffect, useRef } from 'react';
import type { RequestState } from '../../contract/access-requests.ts';
import { useCommands } from '../core/commands.ts';
import { useData } from '../data/port.ts';
import { newsOf } from '../frame/access-text.ts';
import { useAccessRequests, useServerNow } from '../frame/use-access.ts';
import { clockText } from '../kit/date-time.ts';

/** Says what becomes of the person's own requests: how they were decided, and when what they gave ends. */
export function AccessNews() {
  const { services } = useCommands();
  const { queries, queryClient } = useData();
  const requests = useAccessRequests();
  const now = useServerNow();
  const known = useRef<ReadonlyMap<number, RequestState> | undefined>(undefined);
  useEffect(() => {
    if (requests === undefined) return;
    const before = known.current;
    const own = requests.filter(({ isOwn }) => isOwn);
    known.current = new Map(own.map(({ id, state }) => [id, state]));
    for (const request of own) {
      const former = before?.get(request.id);
      if (former === undefined || former === request.state) continue;
      const at = request.endsAt === null ? '' : clockText(request.endsAt, 'short');
      const news = newsOf(request, at);
      if (news === undefined) continue;
      if (request.state === 'active') services.toast.success(news);
      else services.toast.info(news, { duration: Number.POSITIVE_INFINITY });
    }
  }, [requests, services]);
  // The server tells of an ending with all changes of grants; a notice that was lost is made up for here.
  const isOver = requests?.some(
    ({ isOwn, state, endsAt }) =>
      isOwn && state === 'active' && endsAt !== null && Date.parse(endsAt) + 1_000 < now,
  );
  useEffect(() => {
    if (isOver !== true) return;
    void queryClient.invalidateQueries({ queryKey: queries.accessRequests.queryKey });
    void queryClient.invalidateQueries({ queryKey: ['permissions'] });
  }, [isOver, queries, queryClient]);
  return null;
}
