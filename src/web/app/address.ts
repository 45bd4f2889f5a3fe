let setupToken: string | undefined;

/**
 * Puts the browser's address in order before anything reads it: the secret of a set-up link (`/login#setup=TOKEN`) is
 * taken out and kept in memory alone, and `/dashboard`, where payment returns to, is home.
 */
export function tidyAddress(): void {
  const { pathname, search, hash } = location;
  const token = new URLSearchParams(hash.slice(1)).get('setup');
  if (token !== null && token !== '') setupToken = token;
  const isHome = pathname === '/dashboard';
  if (hash !== '' || isHome) history.replaceState(null, '', isHome ? '/' : pathname + search);
}

/** The token of the set-up link this page was opened with, until it is used. */
export const linkToken = (): string | undefined => setupToken;

/** Forgets it. */
export function dropLinkToken(): void {
  setupToken = undefined;
}
