import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApp } from '../../app/context.ts';
import { liveKey } from '../queries.ts';
import type { ListTarget } from './live.ts';
import type { LiveList } from './rows.ts';

/** A list nobody looks at is followed for so long (ms). */
const pauseAfter = 30_000;
/** What was seen of a list is kept so long after nobody follows it (ms). */
const keepFor = 10 * 60_000;

/**
 * The rows of a list, kept current while somebody looks. Half a minute after the view or the browser's tab is hidden
 * the list is no longer followed; it says since when until it is complete again.
 */
export function useLiveList(
  { clusterId, kind, namespace, window }: ListTarget,
  isVisible: boolean,
): LiveList | undefined {
  const { live, queryClient } = useApp();
  const isSeen = useSeen() && isVisible;
  const isActive = useLasting(isSeen, pauseAfter);

  useEffect(() => {
    if (!isActive) return undefined;
    const target: ListTarget = { clusterId, kind, namespace, window };
    const key = liveKey(clusterId, kind, namespace);
    const end = live.follow(target, queryClient.getQueryData<LiveList>(key));
    return () => {
      end();
      if (live.isFollowed(target)) return;
      const pausedAt = new Date().toISOString();
      queryClient.setQueryData<LiveList>(key, (list) =>
        list === undefined ? undefined : { ...list, pausedAt },
      );
    };
  }, [live, queryClient, clusterId, kind, namespace, window, isActive]);

  const { data } = useQuery<LiveList>({
    queryKey: liveKey(clusterId, kind, namespace),
    queryFn: skipToken,
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: keepFor,
  });
  return data;
}

/** Whether the browser's tab is in front. */
function useSeen(): boolean {
  const [isSeen, setSeen] = useState(() => !document.hidden);
  useEffect(() => {
    const listen = () => setSeen(!document.hidden);
    document.addEventListener('visibilitychange', listen);
    return () => document.removeEventListener('visibilitychange', listen);
  }, []);
  return isSeen;
}

/** Follows `value`, but turns false only after it has been false for `ms`. */
function useLasting(value: boolean, ms: number): boolean {
  const [isOver, setOver] = useState(!value);
  if (value && isOver) setOver(false);
  useEffect(() => {
    if (value) return undefined;
    const timer = setTimeout(() => setOver(true), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return value || !isOver;
}
