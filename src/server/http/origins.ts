import type { IncomingHttpHeaders } from 'node:http';
import type { CookiePlace } from '../../contract/cookies.ts';
import { Problem } from '../../contract/problem.ts';
import type { Config } from '../kit/config.ts';

/** Where this console lives, as browsers see it. */
export interface Origins {
  /** Whether people reach it over https. */
  readonly isSecure: boolean;
  /** Protocol and port as browsers see them. */
  readonly place: () => CookiePlace;
  /** Whether a Host header names this console. Any other is a foreign name that was pointed at this address. */
  isOwnHost(host: string): boolean;
  isOwnOrigin(origin: string): boolean;
  /** The origin of who came by one of the console's own hosts. */
  originOf(host: string): string;
  /** In words, for messages. */
  readonly shown: string;
  /** The message for people who came under another host name. */
  readonly misdirected: string;
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The origin of WHEELHOUSE_URL; without it the loopback names with the port listened on are one origin.
 * @param port read on every question: it is known only once the server listens
 */
export function createOrigins(config: Pick<Config, 'url' | 'host'>, port: () => number): Origins {
  const { url } = config;
  const names = new Set([...loopbackNames, config.host]);
  const isLoopback = (host: string) => {
    const address = `http://${host}`;
    if (!URL.canParse(address)) return false;
    const parsed = new URL(address);
    // A host with anything beside name and port (a path, a user) is not what a browser sends.
    return parsed.host !== '' && `${parsed.origin}/` === parsed.href
      ? names.has(parsed.hostname) && Number(parsed.port === '' ? 80 : parsed.port) === port()
      : false;
  };
  return {
    isSecure: url?.protocol === 'https:',
    place: () => (url === null ? { protocol: 'http:', port: String(port()) } : url),
    isOwnHost: (host) => (url !== null && host.toLowerCase() === url.host) || isLoopback(host),
    isOwnOrigin: (origin) => {
      if (url !== null) return origin === url.origin;
      return origin.startsWith('http://') && isLoopback(origin.slice('http://'.length));
    },
    originOf: (host) => url?.origin ?? `http://${host}`,
    shown: url?.origin ?? 'the address that was printed at start',
    misdirected:
      url === null
        ? 'This console answers on its own machine only, at the address that was printed at start. Its operator opens it to others with WHEELHOUSE_URL.'
        : `This console is at ${url.origin} and answers under no other name. A proxy in front of it must pass on the Host header.`,
  };
}

/**
 * Throws Problem 403 unless a request says that one of our own pages made it: by Origin, by Sec-Fetch-Site, and where
 * both are there by both. A request with neither is refused as well.
 */
export function requireSameOrigin(headers: IncomingHttpHeaders, origins: Origins): void {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  const isOwn =
    (site !== undefined || origin !== undefined) &&
    (site === undefined || site === 'same-origin') &&
    (origin === undefined || origins.isOwnOrigin(origin));
  if (!isOwn) {
    throw new Problem({
      status: 403,
      title: `This request did not come from a page of this console. Open the console at ${origins.shown} and try again there.`,
    });
  }
}

/** Whether the browser says that a page of another site, or a redirect by one, sent it here. */
export function isSentByOthers(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}
