/** An origin as `location` and `URL` give its parts. */
export interface CookiePlace {
  /** With the colon. */
  readonly protocol: string;
  /** Empty for the protocol's own. */
  readonly port: string;
}

/**
 * Name of the cookie that the page reads and sends back as `X-XSRF-TOKEN`. Cookies are not kept apart by port: over
 * plain http, where several consoles may run on one machine, the name says it.
 */
export function xsrfCookieName({ protocol, port }: CookiePlace): string {
  return protocol === 'https:' ? 'XSRF-TOKEN' : `XSRF-TOKEN-${port || '80'}`;
}

/** Name of the cookie by which a browser is known that has signed in before; named as the session's. */
export function deviceCookieName({ protocol, port }: CookiePlace): string {
  return protocol === 'https:' ? '__Host-device' : `device-${port || '80'}`;
}

/** Name of the session's cookie: only over https may one be called `__Host-`; over plain http it says the port. */
export function sessionCookieName({ protocol, port }: CookiePlace): string {
  return protocol === 'https:' ? '__Host-sid' : `sid-${port || '80'}`;
}
