/**
 * How kubectl and Helm read a scalar. Both use go-yaml v2, which implements YAML 1.1 in part: octal numbers and `yes`
 * as in 1.1, but times and base 60 numbers as strings. The rules follow its `resolve`; the table in tests/kube/yaml has
 * the answers of a real kubectl.
 */

/** The tags of scalars that have a meaning, without `tag:yaml.org,2002:`. */
export type ScalarTagName = 'null' | 'bool' | 'int' | 'float' | 'timestamp' | 'str';

/** A resolved scalar. */
export interface Resolved {
  readonly tag: ScalarTagName;
  /** A timestamp is its text. Infinity or NaN if the source says so. */
  readonly value: string | number | bigint | boolean | null;
  /** The number has more digits than 64 bits and a double can hold; kubectl rounds it silently. */
  readonly isRounded?: true;
}

export const nullPattern = /^(?:~|null|Null|NULL)?$/;
const truePattern = /^(?:y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
export const boolPattern =
  /^(?:y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON|n|N|no|No|NO|false|False|FALSE|off|Off|OFF)$/;
export const wordNumberPattern = /^(?:\.(?:nan|NaN|NAN)|[-+]?\.(?:inf|Inf|INF))$/;
/** Matches every number and some texts that look like one; `resolveScalar` tells them apart. */
export const numberPattern =
  /^(?:[-+]_*)?(?:0_*(?:[xX][0-9a-fA-F_]*|[oO][0-7_]*|[bB][-+01_]*)|[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+0-9_]*)?|\.[0-9_]+(?:[eE][-+0-9_]*)?)$/;

const integer = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]([0-7]+)|0([0-7]*)|([1-9][0-9]*))$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
/** Go accepts `_` between digits of a number that begins with a point. */
const pointFirst = /^\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?$/;
/** What go-yaml parses itself after Go refused it: a sign after the prefix. */
const signedBinary = /^0b([-+][01]+)$/;

/** First characters of texts that may be more than strings. */
const firstPattern = /^(?:[-+.~yYnNtTfFoO0-9]|$)/;

/** Resolves a plain scalar. @param isTime whether the tag `!!timestamp` makes times timestamps instead of strings */
export function resolveScalar(source: string, isTime = false): Resolved {
  if (!firstPattern.test(source)) return { tag: 'str', value: source };
  if (nullPattern.test(source)) return { tag: 'null', value: null };
  if (boolPattern.test(source)) return { tag: 'bool', value: truePattern.test(source) };
  if (wordNumberPattern.test(source)) return { tag: 'float', value: wordNumber(source) };
  if (source.startsWith('.')) {
    const value = pointFirst.test(source) ? Number(source.replaceAll('_', '')) : Number.NaN;
    return Number.isFinite(value) ? { tag: 'float', value } : { tag: 'str', value: source };
  }
  if (!/^[-+0-9]/.test(source)) return { tag: 'str', value: source };
  if (isTime && isTimestamp(source)) return { tag: 'timestamp', value: source };
  return resolveNumber(source);
}

function resolveNumber(source: string): Resolved {
  const digits = source.replaceAll('_', '');
  const whole = readInteger(digits) ?? readSignedBinary(digits);
  if (whole !== undefined) {
    const value = Number(whole);
    return { tag: 'int', value: Number.isSafeInteger(value) ? value : whole };
  }
  if (float.test(digits)) {
    const value = Number(digits);
    const isRounded = /^[-+]?[0-9]+$/.test(digits) && !Number.isSafeInteger(value);
    if (Number.isFinite(value)) return { tag: 'float', value, ...(isRounded ? { isRounded } : {}) };
  }
  return { tag: 'str', value: source };
}

/** Go's ParseInt and ParseUint with the base of the prefix; undefined if the number exceeds 64 bits. */
function readInteger(plain: string): bigint | undefined {
  const [found, sign = '', hex, binary, octal, oldOctal, decimal] = integer.exec(plain) ?? [];
  if (found === undefined) return undefined;
  const [prefix, digits] =
    hex !== undefined
      ? ['0x', hex]
      : binary !== undefined
        ? ['0b', binary]
        : decimal !== undefined
          ? ['', decimal]
          : ['0o', octal ?? oldOctal ?? ''];
  const significant = digits.replace(/^0+/, '');
  if (significant.length > 64) return undefined;
  const size = significant === '' ? 0n : BigInt(`${prefix}${significant}`);
  const largest = { '': 2n ** 64n - 1n, '+': 2n ** 63n - 1n, '-': 2n ** 63n }[sign] ?? 0n;
  if (size > largest) return undefined;
  return sign === '-' ? -size : size;
}

function readSignedBinary(plain: string): bigint | undefined {
  const signed = signedBinary.exec(plain)?.[1];
  return signed === undefined ? undefined : readInteger(`${signed[0] ?? ''}0b${signed.slice(1)}`);
}

function wordNumber(source: string): number {
  if (/nan/i.test(source)) return Number.NaN;
  return source.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

const timestamp =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[-+]\d\d:\d\d)| (\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?)?$/;

/** Whether go-yaml recognizes a text as a time, although it then treats it as a string. */
export function isTimestamp(source: string): boolean {
  const found = timestamp.exec(source);
  if (found === null) return false;
  const [year = 0, month = 0, day = 0] = found.slice(1, 4).map(Number);
  const [hour = 0, minute = 0, second = 0] = (found[4] === undefined ? found.slice(7) : found.slice(4, 7))
    .filter((part) => part !== undefined)
    .map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDate = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isDate && hour < 24 && minute < 60 && second < 60;
}

/**
 * Resolves a scalar with a tag; undefined if the text is invalid for the tag, which kubectl refuses.
 * @param source the scalar without quotes
 */
export function resolveTagged(tag: ScalarTagName, source: string): Resolved | undefined {
  if (tag === 'str') return { tag, value: source };
  const found = resolveScalar(source, tag === 'timestamp');
  if (found.tag === tag) return found;
  return tag === 'float' && found.tag === 'int' ? { ...found, tag } : undefined;
}

/**
 * The text of a scalar as a JSON key; undefined for null, which cannot be one.
 * @param value a key from `resolveScalar`
 */
export function keyText({ tag, value }: Resolved): string | undefined {
  if (value === null) return undefined;
  return tag === 'float' && typeof value === 'number' ? floatKey(value) : String(value);
}

/** Formats a numeric key as Go's FormatFloat(value, 'g', -1, 32) does. */
function floatKey(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return single < 0 ? '-.inf' : '.inf';
  if (single === 0) return Object.is(single, -0) ? '-0' : '0';
  // The fewest digits that distinguish this 32-bit number from its neighbours.
  let digits = 1;
  while (digits < 9 && Math.fround(Number(single.toExponential(digits - 1))) !== single) digits += 1;
  const [mantissa = '', exponent = ''] = single.toExponential(digits - 1).split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(Number(`${mantissa}e${exponent}`));
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
