let setupToken: string | undefined;

/** Takes the secret of a set-up link (`/login#setup=TOKEN`) out of the address and keeps it in memory alone. */
export function takeLinkToken(): void {
  const { pathname, search, hash } = location;
  if (hash === '') return;
  const token = new URLSearchParams(hash.slice(1)).get('setup');
  if (token !== null && token !== '') setupToken = token;
  history.replaceState(null, '', pathname + search);
}

/** The token of the set-up link this page was opened with, until it is used. */
export const linkToken = (): string | undefined => setupToken;

/** Forgets it. */
export function dropLinkToken(): void {
  setupToken = undefined;
}
