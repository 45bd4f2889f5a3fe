import { isIPv6 } from 'node:net';

/**
 * An address for servers, `host:port`; an IPv6 one may have brackets around it, and none where a chart puts the two
 * together. Undefined for anything else.
 */
export function parsePeerAddress(text: string): { readonly host: string; readonly port: number } | undefined {
  const match = /^(\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z.-]{1,253}|[0-9A-Fa-f:.]+):(\d{1,5})$/.exec(text);
  const host = match?.[1]?.replace(/^\[(.*)\]$/, '$1');
  const port = Number(match?.[2]);
  const isHost = host !== undefined && (isIPv6(host) || !host.includes(':'));
  return !isHost || port > 65_535 ? undefined : { host, port };
}
