import { isDeepStrictEqual } from 'node:util';
import type { Environment, Optional } from '@marcbachmann/cel-js';
import { dns1035Problem, keyProblem, labelProblem, subdomainProblem, valueProblem } from '../kit/names.ts';
import { addQuantities, canonicalQuantity, compareQuantities, isWhole, ratioOf } from '../kit/quantity.ts';
import { CIDR, IP, isAddress, properties, readCIDR, readIP } from './cel-address.ts';

/** What a function of the server's refuses, in its words: shown as it is. */
export class LibraryError extends Error {}

const attempt = <T>(read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw new LibraryError(error instanceof Error ? error.message : String(error));
  }
};
const reads = (read: () => unknown): boolean => {
  try {
    read();
    return true;
  } catch {
    return false;
  }
};

/** An amount of something, as "1Gi". */
class Quantity {
  readonly text: string;
  constructor(text: string) {
    this.text = canonicalQuantity(text);
  }
}
const negated = (text: string) => (text.startsWith('-') ? text.slice(1) : `-${text}`);
const quantity = (text: string) => attempt(() => new Quantity(text));
const amountOf = (value: Quantity | bigint) => (typeof value === 'bigint' ? String(value) : value.text);
const sum = (a: Quantity, b: Quantity | bigint) => new Quantity(addQuantities(a.text, amountOf(b)));
const difference = (a: Quantity, b: Quantity | bigint) =>
  new Quantity(addQuantities(a.text, negated(amountOf(b))));

const semverPattern =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/** A semantic version; what stands behind "+" does not count. */
class Semver {
  readonly numbers: readonly bigint[];
  readonly before: readonly string[];
  constructor(text: string) {
    const [, major, minor, patch, before] = semverPattern.exec(text) ?? [];
    if (major === undefined || minor === undefined || patch === undefined) {
      throw new LibraryError('No Major.Minor.Patch elements found');
    }
    this.numbers = [BigInt(major), BigInt(minor), BigInt(patch)];
    this.before = before?.split('.') ?? [];
  }
}

/** A version written loosely: a "v" before it, parts that are missing, zeros before numbers. */
function normalized(text: string): string {
  const [core = '', ...rest] = text.replace(/^v/, '').split(/(?=[-+])/);
  const parts = core.split('.').map((part) => part.replace(/^0+(?=\d)/, ''));
  while (parts.length < 3) parts.push('0');
  return [parts.join('.'), ...rest].join('');
}

const order = (a: bigint | string, b: bigint | string) => (a < b ? -1 : a > b ? 1 : 0);

function compareVersions(a: Semver, b: Semver): bigint {
  for (const [index, number] of a.numbers.entries()) {
    const found = order(number, b.numbers[index] ?? 0n);
    if (found !== 0) return BigInt(found);
  }
  if (a.before.length === 0 || b.before.length === 0) {
    return BigInt(Math.sign(b.before.length - a.before.length));
  }
  for (const [index, part] of a.before.entries()) {
    const other = b.before[index];
    if (other === undefined) return 1n;
    const [left, right] = [/^\d+$/.test(part), /^\d+$/.test(other)];
    const found =
      left && right
        ? order(BigInt(part), BigInt(other))
        : left === right
          ? order(part, other)
          : left
            ? -1
            : 1;
    if (found !== 0) return BigInt(found);
  }
  return a.before.length < b.before.length ? -1n : 0n;
}

const urlPattern = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/(?:[^/?#@]*@)?([^/?#]*))?([^?#]*)(?:\?([^#]*))?/;

/** A URL as Go reads it of a request: absolute, or an absolute path. */
class Link {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  constructor(text: string) {
    const [, scheme = '', host = '', path = '', query = ''] = urlPattern.exec(text) ?? [];
    const refuse = (why: string) => {
      const said = `URL parse error during conversion from string: parse ${JSON.stringify(text)}: ${why}`;
      return new LibraryError(said);
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

/** A format of texts, by name. */
class Format {
  readonly problem: (text: string) => string | undefined;
  constructor(problem: (text: string) => string | undefined) {
    this.problem = problem;
  }
}
const prefixed = (problem: (text: string) => string | undefined) => (text: string) =>
  problem(text.endsWith('-') ? `${text.slice(0, -1)}a` : text);
const matching = (pattern: RegExp, why: string) => (text: string) => (pattern.test(text) ? undefined : why);
const formats: Readonly<Record<string, (text: string) => string | undefined>> = {
  dns1123Label: labelProblem,
  dns1123Subdomain: subdomainProblem,
  dns1035Label: dns1035Problem,
  qualifiedName: keyProblem,
  dns1123LabelPrefix: prefixed(labelProblem),
  dns1123SubdomainPrefix: prefixed(subdomainProblem),
  dns1035LabelPrefix: prefixed(dns1035Problem),
  labelValue: valueProblem,
  uri: (text) => (reads(() => new Link(text)) ? undefined : 'invalid URI'),
  uuid: matching(/^[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i, 'does not match the UUID format'),
  byte: matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'invalid base64'),
  date: matching(/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/, 'invalid date'),
  datetime: (text) =>
    /^\d{4}-\d{2}-\d{2}[Tt ]/.test(text) && !Number.isNaN(Date.parse(text)) ? undefined : 'invalid datetime',
};

/** Where functions stand that belong to no value, as "sets" in "sets.contains". */
class Sets {
  readonly name = 'sets';
}
class Formats {
  readonly name = 'format';
}
class Addresses {
  readonly name = 'ip';
}
class Lists {
  readonly name = 'lists';
}
class Strings {
  readonly name = 'strings';
}

const includes = (list: readonly unknown[], item: unknown) =>
  list.some((other) => isDeepStrictEqual(other, item));
const holds = (list: readonly unknown[], other: readonly unknown[]) =>
  other.every((item) => includes(list, item));

const equal = (a: unknown, b: unknown) =>
  a instanceof Quantity && b instanceof Quantity
    ? compareQuantities(a.text, b.text) === 0
    : isDeepStrictEqual(a, b);

/** A pattern as RE2 has it. Throws LibraryError. */
const pattern = (text: string, flags: string) => attempt(() => new RegExp(text, flags));

type Optionals = typeof Optional;
type Values = readonly unknown[];
type Comparable = bigint | number | string;

/** Throws LibraryError for what is not in the list. */
function sliced(list: Values, from: bigint, to: bigint): Values {
  const why =
    from < 0n || to < 0n
      ? `cannot slice(${from}, ${to}), negative indexes not supported`
      : from > to
        ? `cannot slice(${from}, ${to}), start index must be less than or equal to end index`
        : to > BigInt(list.length)
          ? `cannot slice(${from}, ${to}), list is length ${list.length}`
          : undefined;
  if (why !== undefined) throw new LibraryError(why);
  return list.slice(Number(from), Number(to));
}

/** Adds Kubernetes' own functions of quantities, addresses, versions, sets, formats, URLs and texts. */
export function withLibraries(environment: Environment, optionals: Optionals): Environment {
  const types: readonly [string, new (...given: never[]) => object][] = [
    ['kubernetes.Quantity', Quantity],
    ['kubernetes.Semver', Semver],
    ['kubernetes.URL', Link],
    ['kubernetes.NamedFormat', Format],
    ['net.IP', IP],
    ['net.CIDR', CIDR],
    ['kubernetes.Sets', Sets],
    ['kubernetes.Formats', Formats],
    ['kubernetes.Addresses', Addresses],
    ['kubernetes.Lists', Lists],
    ['kubernetes.Strings', Strings],
  ];
  for (const [name, type] of types) environment.registerType(name, type);
  environment.registerConstant('sets', 'kubernetes.Sets', new Sets());
  environment.registerConstant('format', 'kubernetes.Formats', new Formats());
  environment.registerConstant('ip', 'kubernetes.Addresses', new Addresses());
  environment.registerConstant('lists', 'kubernetes.Lists', new Lists());
  environment.registerConstant('strings', 'kubernetes.Strings', new Strings());

  const functions: Readonly<Record<string, (...given: never[]) => unknown>> = {
    'isQuantity(string): bool': (text: string) => reads(() => new Quantity(text)),
    'quantity(string): kubernetes.Quantity': quantity,
    'kubernetes.Quantity.sign(): int': ({ text }: Quantity) =>
      BigInt(Math.sign(compareQuantities(text, '0'))),
    'kubernetes.Quantity.isInteger(): bool': ({ text }: Quantity) => isWhole(text),
    'kubernetes.Quantity.asInteger(): int': ({ text }: Quantity) => {
      if (!isWhole(text)) throw new LibraryError('cannot convert value to integer');
      return BigInt(Math.round(ratioOf(text, '1')));
    },
    'kubernetes.Quantity.asApproximateFloat(): double': ({ text }: Quantity) => ratioOf(text, '1'),
    'kubernetes.Quantity.add(kubernetes.Quantity): kubernetes.Quantity': sum,
    'kubernetes.Quantity.add(int): kubernetes.Quantity': sum,
    'kubernetes.Quantity.sub(kubernetes.Quantity): kubernetes.Quantity': difference,
    'kubernetes.Quantity.sub(int): kubernetes.Quantity': difference,
    'kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool': (a: Quantity, b: Quantity) =>
      compareQuantities(a.text, b.text) > 0,
    'kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool': (a: Quantity, b: Quantity) =>
      compareQuantities(a.text, b.text) < 0,
    'kubernetes.Quantity.compareTo(kubernetes.Quantity): int': (a: Quantity, b: Quantity) =>
      BigInt(compareQuantities(a.text, b.text)),

    'isIP(string): bool': isAddress,
    'ip(string): net.IP': (text: string) => attempt(() => readIP(text)),
    'string(net.IP): string': String,
    'net.IP.family(): int': ({ family }: IP) => BigInt(family),
    ...Object.fromEntries(Object.entries(properties).map(([name, is]) => [`net.IP.${name}(): bool`, is])),
    'kubernetes.Addresses.isCanonical(string): bool': (_of: Addresses, text: string) =>
      attempt(() => readIP(text)).toString() === text,

    'isCIDR(string): bool': (text: string) => reads(() => readCIDR(text)),
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

    'isSemver(string): bool': (text: string) => reads(() => new Semver(text)),
    'isSemver(string, bool): bool': (text: string, loose: boolean) =>
      reads(() => new Semver(loose ? normalized(text) : text)),
    'semver(string): kubernetes.Semver': (text: string) => new Semver(text),
    'semver(string, bool): kubernetes.Semver': (text: string, loose: boolean) =>
      new Semver(loose ? normalized(text) : text),
    ...Object.fromEntries(
      ['major', 'minor', 'patch'].map((name, index) => [
        `kubernetes.Semver.${name}(): int`,
        ({ numbers }: Semver) => numbers[index] ?? 0n,
      ]),
    ),
    'kubernetes.Semver.isGreaterThan(kubernetes.Semver): bool': (a: Semver, b: Semver) =>
      compareVersions(a, b) > 0n,
    'kubernetes.Semver.isLessThan(kubernetes.Semver): bool': (a: Semver, b: Semver) =>
      compareVersions(a, b) < 0n,
    'kubernetes.Semver.compareTo(kubernetes.Semver): int': compareVersions,

    'kubernetes.Sets.contains(list, list): bool': (_of: Sets, list: Values, other: Values) =>
      holds(list, other),
    'kubernetes.Sets.equivalent(list, list): bool': (_of: Sets, list: Values, other: Values) =>
      holds(list, other) && holds(other, list),
    'kubernetes.Sets.intersects(list, list): bool': (_of: Sets, list: Values, other: Values) =>
      other.some((item) => includes(list, item)),

    ...Object.fromEntries(
      Object.entries(formats).map(([name, problem]) => [
        `kubernetes.Formats.${name}(): kubernetes.NamedFormat`,
        () => new Format(problem),
      ]),
    ),
    'kubernetes.Formats.named(string): optional<kubernetes.NamedFormat>': (_of: Formats, name: string) => {
      const problem = formats[name];
      return problem === undefined ? optionals.none() : optionals.of(new Format(problem));
    },
    'kubernetes.NamedFormat.validate(string): optional<list<string>>': (
      { problem }: Format,
      text: string,
    ) => {
      const why = problem(text);
      return why === undefined ? optionals.none() : optionals.of([why]);
    },

    'isURL(string): bool': (text: string) => reads(() => new Link(text)),
    'url(string): kubernetes.URL': (text: string) => new Link(text),
    'kubernetes.URL.getScheme(): string': ({ scheme }: Link) => scheme,
    'kubernetes.URL.getHost(): string': ({ host }: Link) => host,
    'kubernetes.URL.getHostname(): string': hostname,
    'kubernetes.URL.getPort(): string': ({ host }: Link) => /:(\d+)$/.exec(host)?.[1] ?? '',
    'kubernetes.URL.getEscapedPath(): string': ({ path }: Link) => encodeURI(decodeURI(path)),
    'kubernetes.URL.getQuery(): map<string, list<string>>': queryOf,

    'string.find(string): string': (text: string, wanted: string) =>
      pattern(wanted, 'u').exec(text)?.[0] ?? '',
    'string.findAll(string): list<string>': (text: string, wanted: string) =>
      Array.from(text.matchAll(pattern(wanted, 'gu')), ([found]) => found),
    'string.findAll(string, int): list<string>': (text: string, wanted: string, most: bigint) => {
      const all = Array.from(text.matchAll(pattern(wanted, 'gu')), ([found]) => found);
      return most < 0n ? all : all.slice(0, Number(most));
    },
    'string.replace(string, string): string': (text: string, from: string, to: string) =>
      text.replaceAll(from, () => to),
    'string.replace(string, string, int): string': (text: string, from: string, to: string, most: bigint) => {
      const parts = text.split(from);
      const count = most < 0n ? parts.length - 1 : Math.min(Number(most), parts.length - 1);
      return [parts.slice(0, count + 1).join(to), ...parts.slice(count + 1)].join(from);
    },
    'string.charAt(int): string': (text: string, index: bigint) => {
      const characters = Array.from(text);
      if (index < 0n || index > BigInt(characters.length)) {
        throw new LibraryError(`index out of range: ${index}`);
      }
      return characters[Number(index)] ?? '';
    },
    'kubernetes.Strings.quote(string): string': (_of: Strings, text: string) => JSON.stringify(text),

    'kubernetes.Lists.range(int): list<int>': (_of: Lists, count: bigint) =>
      Array.from({ length: Number(count) }, (_, index) => BigInt(index)),
    'list.slice(int, int): list': sliced,
    'list.flatten(): list': (list: Values) => list.flat(),
    'list.flatten(int): list': (list: Values, depth: bigint) => list.flat(Number(depth)) as Values,
    'list.distinct(): list': (list: Values) =>
      list.filter((item, index) => !includes(list.slice(0, index), item)),
    'list.reverse(): list': (list: Values) => list.toReversed(),
    'list.sort(): list': (list: readonly Comparable[]) =>
      list.toSorted((a, b) => (a < b ? -1 : Number(a > b))),
    'list.first(): optional': (list: Values) =>
      list.length === 0 ? optionals.none() : optionals.of(list[0]),
    'list.last(): optional': (list: Values) =>
      list.length === 0 ? optionals.none() : optionals.of(list.at(-1)),
  };
  for (const type of ['kubernetes.Quantity', 'kubernetes.Semver', 'kubernetes.URL', 'net.IP', 'net.CIDR']) {
    environment.registerOperator(`${type} == ${type}`, equal);
  }
  for (const [signature, handler] of Object.entries(functions)) {
    environment.registerFunction(signature, handler as (...given: unknown[]) => unknown);
  }
  return environment;
}
