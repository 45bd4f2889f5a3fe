import type { Scalar, ScalarTag } from 'yaml';
import { mapTag, seqTag, stringTag } from 'yaml/util';
import '../exact-json.ts';
import { textOfBase64 } from './base64.ts';
import {
  boolPattern,
  nullPattern,
  numberPattern,
  resolveScalar,
  resolveTagged,
  type ScalarTagName,
  wordNumberPattern,
} from './scalar.ts';
import { isMergeKey, tagPrefix } from './scalar-node.ts';

/** The original notation of a scalar if it still has the same value; otherwise JSON's notation. */
const asWritten = ({ source, value }: Scalar): string =>
  source !== undefined && Object.is(resolveScalar(source).value, value) ? source : JSON.stringify(value);

/** Tags of plain scalars that are not strings. */
const implicit = (tag: ScalarTagName, test: RegExp, identify: (value: unknown) => boolean): ScalarTag => ({
  tag: `${tagPrefix}${tag}`,
  default: true,
  test,
  identify,
  resolve: (source) => resolveScalar(source).value,
  stringify: asWritten,
});

/** Tags that must be written; a text that is invalid for the tag is an error. */
const explicit = (tag: ScalarTagName): ScalarTag => ({
  tag: `${tagPrefix}${tag}`,
  resolve(source, report) {
    const found = resolveTagged(tag, source);
    if (found === undefined) report(`This is not a value of the tag !!${tag}`);
    return found === undefined ? source : found.value;
  },
  stringify: asWritten,
});

/** Characters that YAML 1.1 or go-yaml does not accept literally, or treats as a line end. */
const unsafe = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/;

const escaped = (text: string): string =>
  text.replaceAll(
    new RegExp(unsafe, 'g'),
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const text: ScalarTag = {
  tag: stringTag.tag,
  default: true,
  identify: (value) => typeof value === 'string',
  resolve: (source) => source,
  stringify(item, context, onComment, onChompKeep) {
    // A merge key that was parsed is written as one; a string `<<` is quoted.
    if (isMergeKey(item)) return item.source ?? '<<';
    const write = stringTag.stringify ?? ((scalar: Scalar) => JSON.stringify(scalar.value));
    if (typeof item.value !== 'string' || !unsafe.test(item.value))
      return write(item, context, onComment, onChompKeep);
    const quoted = Object.assign(item.clone() as Scalar, { type: 'QUOTE_DOUBLE' });
    return escaped(write(quoted, context, onComment, onChompKeep));
  },
};

/** `=`, which has a meaning in YAML 1.1 but not in kubectl; it is quoted when written. */
const defaultValue: ScalarTag = {
  tag: `${tagPrefix}value`,
  default: true,
  test: /^=$/,
  resolve: (source) => source,
};

/**
 * Base64 bytes, which kubectl converts to a string. Bytes that are not valid UTF-8 are an error, because JSON cannot
 * hold them.
 */
const binary: ScalarTag = {
  tag: `${tagPrefix}binary`,
  resolve(source, report) {
    const found = textOfBase64(source);
    if (found === undefined) report('The bytes of this !!binary are not text, so JSON cannot hold them');
    return found ?? source;
  },
  stringify: ({ source, value }) =>
    source !== undefined && textOfBase64(source) === value ? source : JSON.stringify(value),
};

/** The tags that kubectl knows. It ignores others, also on maps and lists: a scalar with one is a string. */
export const kubectlTags = [
  mapTag,
  seqTag,
  text,
  implicit('null', nullPattern, (value) => value === null || value === undefined),
  implicit('bool', boolPattern, (value) => typeof value === 'boolean'),
  implicit('int', numberPattern, (value) => typeof value === 'bigint' || Number.isInteger(value)),
  implicit('float', wordNumberPattern, (value) => typeof value === 'number' && !Number.isInteger(value)),
  defaultValue,
  explicit('null'),
  explicit('bool'),
  explicit('int'),
  explicit('float'),
  explicit('timestamp'),
  binary,
];
