import type { Document, LineCounter } from 'yaml';
import { notesOf } from './manifest-notes.ts';
import { isNothing, readDocuments } from './yaml/documents.ts';
import { pointedAt } from './yaml/pointed-at.ts';
import { readValue, tooDeep, type ValueFault } from './yaml/value.ts';
import { writeDocument } from './yaml/write.ts';

/** Maximum size of a text that is parsed, in bytes of UTF-8. */
export const manifestLimit = 10 * 1024 * 1024;
/** Maximum number of documents in a text. */
export const documentsLimit = 500;
/** One document of a YAML text. */
export interface ManifestDocument {
  /** The value as JSON, as it is sent. */
  readonly value: unknown;
  /** The document's part of the text, which can be parsed by itself. */
  readonly source: string;
  /** The line where it begins, from 1. */
  readonly line: number;
  /** Whole sentences about values that kubectl reads differently from their appearance; absent if there are none. */
  readonly notes?: readonly string[];
}

/** The result of parsing a YAML text. Blank text and comments alone are neither a value nor an error. */
export type Manifest =
  | { readonly type: 'empty' }
  | { readonly type: 'valid'; readonly documents: readonly ManifestDocument[] }
  | {
      readonly type: 'invalid';
      /** The parser's message, with the affected lines if it shows them. */
      readonly message: string;
      /** The message without quotations from the text. */
      readonly bare: string;
      /** Line, from 1; undefined if the error concerns the whole text. */
      readonly line?: number;
      readonly column?: number;
      /** A possible cause that the parser's message does not name; whole sentences. */
      readonly hint?: string;
    };

const invalid = (message: string) => ({ type: 'invalid', message, bare: message }) as const;

/** Why a text is not parsed at all; undefined if it can be. */
export function refusedText(text: string): string | undefined {
  const bytes = utf8Length(text);
  if (bytes > manifestLimit) {
    const megabytes = (bytes / 1024 / 1024).toFixed(1);
    return `This text has ${megabytes} MB, more than the maximum of ${manifestLimit / 1024 / 1024} MB. Split it, or use kubectl.`;
  }
  if (text.includes('\0'))
    return 'This text has NUL characters: it is not UTF-8. Save it as UTF-8 and paste it again.';
  if (text.includes('\u{FFFD}'))
    return 'This text has characters that could not be decoded (U+FFFD). Save it as UTF-8 and paste it again.';
  if (!text.isWellFormed())
    return 'This text has half of a character (a lone surrogate): it is not UTF-8. Save it as UTF-8 and paste it again.';
  return undefined;
}

/** The size of a text in bytes of UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // Each half of a surrogate pair counts as two of its four bytes.
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

/**
 * Parses a YAML (or JSON) text of any number of documents as kubectl does. Never throws; a text made for it may take
 * long.
 */
export function parseManifest(text: string): Manifest {
  const refused = refusedText(text);
  return refused === undefined ? readManifest(text, documentsLimit) : invalid(refused);
}

/** Like `parseManifest`, for texts from a cluster: of any size, with all characters that YAML allows. */
export function readManifest(text: string, maxDocuments = Number.POSITIVE_INFINITY): Manifest {
  if (text.trim() === '') return { type: 'empty' };
  try {
    const parsed = parse(text, maxDocuments);
    return parsed.type === 'invalid' && oddEnds.test(text) ? { ...parsed, hint: endsHint } : parsed;
  } catch (error) {
    if (error instanceof RangeError) return invalid(tooDeep);
    return invalid(error instanceof Error ? error.message : String(error));
  }
}

/** Characters that some editors treat as line ends and YAML does not: NEL, and the line and paragraph separators. */
const oddEnds = /[\u0085\u2028\u2029]/;
const endsHint =
  'This text has line ends that YAML does not know (NEL, U+2028 or U+2029). If lines should end there, save it with ordinary line ends and paste it again.';

/** Characters that a YAML text must not contain literally; kubectl refuses them too. */
const control = /[^\P{Cc}\t\n\r\u0085]|[\ufffe\uffff]/u;

function parse(text: string, maxDocuments: number): Manifest {
  const { documents, lines } = readDocuments(text);
  const odd = text.search(control);
  if (odd >= 0) {
    const message = 'Control characters are not allowed';
    const advice = 'Write an escape in double quotes, as "\\x1b".';
    return valueFault({ message, advice, offset: odd }, text, lines);
  }
  const found: ManifestDocument[] = [];
  for (const document of documents) {
    const fault = faultOf(document, text, lines);
    if (fault !== undefined) return fault;
    const read = readValue(document);
    if (read.type === 'fault') return valueFault(read.fault, text, lines);
    const { value, replacing } = read;
    if (value === null && isNothing(document)) continue;
    const [start, , end] = document.range;
    const { line } = lines.linePos(document.contents?.range?.[0] ?? start);
    // A document with directives has another meaning without them.
    const isPlain = document.directives?.docStart !== true || !hasDirectives(document);
    const notes = notesOf({ document, lines, value, replacing });
    found.push({
      value,
      source: isPlain ? text.slice(start, end) : writeDocument(document),
      line,
      ...(notes.length === 0 ? {} : { notes }),
    });
    if (found.length > maxDocuments)
      return invalid(`This text has more than ${maxDocuments} documents. Split it.`);
  }
  return found.length === 0 ? { type: 'empty' } : { type: 'valid', documents: found };
}

/** What is wrong with the syntax of a document, or with its keys and values. */
function faultOf(document: Document.Parsed, text: string, lines: LineCounter): Manifest | undefined {
  const [fault] = document.errors;
  if (fault === undefined) return undefined;
  // The library reports an overflow of its own stack as a fault of the text.
  if (fault.message.startsWith('Maximum call stack')) return invalid(tooDeep);
  const read = readValue(document);
  if (read.type === 'fault' && (read.fault.offset ?? Number.POSITIVE_INFINITY) < fault.pos[0])
    return valueFault(read.fault, text, lines);
  const { line, col } = lines.linePos(fault.pos[0]);
  const bare = (fault.message.split('\n')[0] ?? '').replace(/(?: at line \d+, column \d+)?:?$/, '');
  return {
    type: 'invalid',
    message: fault.message.trim(),
    bare: `${bare} at line ${line}, column ${col}`,
    line,
    column: col,
  };
}

function valueFault({ message, advice, offset }: ValueFault, text: string, lines: LineCounter): Manifest {
  if (offset === undefined) return invalid(message);
  const { line, col } = lines.linePos(offset);
  const place = `${message} at line ${line}, column ${col}`;
  const shown = `${place}:\n\n${pointedAt(text, lines, offset)}`;
  return {
    type: 'invalid',
    message: advice === undefined ? shown : `${shown}\n\n${advice}`,
    bare: advice === undefined ? place : `${place}. ${advice}`,
    line,
    column: col,
  };
}

function hasDirectives({ directives }: Document.Parsed): boolean {
  return (
    directives !== undefined && (directives.yaml.explicit === true || Object.keys(directives.tags).length > 1)
  );
}
