import { type Document, isCollection, isScalar, isSeq } from 'yaml';
import { diffJson, isSame, type JsonChange, type JsonPath } from './json-diff.ts';
import { readDocuments } from './yaml/documents.ts';
import { readValue } from './yaml/value.ts';
import { writeDocument } from './yaml/write.ts';

/**
 * A text of one document of YAML changed to hold another value, with its comments, its order and its ways of writing
 * where they still mean something. Undefined where that cannot be done: the value is to be written anew then.
 */
export function patchText(text: string, value: unknown): string | undefined {
  try {
    const found = onlyDocument(text);
    if (found === undefined) return undefined;
    const { document, value: before } = found;
    for (const change of diffJson(before, value)) apply(document, change);
    const patched = writeDocument(document);
    // An alias is changed with what it stands for: then it is not the value that was asked for.
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
  // A text in a block keeps being one only where it can.
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

/** Puts a value between others of a list; false where the place is in no list. */
function insert(document: Document, path: JsonPath, value: unknown): boolean {
  const at = path.at(-1);
  const parent: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isSeq(parent) || typeof at !== 'number') return false;
  parent.items.splice(at, 0, document.createNode(value));
  return true;
}
