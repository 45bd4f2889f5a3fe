import { splitHref } from '../../registry/path.ts';
import { consolePath } from '../workspace/link.ts';

/** Where a sign-in leads to while a hosted page that was paid waits to be told to the server. */
export const callbackPath = '/subscription/callback';

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
  const place = consolePath(asked);
  if (place === undefined || asked == null || noBetter.has(splitHref(place).pathname)) return remembered;
  // With the other tiles that it names, without its hash.
  const { pathname, search } = splitHref(asked);
  return pathname + search;
}
