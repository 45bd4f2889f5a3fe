import { ownPath, splitHref } from '../../registry/path.ts';

const key = 'wheelhouse.place';

/** The parts of a storage used here. */
export type PlaceStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Remembers the place somebody was in when they had to sign in. */
export function rememberPlace(storage: PlaceStorage, href: string): void {
  if (splitHref(href).pathname !== '/login') storage.setItem(key, href);
}

/** The remembered place; only ever a path of this console. It stays until `forgetPlace`. */
export function rememberedPlace(storage: PlaceStorage): string | undefined {
  return ownPath(storage.getItem(key));
}

/** Forgets it: it has been reopened, or the person left on purpose. */
export function forgetPlace(storage: PlaceStorage): void {
  storage.removeItem(key);
}
