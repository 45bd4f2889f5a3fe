import { ownPath } from '../../registry/path.ts';

const key = 'wheelhouse.recents';
const limit = 12;

/** A place somebody was in. */
export interface RecentPlace {
  readonly href: string;
  /** Epoch ms. */
  readonly at: number;
}

/** Puts a place first; one entry for each, at most twelve. `keyOf` says which addresses are the same place. */
export function withRecent(
  recents: readonly RecentPlace[],
  place: RecentPlace,
  keyOf: (href: string) => string,
): readonly RecentPlace[] {
  return [place, ...recents.filter((one) => keyOf(one.href) !== keyOf(place.href))].slice(0, limit);
}

/** The stored places; whatever does not read as one is dropped. */
export function readRecents(text: string | null): readonly RecentPlace[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    if (!Array.isArray(value)) return [];
    return value.slice(0, limit).flatMap((one: unknown) => {
      if (typeof one !== 'object' || one === null) return [];
      const { href, at } = one as Record<string, unknown>;
      const own = ownPath(typeof href === 'string' ? href : null);
      return own === undefined || typeof at !== 'number' ? [] : [{ href: own, at }];
    });
  } catch {
    return [];
  }
}

/** This browser's recent places, kept for one person. */
export const recentsStore = {
  read: (storage: Pick<Storage, 'getItem'>, userId: number) =>
    readRecents(storage.getItem(`${key}.${userId}`)),
  write: (storage: Pick<Storage, 'setItem'>, userId: number, recents: readonly RecentPlace[]) =>
    storage.setItem(`${key}.${userId}`, JSON.stringify(recents)),
};
