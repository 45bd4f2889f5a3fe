import { isScalar, parseDocument } from 'yaml';
import { resolveScalar } from './scalar.ts';

/** Longer texts are texts for every reader. */
const maxScalarLength = 100;

/** What a schema sees of a value. Times are text for it. */
const typeOf = (value: unknown): string =>
  value === null ? 'null' : value instanceof Date ? 'string' : typeof value;

/**
 * Whether a plain scalar is of another type in YAML 1.1 as the library has it, by which the editor gives its hints, than
 * for kubectl: numbers of base 60 are text for kubectl, and `0o17` is a number.
 */
export function isMisread(scalar: string): boolean {
  const source = scalar.trim();
  if (source.length > maxScalarLength || !/^[-+.\w:]+$/.test(source)) return false;
  const { contents, errors } = parseDocument(source, { version: '1.1', logLevel: 'silent' });
  if (errors.length > 0 || !isScalar(contents)) return false;
  return typeOf(contents.value) !== typeOf(resolveScalar(source).value);
}
