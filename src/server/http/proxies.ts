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

/** Whether an address is this machine's loopback. */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}
