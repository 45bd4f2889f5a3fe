import { isMap, isScalar, isSeq, type Node } from 'yaml';
import { isNothing, readDocuments } from './yaml/documents.ts';
import { keyOfScalar } from './yaml/scalar-node.ts';

/** A place in a text, both from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** Longer texts are not searched: that would hold the page. */
const maxTextLength = 1_000_000;
const part = /\.?([^.[\]]+)|\[([^\]]*)\]/y;

/** The parts of a path as API servers write it in their refusals: `spec.ports[0].name`, `data[a.b]`. */
export function fieldParts(field: string): readonly string[] {
  const parts: string[] = [];
  part.lastIndex = 0;
  for (let found = part.exec(field); found !== null; found = part.exec(field))
    parts.push(found[1] ?? found[2] ?? '');
  return parts;
}

/**
 * Where fields stand in a text of YAML, by paths as API servers write them; for a field that is not there, what would
 * hold it. Undefined where the text cannot be read or nothing of the path is there.
 * @param document which of the text's documents, from 0; those that hold nothing are not counted
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
