import type { Scalar, ScalarTag } from 'yaml';
import { mapTag, seqTag, stringTag } from 'yaml/util';
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

/** What a scalar was written as, where it still stands for its value; else how JSON writes it. */
const asWritten = ({ source, value }: Scalar): string =>
  source !== undefined && Object.is(resolveScalar(source).value, value) ? source : JSON.stringify(value);

/** Plain scalars that are read as more than text. */
const implicit = (tag: ScalarTagName, test: RegExp, identify: (value: unknown) => boolean): ScalarTag => ({
  tag: `${tagPrefix}${tag}`,
  default: true,
  test,
  identify,
  resolve: (source) => resolveScalar(source).value,
  stringify: asWritten,
});

/** Scalars that have a tag; what is no value of that tag is refused. */
const explicit = (tag: ScalarTagName): ScalarTag => ({
  tag: `${tagPrefix}${tag}`,
  resolve(source, report) {
    const found = resolveTagged(tag, source);
    if (found === undefined) report(`This is not a value of the tag !!${tag}`);
    return found === undefined ? source : found.value;
  },
  stringify: asWritten,
});

/** Characters that YAML 1.1 or go-yaml does not take as they are, or takes for the end of a line. */
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
    // A merge key that was read is written as one; a text `<<` is quoted.
    if (isMergeKey(item)) return item.source ?? '<<';
    const write = stringTag.stringify ?? ((scalar: Scalar) => JSON.stringify(scalar.value));
    if (typeof item.value !== 'string' || !unsafe.test(item.value))
      return write(item, context, onComment, onChompKeep);
    const quoted = Object.assign(item.clone() as Scalar, { type: 'QUOTE_DOUBLE' });
    return escaped(write(quoted, context, onComment, onChompKeep));
  },
};

/** The one text that YAML 1.1 has a meaning for and kubectl has none: it is quoted when it is written. */
const defaultValue: ScalarTag = {
  tag: `${tagPrefix}value`,
  default: true,
  test: /^=$/,
  resolve: (source) => source,
};

/** Bytes in base64, which kubectl makes text of. Those that are no text are refused: JSON cannot hold them. */
const binary: ScalarTag = {
  tag: `${tagPrefix}binary`,
  resolve(source, report) {
    const found = textOfBase64(source);
    if (found === undefined) report('The bytes of this !!binary are no text: JSON cannot hold them');
    return found ?? source;
  },
  stringify: ({ source, value }) =>
    source !== undefined && textOfBase64(source) === value ? source : JSON.stringify(value),
};

/** The tags that kubectl knows. Others, also of maps and lists, mean nothing to it: a scalar with one is text. */
export const kubectlTags = [
  mapTag,
  seqTag,
  text,
  implicit('null', nullPattern, (value) => value === null || value === undefined),
  implicit('bool', boolPattern, (value) => typeof value === 'boolean'),
  implicit('int', numberPattern, Number.isInteger),
  implicit('float', wordNumberPattern, (value) => typeof value === 'number' && !Number.isInteger(value)),
  defaultValue,
  explicit('null'),
  explicit('bool'),
  explicit('int'),
  explicit('float'),
  explicit('timestamp'),
  binary,
];
