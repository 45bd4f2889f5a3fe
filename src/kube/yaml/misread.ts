import { isScalar, parseDocument } from 'yaml';
import { resolveScalar } from './scalar.ts';

/** Maximum length of a scalar that is checked; longer ones are strings for every parser. */
const maxScalarLength = 100;

/** The JSON type of a value; times count as strings. */
const typeOf = (value: unknown): string =>
  value === null ? 'null' : value instanceof Date ? 'string' : typeof value;

/**
 * Whether a plain scalar has another type in the library's YAML 1.1, which the editor's hints use, than in kubectl's:
 * base 60 numbers are strings for kubectl, and `0o17` is a number.
 */
export function isMisread(scalar: string): boolean {
  const source = scalar.trim();
  if (source.length > maxScalarLength || !/^[-+.\w:]+$/.test(source)) return false;
  const { contents, errors } = parseDocument(source, { version: '1.1', logLevel: 'silent' });
  if (errors.length > 0 || !isScalar(contents)) return false;
  return typeOf(contents.value) !== typeOf(resolveScalar(source).value);
}
