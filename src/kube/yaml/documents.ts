import { type Document, isScalar, LineCounter, parseAllDocuments } from 'yaml';
import { kubectlTags } from './tags.ts';

/** Options of the library for kubectl's YAML, whatever version a directive names. */
export const kubectlSchema = {
  customTags: () => [...kubectlTags],
  // `readValue` merges maps and compares keys, because the library does both differently from kubectl.
  merge: false,
  uniqueKeys: false,
  resolveKnownTags: false,
} as const;

/** A parsed YAML text. */
export interface YamlText {
  /** Without empty documents, unless they have errors. */
  readonly documents: readonly Document.Parsed[];
  readonly lines: LineCounter;
}

/** Parses the documents of a text. Syntax errors are in their `errors`. Throws RangeError for too deep nesting. */
export function readDocuments(text: string): YamlText {
  const lines = new LineCounter();
  // The library's warnings quote the text and would go to the log.
  const parsed = parseAllDocuments(text, { ...kubectlSchema, lineCounter: lines, logLevel: 'error' });
  // An empty stream has no documents but may have errors.
  return { documents: Array.isArray(parsed) ? (parsed as Document.Parsed[]) : [], lines };
}

/** Whether a document has no content besides comments; such a document does not count. */
export function isNothing({ contents }: Document.Parsed): boolean {
  return contents === null || (isScalar(contents) && contents.source === '' && contents.anchor === undefined);
}
