import { membersOf, parseStored } from '../core/state/stored.ts';
import type { PlaceStorage } from './remember.ts';

const key = 'wheelhouse.lapse';
const version = 1;

/**
 * A call was answered 401 while somebody worked here: why this page shows sign-in. It lasts until the person goes on,
 * so that no page returns by itself to the call that was refused.
 */
export interface Lapse {
  /** Whose session it was. */
  readonly userId: number;
  /** The server's message, one sentence. */
  readonly title: string;
  /** When, in ms: tells one lapse from another. */
  readonly at: number;
  /** Whether this very page met it. One that was loaded since has asked who is signed in. */
  readonly isFresh: boolean;
}

/** The lapse that this browser tab met before the page was loaded. */
export function storedLapse(storage: PlaceStorage): Lapse | undefined {
  const { userId, title, at } = membersOf(parseStored(storage.getItem(key)), version);
  if (typeof userId !== 'number' || typeof title !== 'string' || typeof at !== 'number') return undefined;
  return { userId, title, at, isFresh: false };
}

/** Keeps a lapse over a reload, or forgets it. */
export function storeLapse(storage: PlaceStorage, lapse: Lapse | undefined): void {
  if (lapse === undefined) storage.removeItem(key);
  else {
    const { userId, title, at } = lapse;
    storage.setItem(key, JSON.stringify({ version, userId, title, at }));
  }
}
