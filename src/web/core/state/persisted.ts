import { type Cell, observed } from './state.ts';

/** How a value is kept in this browser as text. */
export interface PersistedValue<T> {
  readonly key: string;
  /**
   * Reads what is stored; null when nothing is. Text of another version, or that does not parse, gives the default.
   * @param present the value of this page once it has one: its parts that are not stored stay
   */
  readonly read: (text: string | null, present?: T) => T;
  /** The text to store, with its version; null to store nothing. */
  readonly write: (value: T) => string | null;
}

/** Where values are kept. */
export interface Keeper {
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** Tells of what other pages of this browser stored; undefined outside of a browser. */
  readonly changes?: Pick<Window, 'addEventListener'>;
  /** A value could not be stored: the storage is full or switched off. It still holds on this page. */
  readonly onUnkept: (key: string, error: unknown) => void;
}

/**
 * An observable of plain data that begins with what this browser has stored, is stored at each change, and follows
 * what the browser's other pages store.
 */
export function persisted<T>(
  { key, read, write }: PersistedValue<T>,
  { storage, changes, onUnkept }: Keeper,
): Cell<T> {
  const stored = storage.getItem(key);
  const value = observed(read(stored));
  // A value that was read from the storage is not stored again.
  let known = stored;
  value.subscribe(() => {
    const text = write(value.get());
    if (text === known) return;
    try {
      if (text === null) storage.removeItem(key);
      else storage.setItem(key, text);
      known = text;
    } catch (error) {
      onUnkept(key, error);
    }
  });
  changes?.addEventListener('storage', (event) => {
    // Without a key everything was cleared.
    if (event.storageArea !== storage || (event.key !== key && event.key !== null)) return;
    known = event.newValue;
    value.set(read(event.newValue, value.get()));
  });
  return value;
}
