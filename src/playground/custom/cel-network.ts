import { CIDR, IP, isAddress, properties, readCIDR, readIP } from './cel-address.ts';
import { attempt, type CelExtension, succeeds } from './cel-extension.ts';

/** The type of the constant `ip`. */
class Addresses {
  readonly name = 'ip';
}

/** Kubernetes' functions of IP addresses and CIDR ranges. */
export const network: CelExtension = {
  types: { 'net.IP': IP, 'net.CIDR': CIDR, 'kubernetes.Addresses': Addresses },
  constants: [['ip', 'kubernetes.Addresses', new Addresses()]],
  comparable: ['net.IP', 'net.CIDR'],
  functions: {
    'isIP(string): bool': isAddress,
    'ip(string): net.IP': (text: string) => attempt(() => readIP(text)),
    'string(net.IP): string': String,
    'net.IP.family(): int': ({ family }: IP) => BigInt(family),
    ...Object.fromEntries(Object.entries(properties).map(([name, is]) => [`net.IP.${name}(): bool`, is])),
    'kubernetes.Addresses.isCanonical(string): bool': (_of: Addresses, text: string) =>
      attempt(() => readIP(text)).toString() === text,

    'isCIDR(string): bool': (text: string) => succeeds(() => readCIDR(text)),
    'cidr(string): net.CIDR': (text: string) => attempt(() => readCIDR(text)),
    'string(net.CIDR): string': String,
    'net.CIDR.containsIP(net.IP): bool': (range: CIDR, ip: IP) => range.holds(ip),
    'net.CIDR.containsIP(string): bool': (range: CIDR, text: string) =>
      range.holds(attempt(() => readIP(text))),
    'net.CIDR.containsCIDR(net.CIDR): bool': (range: CIDR, other: CIDR) =>
      other.length >= range.length && range.holds(other.ip),
    'net.CIDR.containsCIDR(string): bool': (range: CIDR, text: string) => {
      const other = attempt(() => readCIDR(text));
      return other.length >= range.length && range.holds(other.ip);
    },
    'net.CIDR.ip(): net.IP': ({ ip }: CIDR) => ip,
    'net.CIDR.prefixLength(): int': ({ length }: CIDR) => BigInt(length),
    'net.CIDR.masked(): net.CIDR': (range: CIDR) => range.masked(),
  },
};
