/**
 * How kubectl and Helm read one scalar. Both read YAML by go-yaml v2, which knows YAML 1.1 in part: octal numbers and
 * `yes` are what 1.1 says, times and numbers of base 60 are text. The rules here are those of its `resolve`; the table
 * in tests/kube/yaml has what a real kubectl answers.
 */

/** The tags of scalars that have a meaning, without `tag:yaml.org,2002:`. */
export type ScalarTagName = 'null' | 'bool' | 'int' | 'float' | 'timestamp' | 'str';

/** A scalar as it is read. */
export interface Resolved {
  readonly tag: ScalarTagName;
  /** A timestamp is its text. Infinite or not a number where the source says so. */
  readonly value: string | number | boolean | null;
  /** The number has more digits than a double keeps; kubectl rounds it without a word. */
  readonly isRounded?: true;
}

export const nullPattern = /^(?:~|null|Null|NULL)?$/;
const truePattern = /^(?:y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
export const boolPattern =
  /^(?:y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON|n|N|no|No|NO|false|False|FALSE|off|Off|OFF)$/;
export const wordNumberPattern = /^(?:\.(?:nan|NaN|NAN)|[-+]?\.(?:inf|Inf|INF))$/;
/** Every number, and some texts that look like one: `resolveScalar` tells them apart. */
export const numberPattern =
  /^(?:[-+]_*)?(?:0_*(?:[xX][0-9a-fA-F_]*|[oO][0-7_]*|[bB][-+01_]*)|[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+0-9_]*)?|\.[0-9_]+(?:[eE][-+0-9_]*)?)$/;

const integer = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]([0-7]+)|0([0-7]*)|([1-9][0-9]*))$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
/** Go takes `_` between digits where a number begins with a point. */
const pointFirst = /^\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?$/;
/** What go-yaml reads itself after Go refused it: a sign behind the prefix. */
const signedBinary = /^0b([-+][01]+)$/;

/** What texts begin with that may be more than text. */
const firstPattern = /^(?:[-+.~yYnNtTfFoO0-9]|$)/;

/** Reads a plain scalar. @param isTime whether a time is one, and not text: with the tag `!!timestamp` */
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
  const plain = source.replaceAll('_', '');
  const whole = readInteger(plain) ?? readSignedBinary(plain);
  if (whole !== undefined) {
    const value = Number(whole);
    return { tag: 'int', value, ...(Number.isSafeInteger(value) ? {} : { isRounded: true }) };
  }
  if (float.test(plain)) {
    const value = Number(plain);
    const isRounded = /^[-+]?[0-9]+$/.test(plain) && !Number.isSafeInteger(value);
    if (Number.isFinite(value)) return { tag: 'float', value, ...(isRounded ? { isRounded } : {}) };
  }
  return { tag: 'str', value: source };
}

/** Go's ParseInt and ParseUint with the base of the prefix; undefined for what fits no 64 bits. */
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

/** Whether go-yaml takes a text for a time. It makes text of it all the same. */
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
 * Reads a scalar that has a tag. Undefined where the text is none of that tag, which kubectl refuses.
 * @param source what stands there, without quotes
 */
export function resolveTagged(tag: ScalarTagName, source: string): Resolved | undefined {
  if (tag === 'str') return { tag, value: source };
  const found = resolveScalar(source, tag === 'timestamp');
  if (found.tag === tag) return found;
  return tag === 'float' && found.tag === 'int' ? { ...found, tag } : undefined;
}

/**
 * The text that a key becomes in JSON, which has no other keys; undefined for null, which cannot be one.
 * @param value a key as `resolveScalar` has it
 */
export function keyText({ tag, value }: Resolved): string | undefined {
  if (value === null) return undefined;
  return tag === 'float' && typeof value === 'number' ? floatKey(value) : String(value);
}

/** A number of a key as Go's FormatFloat(value, 'g', -1, 32) writes it. */
function floatKey(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return single < 0 ? '-.inf' : '.inf';
  if (single === 0) return Object.is(single, -0) ? '-0' : '0';
  // As few digits as tell this number of 32 bits from its neighbours.
  let digits = 1;
  while (digits < 9 && Math.fround(Number(single.toExponential(digits - 1))) !== single) digits += 1;
  const [mantissa = '', exponent = ''] = single.toExponential(digits - 1).split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(Number(`${mantissa}e${exponent}`));
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
