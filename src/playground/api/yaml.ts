import { type Document, isScalar, LineCounter, parseDocument, visit, type YAMLError } from 'yaml';

/** A text that is no YAML; the message is that of Go's library ("yaml: line 3: could not find expected ':'"). */
export class YamlError extends Error {}

/** A document and the keys that stand twice in one of its maps. */
export interface Yaml {
  readonly value: unknown;
  /** Go's sentences for keys that stand twice: `line 4: key "a" already set in map`. */
  readonly twice: readonly string[];
}

/** What Go says where the library here says this. */
const words: readonly (readonly [RegExp, string])[] = [
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
  const alias = /Unresolved alias.*: (\S+)/.exec(error.message)?.[1];
  if (alias !== undefined) return `yaml: unknown anchor '${alias}' referenced`;
  const found = words.find(([pattern]) => pattern.test(error.message));
  const { line } = lines.linePos(error.pos[0]);
  return `yaml: line ${line}: ${found?.[1] ?? 'did not find expected node content'}`;
}

function repeated(document: Document.Parsed, lines: LineCounter): string[] {
  const found: { line: number; text: string }[] = [];
  visit(document, {
    Map: (_key, map) => {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
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

/** What YAML 1.1 reads as more than text and Go's library does not: times, and numbers with colons. */
const textual = (tag: unknown): boolean =>
  typeof tag === 'object' &&
  tag !== null &&
  (('format' in tag && tag.format === 'TIME') || ('tag' in tag && tag.tag === 'tag:yaml.org,2002:timestamp'));

/** Reads a YAML document as the API server does: YAML 1.1, the last of two equal keys counts. Throws YamlError. */
export function readYaml(text: string): Yaml {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    uniqueKeys: false,
    lineCounter: lines,
    prettyErrors: false,
    version: '1.1',
    customTags: (tags) => tags.filter((tag) => !textual(tag)),
  });
  const [error] = document.errors;
  if (error !== undefined) throw new YamlError(sentence(error, lines));
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 1000 }) as unknown;
  } catch (failure) {
    const alias = /Unresolved alias.*: (\S+)/.exec(String(failure))?.[1];
    throw new YamlError(
      alias === undefined
        ? 'yaml: document contains excessive aliasing'
        : `yaml: unknown anchor '${alias}' referenced`,
    );
  }
  return { value, twice: repeated(document, lines) };
}
