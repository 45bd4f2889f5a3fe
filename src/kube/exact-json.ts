/**
 * JSON with whole numbers of any size. JavaScript's numbers are doubles, which hold none above 2^53 exactly; clusters
 * have int64. Such a number is a `bigint` in values that were parsed here, and is written digit by digit by every
 * `JSON.stringify` once this module is loaded.
 */

interface SourceContext {
  readonly source?: string;
}
type Reviver = (this: unknown, key: string, value: unknown, context?: SourceContext) => unknown;

const { rawJSON } = JSON as { readonly rawJSON?: (text: string) => unknown };

// eslint-disable-next-line no-extend-native -- the one way by which every JSON.stringify writes a bigint
Object.defineProperty(BigInt.prototype, 'toJSON', {
  configurable: true,
  writable: true,
  value(this: bigint): unknown {
    return rawJSON === undefined ? Number(this) : rawJSON(String(this));
  },
});

/** A number of at least 16 digits where a value begins; a text may look alike, which costs time only. */
const longNumber = /[:[,]\s*-?\d{16}|^\s*-?\d{16}/;
const wholeNumber = /^-?\d+$/;

/** Keeps what a double would round. Engines that do not give the source leave the rounded number. */
const revive: Reviver = (_key, value, context) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && wholeNumber.test(context?.source ?? '')
    ? BigInt(context?.source ?? '')
    : value;

/** Whether a JSON text may have whole numbers that a double does not hold. */
export const hasLongNumbers = (text: string): boolean => longNumber.test(text);

/** Parses JSON; a whole number that a double does not hold is a bigint. Throws SyntaxError. */
export function parseExactJson(text: string): unknown {
  if (!hasLongNumbers(text)) return JSON.parse(text) as unknown;
  return JSON.parse(text, revive) as unknown;
}
