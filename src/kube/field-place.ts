import { isMap, isScalar, isSeq, type Node } from 'yaml';
import { isNothing, readDocuments } from './yaml/documents.ts';
import { keyOfScalar } from './yaml/scalar-node.ts';

/** Line and column in a text, both from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** Maximum length of a text that is searched, in characters, so that the page stays responsive. */
const maxTextLength = 1_000_000;
const part = /\.?([^.[\]]+)|\[([^\]]*)\]/y;

/** Splits a path from an API server's message: `spec.ports[0].name`, `data[a.b]`. */
export function fieldParts(field: string): readonly string[] {
  const parts: string[] = [];
  part.lastIndex = 0;
  for (let found = part.exec(field); found !== null; found = part.exec(field))
    parts.push(found[1] ?? found[2] ?? '');
  return parts;
}

/**
 * Finds where fields are in a YAML text, by paths from an API server; for a missing field, its nearest existing parent.
 * Undefined if the text is invalid or no part of the path exists.
 * @param document index of the document from 0, not counting empty ones
 */
export function placesOfFields(
  text: string,
  fields: readonly string[],
  document = 0,
): readonly (TextPlace | undefined)[] {
  const nowhere = fields.map(() => undefined);
  if (text.length > maxTextLength) return nowhere;
  const { documents, lines } = readDocuments(text);
  const root = documents.filter((one) => !isNothing(one))[document]?.contents;
  return fields.map((field) => {
    const offset = offsetOf(root, fieldParts(field));
    if (offset === undefined) return undefined;
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  });
}

function offsetOf(root: Node | null | undefined, parts: readonly string[]): number | undefined {
  let found: number | undefined;
  let node: unknown = root;
  for (const name of parts) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isNamed(key, name));
      if (pair === undefined) return found;
      if (isScalar(pair.key)) found = pair.key.range?.[0] ?? found;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(name)];
      found = startOf(node) ?? found;
    } else return found;
  }
  return found;
}

function isNamed(key: unknown, name: string): boolean {
  if (!isScalar(key)) return false;
  const found = keyOfScalar(key);
  return 'value' in found && found.value === name;
}

const startOf = (node: unknown): number | undefined =>
  isMap(node) || isSeq(node) || isScalar(node) ? node.range?.[0] : undefined;
