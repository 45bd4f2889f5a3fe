import type { Scalar } from 'yaml';
import { keyText, type Resolved, resolveScalar, resolveTagged, type ScalarTagName } from './scalar.ts';

/** The prefix of YAML's own tags, which `!!` abbreviates. */
export const tagPrefix = 'tag:yaml.org,2002:';

/** Why a scalar cannot be sent as JSON, and what to do about it; neither quotes the scalar. */
export interface ScalarFault {
  readonly fault: string;
  readonly advice: string;
}

const resolvable: ReadonlySet<string> = new Set(['null', 'bool', 'int', 'float', 'timestamp', 'str']);

const isResolvable = (name: string): name is ScalarTagName => resolvable.has(name);

/** Whether a key is an unquoted `<<`, which merges other maps into its own. */
export function isMergeKey(key: unknown): boolean {
  if (typeof key !== 'object' || key === null || !('source' in key)) return false;
  const { source, type, tag } = key as Scalar;
  return source === '<<' && (tag === undefined ? type === 'PLAIN' : tag === `${tagPrefix}merge`);
}

/** Resolves a scalar of a document by kubectl's rules, including values set after parsing. */
function resolve({ source = '', type, tag, value }: Scalar): Resolved {
  if (tag === undefined)
    return type === 'PLAIN' ? resolveScalar(source) : { tag: 'str', value: String(value) };
  const name = tag.startsWith(tagPrefix) ? tag.slice(tagPrefix.length) : '';
  const found = isResolvable(name) ? resolveTagged(name, source) : undefined;
  return found ?? { tag: 'str', value: String(value) };
}

const quoteIt = 'Put it in quotes.';
const manyDigits: ScalarFault = { fault: 'A number has more digits than can be kept', advice: quoteIt };
const infinite: ScalarFault = { fault: 'JSON has no number for .inf and .nan', advice: quoteIt };
const halfCharacter: ScalarFault = {
  fault: 'A text has half of a character (a lone surrogate, as "\\uD800")',
  advice: 'Write the whole character.',
};
const nullKey: ScalarFault = { fault: 'A key is null, which no key of JSON can be', advice: quoteIt };

/** The value of a scalar as JSON. */
export function valueOfScalar(scalar: Scalar): { readonly value: unknown } | ScalarFault {
  const { value } = scalar;
  if (typeof value === 'string') return value.isWellFormed() ? { value } : halfCharacter;
  if (typeof value !== 'number') return { value };
  if (!Number.isFinite(value)) return infinite;
  // An integer written as 1e30 loses no digits.
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && resolve(scalar).isRounded === true)
    return manyDigits;
  // JSON has no -0.
  return { value: value === 0 ? 0 : value };
}

/** The text of a scalar as a map key, since JSON has only string keys. */
export function keyOfScalar(scalar: Scalar): { readonly value: string } | ScalarFault {
  if (typeof scalar.value === 'string')
    return scalar.value.isWellFormed() ? { value: scalar.value } : halfCharacter;
  const found = resolve(scalar);
  if (found.isRounded === true) return manyDigits;
  const value = keyText(found);
  return value === undefined ? nullKey : { value };
}
