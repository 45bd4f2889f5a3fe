import { type Document, type SchemaOptions, stringify, type ToStringOptions } from 'yaml';
import { kubectlSchema } from './documents.ts';

/** What both versions of YAML read as more than text is quoted: besides what kubectl has, times and numbers of base 60. */
const writing = { ...kubectlSchema, compat: 'yaml-1.1' } as const;

/** How YAML looks: keys in the order of their names, lists at the indentation of their keys. */
type Style = Pick<SchemaOptions & ToStringOptions, 'sortMapEntries' | 'indentSeq'>;

/** A value of JSON as YAML, its texts unwrapped. Any reader of YAML 1.1 or 1.2 reads it as the same value. */
export function writeYaml(value: unknown, style: Style = {}): string {
  return stringify(value, { ...writing, ...style, lineWidth: 0, aliasDuplicateObjects: false });
}

/** A document of `readDocuments` that was changed since, with its comments and ways of writing. */
export function writeDocument(document: Document): string {
  document.setSchema('1.2', writing);
  return document.toString({ lineWidth: 0 });
}
