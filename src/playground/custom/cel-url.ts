import { type CelExtension, LibraryError, succeeds } from './cel-extension.ts';

const urlPattern = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/(?:[^/?#@]*@)?([^/?#]*))?([^?#]*)(?:\?([^#]*))?/;

/** A URL as Go's url.ParseRequestURI accepts it: absolute, or an absolute path. Throws LibraryError. */
export class Link {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  constructor(text: string) {
    const [, scheme = '', host = '', path = '', query = ''] = urlPattern.exec(text) ?? [];
    const refuse = (why: string) => {
      const message = `URL parse error during conversion from string: parse ${JSON.stringify(text)}: ${why}`;
      return new LibraryError(message);
    };
    if (text === '') throw refuse('empty url');
    if (scheme === '' && text.startsWith(':')) throw refuse('missing protocol scheme');
    if (scheme === '' && !text.startsWith('/')) throw refuse('invalid URI for request');
    if (/[\s\p{Cc}]/u.test(text)) throw refuse('net/url: invalid control character in URL');
    const port = /:([^\]]*)$/.exec(host)?.[1];
    if (port !== undefined && !/^\d*$/.test(port))
      throw refuse(`invalid port ${JSON.stringify(`:${port}`)} after host`);
    [this.scheme, this.host, this.path, this.query] = [scheme.toLowerCase(), host, path, query];
  }
}
const hostname = ({ host }: Link) => host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');

function queryOf({ query }: Link): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [key, value] of new URLSearchParams(query)) found.set(key, [...(found.get(key) ?? []), value]);
  return found;
}

/** Kubernetes' functions of URLs. */
export const urls: CelExtension = {
  types: { 'kubernetes.URL': Link },
  comparable: ['kubernetes.URL'],
  functions: {
    'isURL(string): bool': (text: string) => succeeds(() => new Link(text)),
    'url(string): kubernetes.URL': (text: string) => new Link(text),
    'kubernetes.URL.getScheme(): string': ({ scheme }: Link) => scheme,
    'kubernetes.URL.getHost(): string': ({ host }: Link) => host,
    'kubernetes.URL.getHostname(): string': hostname,
    'kubernetes.URL.getPort(): string': ({ host }: Link) => /:(\d+)$/.exec(host)?.[1] ?? '',
    'kubernetes.URL.getEscapedPath(): string': ({ path }: Link) => encodeURI(decodeURI(path)),
    'kubernetes.URL.getQuery(): map<string, list<string>>': queryOf,
  },
};
