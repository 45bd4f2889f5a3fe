import { useSyncExternalStore } from 'react';

let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const one of listeners) one();
  }, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The page's clock in ms, ticking once a second for everybody at once. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

const noSubscription = () => () => undefined;

/** The page's clock in whole seconds while it is wanted; undefined while it is not. */
export function useSeconds(isWanted: boolean): number | undefined {
  return useSyncExternalStore(isWanted ? subscribe : noSubscription, () =>
    isWanted ? Math.floor(now / 1_000) : undefined,
  );
}
