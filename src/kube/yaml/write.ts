import { type Document, type SchemaOptions, stringify, type ToStringOptions } from 'yaml';
import { kubectlSchema } from './documents.ts';

/**
 * Quotes whatever either YAML version reads as more than a string: besides kubectl's rules, times and base 60 numbers.
 */
const writing = { ...kubectlSchema, compat: 'yaml-1.1' } as const;

/** Formatting: keys sorted by name, lists indented like their keys. */
type Style = Pick<SchemaOptions & ToStringOptions, 'sortMapEntries' | 'indentSeq'>;

/** Writes a JSON value as YAML without wrapping strings. Every parser of YAML 1.1 or 1.2 reads the same value. */
export function writeYaml(value: unknown, style: Style = {}): string {
  return stringify(value, { ...writing, ...style, lineWidth: 0, aliasDuplicateObjects: false });
}

/** Writes a changed document of `readDocuments`, keeping comments and notation. */
export function writeDocument(document: Document): string {
  document.setSchema('1.2', writing);
  return document.toString({ lineWidth: 0 });
}
