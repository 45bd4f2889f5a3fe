import { observable } from '@legendapp/state';
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

/** Makes a cell. The library's observable stays behind this facade: it mutates in place and is a beta. */
export function cell<T>(initial: T): Cell<T> {
  // Boxed, so that the library compares references and never walks into the value.
  const box = observable<{ version: number }>({ version: 0 });
  let current = initial;
  const set = (value: T) => {
    if (Object.is(value, current)) return;
    current = value;
    box.version.set(box.version.peek() + 1);
  };
  return {
    get: () => current,
    set,
    update: (change) => set(change(current)),
    subscribe: (listener) => box.version.onChange(() => listener()),
  };
}

/** The value of a cell, or a part of it; the part must be a primitive or keep its identity. */
export function useCell<T, S = T>(source: Cell<T>, select?: (value: T) => S): S {
  const subscribe = useCallback((listener: () => void) => source.subscribe(listener), [source]);
  const read = () => (select === undefined ? (source.get() as unknown as S) : select(source.get()));
  return useSyncExternalStore(subscribe, read);
}
