import { useCallback, useSyncExternalStore } from 'react';

/**
 * A value the person's doing changes, readable from anywhere. Values are replaced, never mutated in place, so
 * that a new reference always means a change.
 */
export interface Cell<T> {
  readonly get: () => T;
  readonly set: (value: T) => void;
  readonly update: (change: (value: T) => T) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

/**
 * Makes a cell. Listeners hear of a change at once and in the order they came; one that goes meanwhile hears no more.
 * A library for this (Legend-State) weighs 9 KB on the page's first load and would be asked for nothing else.
 */
export function cell<T>(initial: T): Cell<T> {
  const listeners = new Set<() => void>();
  let current = initial;
  const set = (value: T) => {
    if (Object.is(value, current)) return;
    current = value;
    for (const listener of listeners) listener();
  };
  return {
    get: () => current,
    set,
    update: (change) => set(change(current)),
    subscribe: (listener) => {
      // A function of its own, so that one listener may be added twice.
      const hear = () => listener();
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
  };
}

/** The value of a cell, or a part of it; the part must be a primitive or keep its identity. */
export function useCell<T, S = T>(source: Cell<T>, select?: (value: T) => S): S {
  const subscribe = useCallback((listener: () => void) => source.subscribe(listener), [source]);
  const read = () => (select === undefined ? (source.get() as unknown as S) : select(source.get()));
  return useSyncExternalStore(subscribe, read);
}
