import { type Document, isCollection, isScalar, isSeq } from 'yaml';
import { diffJson, isSame, type JsonChange, type JsonPath } from './json-diff.ts';
import { readDocuments } from './yaml/documents.ts';
import { readValue } from './yaml/value.ts';
import { writeDocument } from './yaml/write.ts';

/**
 * Edits a YAML text of one document so that it has another value, keeping comments, order and notation where they still
 * apply. Undefined if that is impossible and the value must be written anew.
 */
export function patchText(text: string, value: unknown): string | undefined {
  try {
    const found = onlyDocument(text);
    if (found === undefined) return undefined;
    const { document, value: before } = found;
    for (const change of diffJson(before, value)) apply(document, change);
    const patched = writeDocument(document);
    // Changing an alias changes its anchor as well, so the result may differ from the requested value.
    return isSame(onlyDocument(patched)?.value, value) ? patched : undefined;
  } catch {
    return undefined;
  }
}

function onlyDocument(
  text: string,
): { readonly document: Document.Parsed; readonly value: unknown } | undefined {
  const [document, ...others] = readDocuments(text).documents;
  if (document === undefined || others.length > 0 || document.errors.length > 0) return undefined;
  const read = readValue(document);
  return read.type === 'value' ? { document, value: read.value } : undefined;
}

function apply(document: Document, change: JsonChange): void {
  const { path } = change;
  if (change.op === 'remove') {
    document.deleteIn(path);
    return;
  }
  if (change.op === 'add' && insert(document, path, change.value)) return;
  const old: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
  const isPlain = typeof change.value !== 'object' || change.value === null;
  // A block scalar remains one only if the new text allows it.
  if (isScalar(old) && isPlain && typeof old.value === typeof change.value) {
    old.value = change.value;
    return;
  }
  const made = document.createNode(change.value);
  if ((isScalar(old) || isCollection(old)) && (isScalar(made) || isCollection(made))) {
    made.comment = old.comment ?? null;
    made.commentBefore = old.commentBefore ?? null;
  }
  if (path.length === 0) document.contents = made;
  else document.setIn(path, made);
}

/** Inserts a value into a list; false if the path leads to no list. */
function insert(document: Document, path: JsonPath, value: unknown): boolean {
  const at = path.at(-1);
  const parent: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isSeq(parent) || typeof at !== 'number') return false;
  parent.items.splice(at, 0, document.createNode(value));
  return true;
}
