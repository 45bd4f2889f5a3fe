import { isIP } from 'node:net';

/** An address or range that cannot be parsed; the message is the server's. */
export class AddressError extends Error {}

/** An IPv6 address in canonical form: WHATWG URLs print it as Go does. */
const sixth = (text: string) => new URL(`http://[${text}]`).hostname.slice(1, -1);

function toNumber(text: string, family: number): bigint {
  if (family === 4) return text.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
  const [head = '', tail] = sixth(text).split('::');
  const words = (part: string) => (part === '' ? [] : part.split(':').map((word) => BigInt(`0x${word}`)));
  const [before, after] = [words(head), words(tail ?? '')];
  const gap = tail === undefined ? 0 : 8 - before.length - after.length;
  const all = [...before, ...Array.from({ length: gap }, () => 0n), ...after];
  return all.reduce((sum, word) => (sum << 16n) | word, 0n);
}

function toText(value: bigint, family: number): string {
  const size = family === 4 ? 8n : 16n;
  const count = family === 4 ? 4 : 8;
  const parts = Array.from({ length: count }, (_, index) => {
    const part = (value >> (size * BigInt(count - 1 - index))) & ((1n << size) - 1n);
    return part.toString(family === 4 ? 10 : 16);
  });
  return family === 4 ? parts.join('.') : sixth(parts.join(':'));
}

const mapped = (value: bigint, family: number) => family === 6 && value >> 32n === 0xffffn;

/** An IP address. */
export class IP {
  readonly family: 4 | 6;
  readonly value: bigint;

  constructor(family: 4 | 6, value: bigint) {
    this.family = family;
    this.value = value;
  }

  get bits(): number {
    return this.family === 4 ? 32 : 128;
  }

  /** Whether the first `bits` bits of the address are `prefix`. */
  begins(bits: number, prefix: bigint): boolean {
    return this.value >> BigInt(this.bits - bits) === prefix;
  }

  toString(): string {
    return toText(this.value, this.family);
  }
}

/** Parses an address. Throws AddressError. */
export function readIP(text: string): IP {
  const family = isIP(text);
  const refuse = (why: string) => new AddressError(why);
  if (text.includes('%')) {
    throw refuse(`IP address ${JSON.stringify(text)} with zone value is not allowed`);
  }
  if (family !== 4 && family !== 6) {
    const why = `ParseAddr(${JSON.stringify(text)}): unable to parse IP`;
    throw refuse(`IP Address ${JSON.stringify(text)} parse error during conversion from string: ${why}`);
  }
  const value = toNumber(text, family);
  if (mapped(value, family)) {
    throw refuse(`IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`);
  }
  return new IP(family, value);
}

/** Whether a text is an address. */
export function isAddress(text: string): boolean {
  try {
    readIP(text);
    return true;
  } catch {
    return false;
  }
}

/** Predicates on addresses, by CEL function name. */
export const properties: Readonly<Record<string, (ip: IP) => boolean>> = {
  isUnspecified: ({ value }) => value === 0n,
  isLoopback: (ip) => (ip.family === 4 ? ip.begins(8, 127n) : ip.value === 1n),
  isLinkLocalMulticast: (ip) =>
    ip.family === 4 ? ip.begins(24, 0xe00000n) : ip.begins(8, 0xffn) && ((ip.value >> 112n) & 0xfn) === 2n,
  isLinkLocalUnicast: (ip) => (ip.family === 4 ? ip.begins(16, 0xa9fen) : ip.begins(10, 0x3fan)),
  isGlobalUnicast: (ip) =>
    ip.value !== 0n &&
    !(ip.family === 4 && ip.value === 0xffffffffn) &&
    !properties['isLoopback']?.(ip) &&
    !(ip.family === 4 ? ip.begins(4, 0xen) : ip.begins(8, 0xffn)) &&
    !properties['isLinkLocalUnicast']?.(ip),
};

/** A CIDR range. */
export class CIDR {
  readonly ip: IP;
  readonly length: number;

  constructor(ip: IP, length: number) {
    this.ip = ip;
    this.length = length;
  }

  /** The range with the host bits of its address set to zero. */
  masked(): CIDR {
    const rest = BigInt(this.ip.bits - this.length);
    return new CIDR(new IP(this.ip.family, (this.ip.value >> rest) << rest), this.length);
  }

  holds(ip: IP): boolean {
    const rest = BigInt(this.ip.bits - this.length);
    return ip.family === this.ip.family && ip.value >> rest === this.ip.value >> rest;
  }

  toString(): string {
    return `${this.ip.toString()}/${this.length}`;
  }
}

/** Parses a CIDR range. Throws AddressError. */
export function readCIDR(text: string): CIDR {
  const refuse = (why: string) =>
    new AddressError(
      `network address parse error during conversion from string: netip.ParsePrefix(${JSON.stringify(text)}): ${why}`,
    );
  const slash = text.lastIndexOf('/');
  if (slash < 0) throw refuse("no '/'");
  const [start, bits] = [text.slice(0, slash), text.slice(slash + 1)];
  if (!isAddress(start)) throw refuse(`ParseAddr(${JSON.stringify(start)}): unable to parse IP`);
  const ip = readIP(start);
  if (!/^(?:0|[1-9]\d{0,2})$/.test(bits)) throw refuse(`bad bits after slash: ${JSON.stringify(bits)}`);
  if (Number(bits) > ip.bits) throw refuse('prefix length out of range');
  return new CIDR(ip, Number(bits));
}
