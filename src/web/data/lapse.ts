import type { PlaceStorage } from './remember.ts';

const key = 'wheelhouse.lapse';

/**
 * A call was answered 401 while somebody worked here: why this page shows sign-in. It lasts until they go on, so that
 * no page leads back by itself to the call that is refused.
 */
export interface Lapse {
  /** Whose session it was. */
  readonly userId: number;
  /** What the server said, one sentence. */
  readonly title: string;
  /** When, in ms: tells one lapse from another. */
  readonly at: number;
  /** Whether this very page met it. One that was loaded since has asked who is signed in. */
  readonly isFresh: boolean;
}

/** The lapse that this browser tab met before the page was loaded. */
export function storedLapse(storage: PlaceStorage): Lapse | undefined {
  try {
    const stored: unknown = JSON.parse(storage.getItem(key) ?? 'null');
    if (typeof stored !== 'object' || stored === null) return undefined;
    const { userId, title, at } = stored as Partial<Record<string, unknown>>;
    if (typeof userId !== 'number' || typeof title !== 'string' || typeof at !== 'number') return undefined;
    return { userId, title, at, isFresh: false };
  } catch {
    return undefined;
  }
}

/** Keeps a lapse over a reload, or forgets it. */
export function storeLapse(storage: PlaceStorage, lapse: Lapse | undefined): void {
  if (lapse === undefined) storage.removeItem(key);
  else storage.setItem(key, JSON.stringify({ userId: lapse.userId, title: lapse.title, at: lapse.at }));
}
