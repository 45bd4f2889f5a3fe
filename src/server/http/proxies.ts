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

/**
 * What stands for an address when tries are counted: IPv6 by its /64, which is what one customer gets; IPv4 as it is,
 * also in IPv6 dress.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const bytes = parsed.toByteArray().map((byte, index) => (index < 8 ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/64`;
}
