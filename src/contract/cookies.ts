/** The parts of an origin as in `location` and `URL`. */
export interface CookiePlace {
  /** With the trailing colon. */
  readonly protocol: string;
  /** Empty for the protocol's default port. */
  readonly port: string;
}

/**
 * Name of the cookie that the page reads and sends back as `X-XSRF-TOKEN`. Browsers share cookies between ports: over
 * plain http, where several consoles may run on one machine, the name contains the port.
 */
export function xsrfCookieName({ protocol, port }: CookiePlace): string {
  return protocol === 'https:' ? 'XSRF-TOKEN' : `XSRF-TOKEN-${port || '80'}`;
}

/**
 * Name of the cookie that identifies a browser in which somebody has signed in before; follows the session cookie's
 * rule.
 */
export function deviceCookieName({ protocol, port }: CookiePlace): string {
  return protocol === 'https:' ? '__Host-device' : `device-${port || '80'}`;
}

/** Name of the cookie of a browser that waits for an identity provider; follows the session cookie's rule. */
export function signInCookieName({ protocol, port }: CookiePlace): string {
  return protocol === 'https:' ? '__Host-sign-in' : `sign-in-${port || '80'}`;
}

/**
 * Name of the session cookie. Browsers accept the prefix `__Host-` over https only; over plain http the name contains
 * the port.
 */
export function sessionCookieName({ protocol, port }: CookiePlace): string {
  return protocol === 'https:' ? '__Host-sid' : `sid-${port || '80'}`;
}
