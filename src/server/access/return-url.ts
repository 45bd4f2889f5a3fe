/**
 * The path that a sign-in may return to: one of this console, with search and hash. Undefined for anything that a browser
 * would take elsewhere (`//host`, `/\host`, a scheme, control characters that browsers drop).
 */
export function localPath(returnUrl: string | undefined): string | undefined {
  if (returnUrl === undefined || !/^\/(?![/\\])[^\p{Cc}\\]*$/u.test(returnUrl)) return undefined;
  const base = 'http://console.invalid';
  if (!URL.canParse(returnUrl, base)) return undefined;
  const url = new URL(returnUrl, base);
  return url.origin === base ? url.pathname + url.search + url.hash : undefined;
}
