import { CST, type Document, isScalar, Lexer, LineCounter, parseAllDocuments, visit } from 'yaml';
import { Problem } from '../../contract/problem.ts';
import { isNothing, kubectlSchema } from '../../kube/yaml/documents.ts';

const deepestFlow = 32;
const deepestLine = 8;
const maxEntries = 20_000;
// The parser's work grows with the square of a quoted text's lines.
const maxLines = 8_000;
const manyDocuments = 'has more than one document. Paste one.';

/**
 * Parses YAML (or JSON) from outside, scalars as kubectl has them: one document, unique keys, no anchors, aliases, tags, merge keys or directives,
 * bounded nesting, entries and lines. Never quotes the text in an error: it may hold secrets.
 * @param given documents without a value after the one are none
 * @param limit bytes
 * @throws Problem 400 (413 when too large), beginning with `what`, e.g. "The kubeconfig"
 */
export function parseStrictYaml(given: string, limit: number, what: string): unknown {
  if (Buffer.byteLength(given) > limit) {
    throw new Problem({ status: 413, title: `${what} is larger than ${Math.floor(limit / 1024)} KB.` });
  }
  const refuse = (reason: string, cause?: unknown) =>
    new Problem({ status: 400, title: `${what} ${reason}` }, { cause });
  if (given.includes('\0')) throw refuse('contains a NUL character.');
  if (hasMoreLines(given, maxLines)) throw refuse(`has more than ${maxLines.toLocaleString('en')} lines.`);
  const text = withoutEmptyEnd(given);

  // The parser is recursive, and slow on what is deep or wide: its tokens are counted first, which is linear.
  const found = findRefusedToken(text);
  if (found !== undefined) throw refuse(found);

  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, {
    ...kubectlSchema,
    prettyErrors: false,
    stringKeys: true,
    lineCounter: lines,
  });
  const documents = Array.isArray(parsed) ? (parsed as Document.Parsed[]) : [];
  const fault = [...documents, parsed]
    .flatMap((one) => ('errors' in one ? [...one.errors, ...one.warnings] : []))
    .at(0);
  if (fault !== undefined) {
    const { line } = lines.linePos(fault.pos[0]);
    throw refuse(`is not valid YAML: line ${line} cannot be read.`);
  }
  // A text may end, or begin, with the mark of a document that is empty.
  const [document, another] = documents.filter((one) => !isNothing(one));
  if (another !== undefined) throw refuse(manyDocuments);
  if (document === undefined) return null;
  const twice = findKeyTwice(document);
  if (twice !== undefined) throw refuse(`has a key twice, on line ${lines.linePos(twice).line}.`);
  try {
    return document.toJS({ maxAliasCount: 0 }) as unknown;
  } catch {
    throw refuse('cannot be read.');
  }
}

const refusedTokens: Readonly<Record<string, string>> = {
  anchor: 'uses YAML anchors, which are not accepted. Write the values out (kubectl config view --raw does).',
  alias: 'uses YAML aliases, which are not accepted. Write the values out (kubectl config view --raw does).',
  tag: 'uses YAML tags, which are not accepted.',
  'directive-line': 'uses YAML directives, which are not accepted.',
};

/** Where a mapping has a key for the second time: offset in the text. */
function findKeyTwice(document: Document): number | undefined {
  let found: number | undefined;
  visit(document, {
    Map(_key, map) {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        // Other keys than texts are refused by the parser.
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) {
          found = key.range?.[0] ?? 0;
          return visit.BREAK;
        }
        seen.add(key.value);
      }
      return undefined;
    },
  });
  return found;
}

/** Tokens that begin an entry of a mapping or list. */
const entryTokens: ReadonlySet<string> = new Set([
  'map-value-ind',
  'explicit-key-ind',
  'seq-item-ind',
  'comma',
]);

/** Tokens that an empty document does not have. */
const contentTokens: ReadonlySet<string> = new Set([
  ...entryTokens,
  'scalar',
  'single-quoted-scalar',
  'double-quoted-scalar',
  'block-scalar-header',
  'flow-map-start',
  'flow-seq-start',
]);

/** Documents that tools write of nothing. */
const emptyDocuments: ReadonlySet<string> = new Set(['', 'null', '~', '{}']);

/** A text without the documents at its end that hold nothing. */
function withoutEmptyEnd(text: string): string {
  let rest = text;
  for (;;) {
    const at = Math.max(rest.lastIndexOf('\n---'), rest.lastIndexOf('\n...'));
    const last = rest.slice(at + 4);
    if (at === -1 || /^\S/.test(last)) return rest;
    if (!emptyDocuments.has(last.replaceAll(/(?:^|\s)#[^\n]*/g, '').trim())) return rest;
    rest = rest.slice(0, at + 1);
  }
}

function hasMoreLines(text: string, limit: number): boolean {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    count += 1;
    if (count > limit) return true;
  }
  return false;
}

function findRefusedToken(text: string): string | undefined {
  let flow = 0;
  let entries = 0;
  let indicators = 0;
  let hasContent = false;
  let isOver = false;
  let isScalarNext = false;
  for (const token of new Lexer().lex(text)) {
    if (isScalarNext) {
      // The token after the scalar mark is text, whatever it begins with.
      isScalarNext = false;
      hasContent = true;
      continue;
    }
    const type = CST.tokenType(token) ?? '';
    const refused = refusedTokens[type];
    if (refused !== undefined) return refused;
    if (isOver && contentTokens.has(type)) return manyDocuments;
    if (entryTokens.has(type)) entries += 1;
    if (type === 'scalar') isScalarNext = true;
    else if (type === 'newline') indicators = 0;
    else if (type === 'seq-item-ind' || type === 'explicit-key-ind') indicators += 1;
    else if (type === 'flow-map-start' || type === 'flow-seq-start') flow += 1;
    else if (type === 'flow-map-end' || type === 'flow-seq-end') flow = Math.max(0, flow - 1);
    else if (type === 'doc-end' || (type === 'doc-start' && hasContent)) isOver = true;
    if (flow > deepestFlow || indicators > deepestLine) return 'is nested too deeply.';
    if (entries > maxEntries) return `has more than ${maxEntries.toLocaleString('en')} entries.`;
  }
  return undefined;
}
