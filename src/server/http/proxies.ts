import type { FastifyInstance } from 'fastify';
import ipaddr from 'ipaddr.js';

/**
 * Whether an address belongs to a proxy whose X-Forwarded headers are believed (WHEELHOUSE_TRUSTED_PROXIES).
 * IPv4 addresses in IPv6 dress count as IPv4.
 * @param cidrs checked by the configuration; a malformed one throws
 */
export function createProxyTrust(cidrs: readonly string[]): (address: string) => boolean {
  const ranges = cidrs.map((cidr) => ipaddr.parseCIDR(cidr));
  return (address) => {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return ranges.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits));
  };
}

/** Says once in the log that somebody forwards requests who is not trusted to: most likely a proxy of one's own. */
export function installProxyHint(app: FastifyInstance, isTrusted: (address: string) => boolean): void {
  let isSaid = false;
  app.addHook('onRequest', (request, _reply, done) => {
    const peer = request.socket.remoteAddress ?? '';
    if (!isSaid && request.headers['x-forwarded-for'] !== undefined && !isTrusted(peer)) {
      isSaid = true;
      request.log.warn(
        { peer },
        "A request came with X-Forwarded-For from an address that is not trusted to say it; the peer's own address counts as the caller's, in the audit and for limits. If that is your proxy, name it in WHEELHOUSE_TRUSTED_PROXIES.",
      );
    }
    done();
  });
}

/** Whether an address is this machine's loopback. */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/**
 * The key of an address when attempts are counted: of IPv6 its /64, which is what one customer gets; of IPv4 the
 * address, also if it is written as IPv6.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const bytes = parsed.toByteArray().map((byte, index) => (index < 8 ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/64`;
}
