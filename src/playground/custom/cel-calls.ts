import {
  agree,
  bool,
  bytesType,
  type CelType,
  double,
  duration,
  dyn,
  int,
  listOf,
  optionalOf,
  textType,
  timestamp,
  typeType,
  uint,
} from './cel-type.ts';

type Kind = CelType['kind'];

/** Where a function is called: `value.name(…)` or `name(…)`. */
export interface Signature {
  readonly on?: readonly Kind[];
  readonly takes: readonly (readonly Kind[])[];
  readonly gives: CelType | ((given: readonly CelType[]) => CelType);
}

const any: readonly Kind[] = [];
const text: readonly Kind[] = ['string'];
const list: readonly Kind[] = ['list'];
const sized: readonly Kind[] = ['string', 'bytes', 'list', 'map'];
const number: readonly Kind[] = ['int', 'uint', 'double'];

const on = (kinds: readonly Kind[], gives: Signature['gives'], ...takes: (readonly Kind[])[]): Signature => ({
  on: kinds,
  takes,
  gives,
});
const call = (gives: Signature['gives'], ...takes: (readonly Kind[])[]): Signature => ({ takes, gives });

const item = (given: readonly CelType[]) => given[0]?.item ?? dyn;
const same = (given: readonly CelType[]) => given[0] ?? dyn;
const inner = (given: readonly CelType[]) => given[0]?.item ?? dyn;
const dates = [
  'getFullYear',
  'getMonth',
  'getDate',
  'getDayOfMonth',
  'getDayOfWeek',
  'getDayOfYear',
  'getHours',
  'getMinutes',
  'getSeconds',
  'getMilliseconds',
];
const opaque = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name): [string, readonly Signature[]] => [name, []]));

const formats =
  'named dns1123Label dns1123Subdomain dns1035Label qualifiedName dns1123LabelPrefix dns1123SubdomainPrefix dns1035LabelPrefix labelValue uri uuid byte date datetime'.split(
    ' ',
  );

/** The functions that rules may call, by name; those without a signature take and give anything. */
export const functions: Readonly<Record<string, readonly Signature[]>> = {
  size: [on(sized, int), call(int, sized)],
  startsWith: [on(text, bool, text)],
  endsWith: [on(text, bool, text)],
  contains: [on(text, bool, text)],
  matches: [on(text, bool, text), call(bool, text, text)],
  int: [call(int, ['int', 'uint', 'double', 'string', 'timestamp', 'duration'])],
  uint: [call(uint, ['int', 'uint', 'double', 'string'])],
  double: [call(double, ['int', 'uint', 'double', 'string'])],
  string: [call(textType, ['int', 'uint', 'double', 'bool', 'string', 'bytes', 'timestamp', 'duration'])],
  bool: [call(bool, ['bool', 'string'])],
  bytes: [call(bytesType, ['bytes', 'string'])],
  duration: [call(duration, ['string', 'duration', 'int'])],
  timestamp: [call(timestamp, ['string', 'timestamp', 'int'])],
  dyn: [call(dyn, any)],
  type: [call(typeType, any)],
  lowerAscii: [on(text, textType)],
  upperAscii: [on(text, textType)],
  trim: [on(text, textType)],
  charAt: [on(text, textType, ['int'])],
  substring: [on(text, textType, ['int']), on(text, textType, ['int'], ['int'])],
  replace: [on(text, textType, text, text), on(text, textType, text, text, ['int'])],
  split: [on(text, listOf(textType), text), on(text, listOf(textType), text, ['int'])],
  join: [on(list, textType), on(list, textType, text)],
  indexOf: [on(text, int, text), on(text, int, text, ['int']), on(list, int, any)],
  lastIndexOf: [on(text, int, text), on(text, int, text, ['int']), on(list, int, any)],
  find: [on(text, textType, text)],
  findAll: [on(text, listOf(textType), text), on(text, listOf(textType), text, ['int'])],
  isSorted: [on(list, bool)],
  sum: [on(list, item)],
  min: [on(list, item)],
  max: [on(list, item)],
  isURL: [call(bool, text)],
  isQuantity: [call(bool, text)],
  isIP: [call(bool, text), call(bool, text, ['int'])],
  isCIDR: [call(bool, text)],
  isSemver: [call(bool, text), call(bool, text, ['bool'])],
  hasValue: [on(['optional'], bool)],
  value: [on(['optional'], inner)],
  orValue: [on(['optional'], inner, any)],
  or: [on(['optional'], (given) => given[0] ?? dyn, ['optional'])],
  ...Object.fromEntries(
    dates.map((name): [string, readonly Signature[]] => [
      name,
      [on(['timestamp', 'duration'], int), on(['timestamp'], int, text)],
    ]),
  ),
  ...opaque('url', 'getScheme', 'getHost', 'getHostname', 'getPort', 'getEscapedPath', 'getQuery'),
  ...opaque('quantity', 'asInteger', 'asApproximateFloat', 'isInteger', 'sign', 'add', 'sub'),
  ...opaque('isGreaterThan', 'isLessThan', 'compareTo', 'ip', 'cidr', 'family', 'isUnspecified'),
  ...opaque('isLoopback', 'isLinkLocalMulticast', 'isLinkLocalUnicast', 'isGlobalUnicast', 'isCanonical'),
  ...opaque('containsIP', 'containsCIDR', 'prefixLength', 'masked', 'semver', 'major', 'minor', 'patch'),
  ...opaque('ip.isCanonical', 'validate', ...formats.map((name) => `format.${name}`)),
  ...opaque('optional.of', 'optional.none', 'optional.ofNonZeroValue', 'optMap', 'optFlatMap'),
  ...opaque('sets.contains', 'sets.equivalent', 'sets.intersects'),
  slice: [on(list, same, ['int'], ['int'])],
  flatten: [on(list, dyn), on(list, dyn, ['int'])],
  distinct: [on(list, same)],
  reverse: [on(list, same)],
  sort: [on(list, same)],
  first: [on(list, (given) => optionalOf(item(given)))],
  last: [on(list, (given) => optionalOf(item(given)))],
  'lists.range': [call(listOf(int), ['int'])],
  'strings.quote': [call(textType, text)],
};

const fits = (kinds: readonly Kind[], type: CelType | undefined) =>
  type !== undefined && (type.kind === 'dyn' || kinds.length === 0 || kinds.includes(type.kind));

/**
 * What a call of a function gives; 'unknown' when there is no such function, 'unfit' when it takes other types.
 * `given` begins with what the function is called on, where it is.
 */
export function resultOf(
  name: string,
  given: readonly CelType[],
  isMember: boolean,
): CelType | 'unknown' | 'unfit' {
  const signatures = functions[name];
  if (signatures === undefined) return 'unknown';
  if (signatures.length === 0) return dyn;
  for (const { on: target, takes, gives } of signatures) {
    if ((target !== undefined) !== isMember) continue;
    const wanted = target === undefined ? takes : [target, ...takes];
    if (wanted.length !== given.length) continue;
    if (wanted.every((kinds, index) => fits(kinds, given[index]))) {
      return typeof gives === 'function' ? gives(given) : gives;
    }
  }
  return 'unfit';
}

const sameKind = (a: CelType, b: CelType, kinds: readonly Kind[]) =>
  fits(kinds, a) && fits(kinds, b) && (a.kind === b.kind || a.kind === 'dyn' || b.kind === 'dyn');

/** What an operator gives for two values; undefined when it does not take them. */
export function binary(operator: string, a: CelType, b: CelType): CelType | undefined {
  switch (operator) {
    case '==':
    case '!=':
      return agree(a, b) ? bool : undefined;
    case '<':
    case '<=':
    case '>':
    case '>=': {
      if (fits(number, a) && fits(number, b)) return bool;
      return sameKind(a, b, ['bool', 'string', 'bytes', 'timestamp', 'duration']) ? bool : undefined;
    }
    case 'in':
      if (b.kind === 'dyn') return bool;
      if (b.kind === 'list') return agree(a, b.item ?? dyn) ? bool : undefined;
      return b.kind === 'map' && fits(text, a) ? bool : undefined;
    case '+':
      if (a.kind === 'dyn' || b.kind === 'dyn') return a.kind === 'dyn' ? dyn : a;
      if (a.kind === 'timestamp' && b.kind === 'duration') return timestamp;
      if (a.kind === 'duration' && b.kind === 'timestamp') return timestamp;
      if (a.kind === 'list' && agree(a, b)) return listOf(a.item ?? dyn);
      return sameKind(a, b, [...number, 'string', 'bytes', 'duration']) ? a : undefined;
    case '-':
      if (a.kind === 'timestamp' && b.kind === 'timestamp') return duration;
      if (a.kind === 'timestamp' && b.kind === 'duration') return timestamp;
      return sameKind(a, b, [...number, 'duration']) ? a : undefined;
    case '*':
    case '/':
      return sameKind(a, b, number) ? a : undefined;
    case '%':
      return sameKind(a, b, ['int', 'uint']) ? a : undefined;
    default:
      return dyn;
  }
}

/** The type of an optional selection. */
export const chosen = (type: CelType): CelType => optionalOf(type);
