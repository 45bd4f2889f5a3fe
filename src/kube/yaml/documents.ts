import { type Document, isScalar, LineCounter, parseAllDocuments } from 'yaml';
import { kubectlTags } from './tags.ts';

/** How the library reads and writes YAML here, whatever version a directive names: scalars as kubectl has them. */
export const kubectlSchema = {
  customTags: () => [...kubectlTags],
  // Merging and the comparing of keys are done by `readValue`: the library does both in another way than kubectl.
  merge: false,
  uniqueKeys: false,
  resolveKnownTags: false,
} as const;

/** A text of YAML as the library has it. */
export interface YamlText {
  /** Without those that are nothing at all, comments aside, unless there is something wrong with them. */
  readonly documents: readonly Document.Parsed[];
  readonly lines: LineCounter;
}

/** Reads the documents of a text. Faults of the syntax are in their `errors`. Throws RangeError for one nested too deeply. */
export function readDocuments(text: string): YamlText {
  const lines = new LineCounter();
  // The library's warnings quote the text, and go to the log.
  const parsed = parseAllDocuments(text, { ...kubectlSchema, lineCounter: lines, logLevel: 'error' });
  // An empty stream has no documents but may have errors.
  return { documents: Array.isArray(parsed) ? (parsed as Document.Parsed[]) : [], lines };
}

/** Whether a document has no content at all, comments aside: it is no document of the text. */
export function isNothing({ contents }: Document.Parsed): boolean {
  return contents === null || (isScalar(contents) && contents.source === '' && contents.anchor === undefined);
}
