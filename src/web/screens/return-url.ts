import { splitHref } from '../../registry/path.ts';
import { consolePath } from '../workspace/link.ts';

/** Where a sign-in leads to while a hosted page that was paid waits to be told to the server. */
export const callbackPath = '/subscription/callback';

/**
 * The page that tells the server of a hosted page, for somebody who was on the way to another place.
 * @param place a path of the console; undefined for none
 */
export const callbackHref = (place: string | undefined): string =>
  place === undefined
    ? callbackPath
    : `${callbackPath}?${new URLSearchParams({ returnUrl: place }).toString()}`;

/** Home by both its names, and sign-in itself. */
const noBetter = new Set(['/', '/dashboard', '/login']);

/**
 * Where a sign-in leads to: the path that `returnUrl` of the sign-in page names; the place somebody was in where it names
 * none, or the app root, which is what every sign-in that knows of no better place asks for. Undefined: home.
 * @param address of the page that shows
 */
export function placeAfterSignIn(
  address: { readonly pathname: string; readonly search: string },
  remembered: string | undefined,
): string | undefined {
  const asked =
    address.pathname === '/login' ? new URLSearchParams(address.search).get('returnUrl') : undefined;
  return namedPlace(asked) ?? remembered;
}

/** The path of the console that a `returnUrl` names; undefined for one that names none, home or the sign-in itself. */
export function namedPlace(asked: string | null | undefined): string | undefined {
  const place = consolePath(asked);
  if (place === undefined || asked == null || noBetter.has(splitHref(place).pathname)) return undefined;
  // With the other tiles that it names, without its hash.
  const { pathname, search } = splitHref(asked);
  return pathname + search;
}
