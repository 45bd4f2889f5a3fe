import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Decides which addresses the console's server may dial on behalf of a person. */
export interface AddressGuard {
  /** Why an IP address (any notation) must not be dialled, e.g. "a loopback address"; undefined when it may. */
  refusal(address: string): string | undefined;
  /** As `refusal` for the host of a URL: an address literal, or a name that always means this machine. Other names are judged once resolved. */
  refusalOfHost(host: string): string | undefined;
  /** The same guard with more exceptions; meant for one connection, never for all. */
  allowing(cidrs: readonly string[]): AddressGuard;
}

/** Resolves a name to every address it has. */
export type Resolver = (hostname: string) => Promise<readonly { address: string; family: number }[]>;

/** A connection that the guard did not let through. */
export class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';
  readonly host: string;
  /** What the address is, e.g. "a loopback address". */
  readonly reason: string;
  constructor(host: string, reason: string) {
    super(`The console does not connect to ${host}: that is ${reason}.`);
    this.name = 'AddressRefused';
    this.host = host;
    this.reason = reason;
  }
}

/** Loopback alone: the exception for the playground and for contexts of the operator's own file. */
export const loopbackCidrs = ['127.0.0.0/8', '::1/128'] as const;

const names: Readonly<Record<string, string>> = {
  unspecified: 'an unspecified address',
  broadcast: 'a broadcast address',
  multicast: 'a multicast address',
  linkLocal: 'a link-local address (cloud metadata lives there)',
  loopback: 'a loopback address',
  '6to4': 'a 6to4 tunnel address',
  teredo: 'a Teredo tunnel address',
  rfc6052: 'a NAT64 address',
  rfc6145: 'a translated IPv4 address',
};

/**
 * The kinds of addresses that may be connected to; all others are refused, including ranges that are defined in future.
 */
const dialled = new Set(['unicast', 'private', 'uniqueLocal', 'carrierGradeNat', 'as112', 'as112v6', 'amt']);

/** Metadata and platform services of clouds that live on otherwise ordinary addresses. */
const metadata = ['fd00:ec2::/32', 'fd20:ce::/32', '100.100.100.200/32', '168.63.129.16/32'].map((cidr) =>
  ipaddr.parseCIDR(cidr),
);

/**
 * A guard that keeps loopback, link-local, unspecified, multicast, broadcast, reserved and tunnelled addresses and
 * cloud metadata from being dialled. Private ranges stay open: clusters live there.
 * @param allowCidrs exceptions; throws on one that is no CIDR.
 */
export function createAddressGuard(allowCidrs: readonly string[]): AddressGuard {
  const exceptions = allowCidrs.map((cidr) => ipaddr.parseCIDR(cidr));
  const isExcepted = (address: Address) => isIn(address, exceptions);

  const refusalOf = (address: Address): string | undefined => {
    if (isExcepted(address)) return undefined;
    if (isIn(address, metadata)) return 'a cloud metadata address';
    const range = address.range();
    if (address instanceof ipaddr.IPv6) {
      const embedded = embeddedAddress(address);
      if (embedded !== undefined) return refusalOf(embedded);
      if (range === 'unicast' && address.parts.slice(0, 6).every((part) => part === 0)) {
        return 'an IPv4-compatible address';
      }
    }
    if (dialled.has(range)) return undefined;
    return names[range] ?? 'a reserved address';
  };

  const refusal = (text: string): string | undefined =>
    ipaddr.isValid(text) ? refusalOf(ipaddr.parse(text)) : 'no IP address';

  return {
    refusal,
    refusalOfHost: (host) => refusalOfHost(host, refusal),
    allowing: (cidrs) => createAddressGuard([...allowCidrs, ...cidrs]),
  };
}

/** Metadata services on link-local addresses: those that no exception opens. */
const linkLocalMetadata = ['169.254.169.254/32', '169.254.170.0/24', 'fe80::a9fe:a9fe/128'].map((cidr) =>
  ipaddr.parseCIDR(cidr),
);

/**
 * A stricter guard, for addresses that anybody may enter: public ones alone, and what the operator lists. Metadata of
 * clouds is never let through.
 * @param allowCidrs exceptions; throws on one that is no CIDR.
 * @param isListedOnly public addresses are refused as well, unless they are listed
 */
export function createPublicGuard(allowCidrs: readonly string[], isListedOnly = false): AddressGuard {
  const exceptions = allowCidrs.map((cidr) => ipaddr.parseCIDR(cidr));
  const base = createAddressGuard([]);
  const refusal = (text: string): string | undefined => {
    if (!ipaddr.isValid(text)) return 'no IP address';
    const given = ipaddr.parse(text);
    const address = (given instanceof ipaddr.IPv6 ? embeddedAddress(given) : undefined) ?? given;
    if (isIn(address, metadata) || isIn(address, linkLocalMetadata)) return 'a cloud metadata address';
    if (isIn(address, exceptions)) return undefined;
    if (isListedOnly) return 'an address that only https may go to';
    const range = address.range();
    return base.refusal(text) ?? (range === 'unicast' ? undefined : 'a private address');
  };
  return {
    refusal,
    refusalOfHost: (host) => refusalOfHost(host, refusal),
    allowing: (cidrs) => createPublicGuard([...allowCidrs, ...cidrs], isListedOnly),
  };
}

/** An address that a person entered, and what was in use before its sort had a list of the operator's of its own. */
export interface EnteredAddress {
  readonly url: string;
  /** An address that the list of clusters opens until another one is entered; null without. */
  readonly carriedOver: string | null;
}

/**
 * The guard of an address: for the one that was carried over, and for no other, with the exceptions of clusters.
 * @param clusterCidrs WHEELHOUSE_ALLOW_CIDRS
 */
export function guardOfEntered(
  guard: AddressGuard,
  { url, carriedOver }: EnteredAddress,
  clusterCidrs: readonly string[],
): AddressGuard {
  const isCarriedOver = carriedOver !== null && URL.parse(carriedOver)?.origin === URL.parse(url)?.origin;
  return isCarriedOver ? guard.allowing(clusterCidrs) : guard;
}

function refusalOfHost(host: string, refusal: AddressGuard['refusal']): string | undefined {
  const bare = host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (ipaddr.isValid(bare)) return refusal(bare);
  return /^(.+\.)?localhost$/i.test(bare) ? refusal('127.0.0.1') : undefined;
}

function isIn(address: Address, cidrs: readonly ReturnType<typeof ipaddr.parseCIDR>[]): boolean {
  return cidrs.some((cidr) => cidr[0].kind() === address.kind() && address.match(cidr));
}

/** The IPv4 address that IPv4-mapped and well-known NAT64 addresses lead to. */
function embeddedAddress(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const isNat64 = address.match(ipaddr.IPv6.parse('64:ff9b::'), 96);
  if (!address.isIPv4MappedAddress() && !isNat64) return undefined;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

const systemResolver: Resolver = (hostname) => lookup(hostname, { all: true, verbatim: true });

/**
 * A `lookup` for net, tls and ws that refuses a name when any of its addresses is refused, and hands on exactly the
 * addresses it checked, so that a name cannot change its mind between check and dial.
 * It is no guard alone: address literals are never looked up, see `createGuardedConnector`.
 */
export function guardedLookup(guard: AddressGuard, resolve: Resolver = systemResolver): LookupFunction {
  const resolveChecked = callbackify(async (hostname: string, family: number) => {
    const found = await resolve(hostname);
    for (const { address } of found) {
      const reason = guard.refusal(address);
      if (reason !== undefined) throw new AddressRefused(`${hostname} (${address})`, reason);
    }
    const usable = found.filter((entry) => family === 0 || entry.family === family);
    const [first] = usable;
    if (first === undefined) {
      throw Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' });
    }
    return { first, usable };
  });
  return (hostname, options, callback) => {
    const family = options.family === 'IPv4' ? 4 : options.family === 'IPv6' ? 6 : (options.family ?? 0);
    resolveChecked(hostname, family, (error, answer) => {
      if (error !== null) callback(error, '');
      else if (options.all === true) callback(null, [...answer.usable]);
      else callback(null, answer.first.address, answer.first.family);
    });
  };
}

/**
 * An undici connector behind the guard: literals are checked before dialling, names by every address they resolve to.
 * @param options TLS and time-out as undici takes them.
 */
export function createGuardedConnector(
  options: buildConnector.BuildOptions,
  guard: AddressGuard,
  resolve?: Resolver,
): buildConnector.connector {
  // The checked addresses are dialled as given; tls.connect takes `lookup` although undici's type does not name it.
  const withLookup = { ...options, lookup: guardedLookup(guard, resolve) };
  const connect = buildConnector(withLookup);
  return (target, callback) => {
    const reason = guard.refusalOfHost(target.hostname);
    if (reason === undefined) connect(target, callback);
    else callback(new AddressRefused(target.hostname, reason), null);
  };
}
