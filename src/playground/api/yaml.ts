import { type Document, isScalar, LineCounter, parseDocument, visit, type YAMLError } from 'yaml';
import { kubectlSchema } from '../../kube/yaml/documents.ts';
import { isMergeKey } from '../../kube/yaml/scalar-node.ts';
import { readValue, type ValueFault } from '../../kube/yaml/value.ts';

/** A text that is not YAML; the message is that of Go's library ("yaml: line 3: could not find expected ':'"). */
export class YamlError extends Error {}

/** A document with its duplicate keys. */
export interface Yaml {
  readonly value: unknown;
  /** Go's messages for duplicate keys: `line 4: key "a" already set in map`. */
  readonly duplicates: readonly string[];
}

/** Error messages of the YAML library, each with its equivalent in Go. */
const goMessages: readonly (readonly [RegExp, string])[] = [
  [
    /must be sufficiently indented and end with a \]|Expected flow sequence/,
    "did not find expected ',' or ']'",
  ],
  [/must be sufficiently indented and end with a \}|Expected flow map/, "did not find expected ',' or '}'"],
  [/nested mappings are not allowed/i, 'mapping values are not allowed in this context'],
  [/implicit (?:map )?keys? need/i, "could not find expected ':'"],
  [/missing closing/i, 'found unexpected end of stream'],
  [/tabs? /i, 'found character that cannot start any token'],
  [/plain value cannot start with/i, 'found character that cannot start any token'],
  [/same column|all (?:mapping|sequence) items/i, 'did not find expected key'],
];

function sentence(error: YAMLError, lines: LineCounter): string {
  const found = goMessages.find(([pattern]) => pattern.test(error.message));
  const { line } = lines.linePos(error.pos[0]);
  return `yaml: line ${line}: ${found?.[1] ?? 'did not find expected node content'}`;
}

function repeated(document: Document.Parsed, lines: LineCounter): string[] {
  const found: { line: number; text: string }[] = [];
  visit(document, {
    Map: (_key, map) => {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key) || isMergeKey(key)) continue;
        if (seen.has(key.value)) {
          const { line } = lines.linePos(key.range?.[0] ?? 0);
          found.push({ line, text: `line ${line}: key ${JSON.stringify(key.value)} already set in map` });
        }
        seen.add(key.value);
      }
    },
  });
  return found.sort((a, b) => a.line - b.line).map(({ text }) => text);
}

/** Go's error for valid YAML that has no JSON equivalent. */
function goMessageOf({ message, offset = 0 }: ValueFault, text: string): string {
  if (message.startsWith('Unresolved alias')) {
    const name = /^\*([^\s,[\]{}]+)/.exec(text.slice(offset))?.[1] ?? '';
    return `yaml: unknown anchor '${name}' referenced`;
  }
  if (message.startsWith('Aliases multiply')) return 'yaml: document contains excessive aliasing';
  return `yaml: ${message}`;
}

/**
 * Parses a YAML document as the API server does; as in kubectl, the last of equal keys counts. Throws YamlError.
 */
export function readYaml(text: string): Yaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { ...kubectlSchema, lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) throw new YamlError(sentence(error, lines));
  const read = readValue(document, 'last');
  if (read.type === 'fault') throw new YamlError(goMessageOf(read.fault, text));
  const { value } = read;
  return { value, duplicates: repeated(document, lines) };
}
