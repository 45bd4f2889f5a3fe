import { type Document, isMap, isPair, isScalar, isSeq, LineCounter, parseAllDocuments } from 'yaml';
import { notesOf } from './manifest-notes.ts';

/** Longest text that is parsed, in bytes of UTF-8. */
export const manifestLimit = 10 * 1024 * 1024;
/** Most documents of one text. */
export const documentsLimit = 500;
/** Levels of lists and maps in one another that are read. Kubernetes' own kinds have some twenty. */
export const deepestManifest = 200;

/**
 * Characters from which on keys are compared here: the library compares each key of a map with all before it, which
 * takes 10 s for a map of 1 MB. Up to here its own words tell of a key that stands there twice.
 */
const largeText = 64 * 1024;

/** One document of a text of YAML. */
export interface ManifestDocument {
  /** Its value as JSON has it. */
  readonly value: unknown;
  /** The part of the text it was read from; it can be parsed by itself. */
  readonly source: string;
  /** Line it begins on, from 1. */
  readonly line: number;
  /** What is read here in another way than kubectl reads it, whole sentences; absent where nothing is. */
  readonly notes?: readonly string[];
}

/** What a text of YAML is. Blank text and comments alone are no value and no error. */
export type Manifest =
  | { readonly type: 'empty' }
  | { readonly type: 'valid'; readonly documents: readonly ManifestDocument[] }
  | {
      readonly type: 'invalid';
      /** The parser's own words, with the lines in question where it shows them. */
      readonly message: string;
      /** The same without anything quoted from the text. */
      readonly bare: string;
      /** Where, from 1; undefined where the whole text is meant. */
      readonly line?: number;
      readonly column?: number;
      /** What else may be the matter, where the parser's words do not lead there; whole sentences. */
      readonly hint?: string;
    };

const invalid = (message: string) => ({ type: 'invalid', message, bare: message }) as const;

/** Why a text is not even given to the parser; undefined when it is. */
export function refusedText(text: string): string | undefined {
  const bytes = utf8Length(text);
  if (bytes > manifestLimit) {
    const megabytes = (bytes / 1024 / 1024).toFixed(1);
    return `This text has ${megabytes} MB, more than the ${manifestLimit / 1024 / 1024} MB that are read here. Split it, or use kubectl.`;
  }
  if (text.includes('\0'))
    return 'This text has NUL characters: it is no UTF-8. Save it as UTF-8 and paste it again.';
  if (text.includes('\u{FFFD}'))
    return 'This text has characters that could not be decoded (U+FFFD). Save it as UTF-8 and paste it again.';
  if (!text.isWellFormed())
    return 'This text has half of a character (a surrogate that stands alone): it is no UTF-8. Save it as UTF-8 and paste it again.';
  return undefined;
}

/** Bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // Each half of a surrogate pair counts two of its four bytes.
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

/** Reads a text of YAML (or JSON) of any number of documents. Never throws; may take long for what is made to. */
export function parseManifest(text: string): Manifest {
  if (text.trim() === '') return { type: 'empty' };
  const refused = refusedText(text);
  if (refused !== undefined) return invalid(refused);
  try {
    const parsed = parse(text);
    return parsed.type === 'invalid' && oddEnds.test(text) ? { ...parsed, hint: endsHint } : parsed;
  } catch (error) {
    if (error instanceof RangeError) return tooDeep;
    return invalid(error instanceof Error ? error.message : String(error));
  }
}

const tooDeep = invalid(`This text is nested too deeply: more than ${deepestManifest} levels are not read.`);

/** What ends a line for some editors and not for YAML: NEL, and the separators of lines and paragraphs. */
const oddEnds = /[\u0085\u2028\u2029]/;
const endsHint =
  'This text has line ends that YAML does not know (NEL, U+2028 or U+2029). If lines should end there, save it with ordinary line ends and paste it again.';

function parse(text: string): Manifest {
  const lines = new LineCounter();
  const isLarge = text.length > largeText;
  const parsed = parseAllDocuments(text, {
    lineCounter: lines,
    // Its warnings quote the text, and go to the log.
    logLevel: 'error',
    uniqueKeys: !isLarge,
  });
  // An empty stream has no documents but may have errors.
  const documents = Array.isArray(parsed) ? (parsed as Document.Parsed[]) : [];
  const found: ManifestDocument[] = [];
  for (const document of documents) {
    const [fault] = document.errors;
    const again = isLarge ? repeatedKey(document.contents) : undefined;
    if (again !== undefined && again < (fault?.pos[0] ?? Number.POSITIVE_INFINITY)) {
      const { line, col } = lines.linePos(again);
      const message = `Map keys must be unique at line ${line}, column ${col}`;
      return { type: 'invalid', message, bare: message, line, column: col };
    }
    if (fault !== undefined) {
      // The library tells of its own stack as of a fault of the text.
      if (fault.message.startsWith('Maximum call stack')) return tooDeep;
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
    // Throws for aliases that multiply without end, or lead nowhere.
    const value: unknown = document.toJS();
    const odd = notJson(value);
    if (odd !== undefined) return invalid(odd);
    if (value === null && isNothing(document)) continue;
    const [start, , end] = document.range;
    const { line } = lines.linePos(document.contents?.range?.[0] ?? start);
    // A document with directives of its own means something else without them.
    const isPlain = document.directives?.docStart !== true || !hasDirectives(document);
    const notes = notesOf(document, lines);
    found.push({
      value,
      source: isPlain ? text.slice(start, end) : String(document),
      line,
      ...(notes.length === 0 ? {} : { notes }),
    });
    if (found.length > documentsLimit)
      return invalid(`This text has more than ${documentsLimit} documents. Split it.`);
  }
  return found.length === 0 ? { type: 'empty' } : { type: 'valid', documents: found };
}

/** Where the first key stands that its map has already, as an offset; undefined without one. Keys are equal as the library has it. */
function repeatedKey(root: unknown): number | undefined {
  let first: number | undefined;
  const waiting = [root];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (isPair(node)) waiting.push(node.key, node.value);
    else if (isSeq(node)) for (const item of node.items) waiting.push(item);
    else if (isMap(node)) {
      const seen = new Set<unknown>();
      for (const pair of node.items) {
        waiting.push(pair);
        const { key } = pair;
        // Not a number is not even itself.
        if (!isScalar(key) || Number.isNaN(key.value)) continue;
        const at = key.range?.[0] ?? 0;
        if (seen.has(key.value) && (first === undefined || at < first)) first = at;
        seen.add(key.value);
      }
    }
  }
  return first;
}

/** Whether a document has no content at all, comments aside: it is no document of the text. */
export function isNothing({ contents }: Document.Parsed): boolean {
  return contents === null || (isScalar(contents) && contents.source === '' && contents.anchor === undefined);
}

function hasDirectives({ directives }: Document.Parsed): boolean {
  return (
    directives !== undefined && (directives.yaml.explicit === true || Object.keys(directives.tags).length > 1)
  );
}

/** Why a value cannot be sent as JSON; undefined when it can. Does not itself go as deep as the value. */
function notJson(root: unknown): string | undefined {
  let level = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepestManifest) return tooDeep.message;
    const next: unknown[] = [];
    for (const value of level) {
      const odd = oddScalar(value);
      if (odd !== undefined) return odd;
      if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) next.push(one);
    }
    level = next;
  }
  return undefined;
}

const halfCharacter =
  'A text in this YAML has half of a character (a surrogate that stands alone, as "\\uD800"). Write the whole character.';

function oddScalar(value: unknown): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : halfCharacter;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return 'JSON has no number for .inf and .nan. Put it in quotes.';
    if (Number.isInteger(value) && !Number.isSafeInteger(value))
      return `The number ${value.toLocaleString('en', { useGrouping: false })} has more digits than can be kept. Put it in quotes.`;
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Object.keys(value).every((key) => key.isWellFormed())) return halfCharacter;
  return prototype === Object.prototype || prototype === null
    ? undefined
    : 'A YAML tag (such as !!binary or !!timestamp) makes a value that JSON does not have. Write it as text.';
}
