import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApp } from '../../app/context.ts';
import { type DataOf, liveKey, type Target } from './targets.ts';

/** What nobody looks at is followed for so long (ms). */
const pauseAfter = 30_000;
/** What was seen is kept so long after nobody follows it (ms). */
const keepFor = 10 * 60_000;

/**
 * What is known of a target, kept current while somebody looks; nothing for no target. Half a minute after the view or
 * the browser's tab is hidden it is no longer followed; it says since when until it is complete again.
 */
export function useLive<T extends Target>(target: T | undefined, isVisible: boolean): DataOf<T> | undefined {
  const { live, queryClient } = useApp();
  const isSeen = useSeen() && isVisible;
  const isActive = useLasting(isSeen, pauseAfter);
  // Targets are made anew at each render: their content is what counts.
  const text = JSON.stringify(target);
  const [held, setHeld] = useState({ text, target });
  if (held.text !== text) setHeld({ text, target });
  const wanted = held.text === text ? held.target : target;

  useEffect(() => {
    if (!isActive || wanted === undefined) return undefined;
    const key = liveKey(wanted);
    const end = live.follow(wanted, queryClient.getQueryData<DataOf<T>>(key));
    return () => {
      end();
      if (live.isFollowed(wanted)) return;
      const pausedAt = new Date().toISOString();
      queryClient.setQueryData<DataOf<T>>(key, (data) =>
        data === undefined ? undefined : { ...data, pausedAt },
      );
    };
  }, [live, queryClient, wanted, isActive]);

  const { data } = useQuery<DataOf<T>>({
    queryKey: wanted === undefined ? ['live-nothing'] : liveKey(wanted),
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
