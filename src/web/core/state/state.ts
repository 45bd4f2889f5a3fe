import { observable } from '@legendapp/state';
import { useCallback, useSyncExternalStore } from 'react';

/** A value that can be read and followed. */
export interface Readable<T> {
  readonly get: () => T;
  /** Calls the listener after each change; returns how to stop. */
  readonly subscribe: (listener: () => void) => () => void;
}

/**
 * A value the person's doing changes, readable from anywhere. Values are replaced, never mutated in place, so
 * that a new reference always means a change.
 */
export interface Cell<T> extends Readable<T> {
  readonly set: (value: T) => void;
  readonly update: (change: (value: T) => T) => void;
}

/** The part of an observable that is used here. */
interface Part<T> {
  peek(): T;
  set(value: T): unknown;
  onChange(listener: () => void, options: { readonly immediate: boolean }): () => void;
}

/**
 * Adds a listener that hears of a change at once, also of one that another listener makes.
 * An exception that reaches the library leaves its batch open, and no observable of the page notifies again: it is
 * reported here instead.
 */
function hear(part: Pick<Part<unknown>, 'onChange'>, listener: () => void): () => void {
  let isGone = false;
  const end = part.onChange(
    () => {
      // The library calls those too that left while it was notifying.
      if (isGone) return;
      try {
        listener();
      } catch (error) {
        reportError(error);
      }
    },
    { immediate: true },
  );
  return () => {
    isGone = true;
    end();
  };
}

/**
 * An observable of plain data: objects, arrays, text, numbers, truth values. Replacing it by an object whose members
 * are all identical tells nobody. For functions, elements, Maps, Sets and promises use `cell`: the library calls or
 * unwraps them.
 */
export function observed<T>(initial: T): Cell<T> {
  // The library's types describe each member of a value, which nothing known of T can fill.
  const part = observable<unknown>(initial) as unknown as Part<T>;
  const set = (value: T) => {
    if (!Object.is(value, part.peek())) part.set(value);
  };
  return {
    get: () => part.peek(),
    set,
    update: (change) => set(change(part.peek())),
    subscribe: (listener) => hear(part, listener),
  };
}

/** An observable of a value that the library must not look into. Every new reference is a change. */
export function cell<T>(initial: T): Cell<T> {
  const changes = observable(0);
  let current = initial;
  const set = (value: T) => {
    if (Object.is(value, current)) return;
    current = value;
    changes.set(changes.peek() + 1);
  };
  return {
    get: () => current,
    set,
    update: (change) => set(change(current)),
    subscribe: (listener) => hear(changes, listener),
  };
}

/** The value of a cell, or a part of it; the part must be a primitive or keep its identity. */
export function useCell<T, S = T>(source: Readable<T>, select?: (value: T) => S): S {
  const subscribe = useCallback((listener: () => void) => source.subscribe(listener), [source]);
  const read = () => (select === undefined ? (source.get() as unknown as S) : select(source.get()));
  return useSyncExternalStore(subscribe, read);
}
