import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { useData } from '../port.ts';
import type { DataOf, Target } from './targets.ts';

/** Updates stop after a view has been hidden for this long, ms. */
const pauseAfter = 30_000;

/**
 * The data of a target, kept current while its view is visible; undefined without a target. Half a minute after the
 * view or the browser's tab is hidden, updates stop; `pausedAt` says since when, until the data is complete again.
 */
export function useLive<T extends Target>(target: T | undefined, isVisible: boolean): DataOf<T> | undefined {
  const { live, known } = useData();
  const isSeen = useSeen() && isVisible;
  const isActive = useLasting(isSeen, pauseAfter);
  // Targets are made anew at each render: their content is what counts.
  const text = JSON.stringify(target);
  const [held, setHeld] = useState({ text, target });
  if (held.text !== text) setHeld({ text, target });
  const wanted = held.text === text ? held.target : target;

  useEffect(() => {
    if (!isActive || wanted === undefined) return undefined;
    const end = live.follow(wanted, known.get(wanted));
    return () => {
      end();
      if (live.isFollowed(wanted)) return;
      const data = known.get(wanted);
      if (data !== undefined) known.put(wanted, { ...data, pausedAt: new Date().toISOString() });
    };
  }, [live, known, wanted, isActive]);

  const subscribe = useCallback(
    (listener: () => void) => (wanted === undefined ? () => {} : known.subscribe(wanted, listener)),
    [known, wanted],
  );
  return useSyncExternalStore(subscribe, () => (wanted === undefined ? undefined : known.get(wanted)));
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
