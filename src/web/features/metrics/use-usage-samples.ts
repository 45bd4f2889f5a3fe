import { useCallback, useSyncExternalStore } from 'react';
import { useData } from '../../data/port.ts';
import type { ApiClient } from '../../data/client.ts';
import { createUsageStore, type ShownSamples, type UsageStore } from './usage-store.ts';

/** One store for each list of a page. */
const stores = new WeakMap<ApiClient, Map<string, UsageStore>>();

function useStore(list: string): UsageStore {
  const { api } = useData();
  const ofApi = stores.get(api) ?? new Map<string, UsageStore>();
  stores.set(api, ofApi);
  const store = ofApi.get(list) ?? createUsageStore(list, api);
  ofApi.set(list, store);
  return store;
}

/** The recent usage of an object; read while its row is visible. */
export function useUsageSamples(list: string, namespace: string, name: string): ShownSamples | undefined {
  const store = useStore(list);
  const place = `${namespace}/${name}`;
  const watch = useCallback((listener: () => void) => store.watch(place, listener), [store, place]);
  return useSyncExternalStore(watch, () => store.of(place));
}

/** Why the usage of a list's objects is not known; null where it is. */
export function useUsageMessage(list: string): string | null {
  const store = useStore(list);
  const watch = useCallback((listener: () => void) => store.watch(undefined, listener), [store]);
  return useSyncExternalStore(watch, () => store.message());
}
