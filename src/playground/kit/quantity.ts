/** A quantity that cannot be parsed; the message is Go's. */
export class QuantityError extends Error {}

const binary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimal: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const pattern = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*)([-+]?\d*)$/;
const quantityProblem =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

type Style = 'binary' | 'decimal' | 'exponent';

/** An exact quantity: `mantissa` times ten to the power of `exponent`. */
interface Exact {
  readonly mantissa: bigint;
  readonly exponent: number;
  readonly style: Style;
}

const power = (base: number, exponent: number) => BigInt(base) ** BigInt(exponent);

function read(text: string): Exact {
  const [, sign = '', integerPart = '', fraction = '', letters = '', rest = ''] = pattern.exec(text) ?? [];
  if (integerPart === '' && fraction === '') {
    throw new QuantityError(
      pattern.test(text) && text !== '' ? 'unable to parse numeric part of quantity' : quantityProblem,
    );
  }
  const digits = BigInt(`${integerPart}${fraction}`) * (sign === '-' ? -1n : 1n);
  const scale = -fraction.length;
  const unitIndex = binary.indexOf(letters);
  if (unitIndex > 0 && rest === '') {
    return { mantissa: digits * power(1024, unitIndex), exponent: scale, style: 'binary' };
  }
  const decimalExponent = decimal[letters];
  if (decimalExponent !== undefined && rest === '') {
    return { mantissa: digits, exponent: scale + decimalExponent, style: 'decimal' };
  }
  if ((letters === 'e' || letters === 'E') && /\d/.test(rest)) {
    return { mantissa: digits, exponent: scale + Number(rest), style: 'exponent' };
  }
  throw new QuantityError("unable to parse quantity's suffix");
}

/** Rounds away from zero to a power of ten, at finest a billionth, as Go does. */
function atLeast({ mantissa, exponent, style }: Exact, finest: number): Exact {
  if (exponent >= finest) return { mantissa, exponent, style };
  const divisor = power(10, finest - exponent);
  const rest = mantissa % divisor;
  const away = rest === 0n ? 0n : mantissa < 0n ? -1n : 1n;
  return { mantissa: mantissa / divisor + away, exponent: finest, style };
}

function written(value: Exact): string {
  const rounded = atLeast(value, -9);
  if (rounded.mantissa === 0n) return '0';
  if (rounded.style === 'binary') {
    const { mantissa, exponent } = atLeast(rounded, 0);
    let number = mantissa * power(10, exponent);
    if (number >= 1024n || number <= -1024n) {
      let unitIndex = 0;
      while (number % 1024n === 0n && unitIndex < binary.length - 1) {
        number /= 1024n;
        unitIndex += 1;
      }
      return `${number}${binary[unitIndex] ?? ''}`;
    }
  }
  let { mantissa, exponent } = rounded;
  while (mantissa % 10n === 0n) {
    mantissa /= 10n;
    exponent += 1;
  }
  const above = ((exponent % 3) + 3) % 3;
  mantissa *= power(10, above);
  exponent -= above;
  if (exponent === 0) return String(mantissa);
  const suffix = Object.keys(decimal).find((name) => decimal[name] === exponent);
  return rounded.style === 'exponent' || suffix === undefined
    ? `${mantissa}e${exponent}`
    : `${mantissa}${suffix}`;
}

/**
 * A quantity in canonical form, as the API server writes it: "1000m" is "1", "1024Mi" is "1Gi". Throws
 * QuantityError.
 */
export function canonicalQuantity(text: string): string {
  return written(read(text.trim()));
}

/** Compares two quantities: negative, zero or positive. Throws QuantityError. */
export function compareQuantities(a: string, b: string): number {
  const [left, right] = [read(a), read(b)];
  const exponent = Math.min(left.exponent, right.exponent);
  const scaled = (value: Exact) => value.mantissa * power(10, value.exponent - exponent);
  const difference = scaled(left) - scaled(right);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

/** Whether a quantity is a whole number. Throws QuantityError. */
export function isWhole(text: string): boolean {
  const { mantissa, exponent } = read(text);
  return exponent >= 0 || mantissa % power(10, -exponent) === 0n;
}

/** The sum of two quantities, in the format of the first that is not zero. Throws QuantityError. */
export function addQuantities(a: string, b: string): string {
  const [left, right] = [read(a), read(b)];
  const exponent = Math.min(left.exponent, right.exponent);
  const scaled = (value: Exact) => value.mantissa * power(10, value.exponent - exponent);
  const style = left.mantissa === 0n ? right.style : left.style;
  return written({ mantissa: scaled(left) + scaled(right), exponent, style });
}

/** The difference of two quantities, at least zero. Throws QuantityError. */
export function lessQuantity(a: string, b: string): string {
  if (compareQuantities(a, b) <= 0) return '0';
  const { mantissa, exponent, style } = read(b);
  const negative = written({ mantissa: -mantissa, exponent, style });
  return addQuantities(a, negative);
}

/** One quantity divided by another, as a plain number. Throws QuantityError. */
export function ratioOf(a: string, b: string): number {
  const [left, right] = [read(a), read(b)];
  return (Number(left.mantissa) / Number(right.mantissa)) * 10 ** (left.exponent - right.exponent);
}
