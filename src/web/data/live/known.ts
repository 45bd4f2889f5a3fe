import { type DataOf, type LiveData, type Target, targetKey } from './targets.ts';

/** Data is kept for this long after its last listener has gone, ms. */
const keptFor = 10 * 60_000;

/** The data of live targets. Data handed on replaces what was there; rows of lists change in their stores. */
export interface KnownData {
  get<T extends Target>(target: T): DataOf<T> | undefined;
  put<T extends Target>(target: T, data: DataOf<T>): void;
  /**
   * Calls the listener after each change; returns a function that removes it. Data without listeners is dropped after a
   * while.
   */
  subscribe(target: Target, listener: () => void): () => void;
  /** Forgets everything: somebody else may sign in. */
  clear(): void;
}

interface Entry {
  data: LiveData | undefined;
  readonly listeners: Set<() => void>;
  callOff: (() => void) | undefined;
}

/** @param later runs something later; answers how to call it off */
export function createKnownData(later: (run: () => void, ms: number) => () => void): KnownData {
  const entries = new Map<string, Entry>();
  const entryOf = (key: string): Entry => {
    const known = entries.get(key);
    if (known !== undefined) return known;
    const made: Entry = { data: undefined, listeners: new Set(), callOff: undefined };
    entries.set(key, made);
    return made;
  };
  const keep = (key: string, entry: Entry) => {
    entry.callOff?.();
    entry.callOff = entry.listeners.size > 0 ? undefined : later(() => entries.delete(key), keptFor);
  };
  const tell = ({ listeners }: Entry) => {
    for (const listener of listeners) listener();
  };
  return {
    // The cast holds: data is put under a target by a message about that target.
    get: <T extends Target>(target: T) => entries.get(targetKey(target))?.data as DataOf<T> | undefined,
    put: (target, data) => {
      const key = targetKey(target);
      const entry = entryOf(key);
      if (entry.data === data) return;
      entry.data = data;
      if (entry.listeners.size === 0) keep(key, entry);
      tell(entry);
    },
    subscribe: (target, listener) => {
      const key = targetKey(target);
      const entry = entryOf(key);
      entry.listeners.add(listener);
      keep(key, entry);
      return () => {
        if (entry.listeners.delete(listener)) keep(key, entry);
      };
    },
    clear: () => {
      for (const [key, entry] of entries) {
        entry.data = undefined;
        keep(key, entry);
        tell(entry);
      }
    },
  };
}
