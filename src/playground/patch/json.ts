import { applyChanges, type JsonPath } from '../../kube/json-diff.ts';
import { clone, isRec, same } from '../kit/values.ts';
import { sortFields } from './merge.ts';

/** A JSON patch (RFC 6902) that cannot be applied. */
export class JsonPatchError extends Error {}

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from: string | undefined;
  readonly value: unknown;
}

function readOperation(value: unknown): Operation {
  if (!isRec(value) || typeof value['op'] !== 'string' || typeof value['path'] !== 'string') {
    throw new JsonPatchError('an operation needs "op" and "path"');
  }
  const from = value['from'];
  return {
    op: value['op'],
    path: value['path'],
    from: typeof from === 'string' ? from : undefined,
    value: value['value'],
  };
}

function steps(pointer: string): string[] {
  // The server's library knows no path to the whole document.
  if (!pointer.startsWith('/')) throw new JsonPatchError(`the path "${pointer}" does not begin with a slash`);
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

const missing = (pointer: string) => new JsonPatchError(`there is no value at "${pointer}"`);

/** The place a step names in a list whose highest place is `last`; places below zero count from the end. */
function index(step: string, last: number, pointer: string): number {
  const place = /^[+-]?\d+$/.test(step) ? Number(step) : Number.NaN;
  const counted = place < 0 ? place + last + 1 : place;
  if (!(counted >= 0 && counted <= last)) throw missing(pointer);
  return counted;
}

/** A value within a document, and where it is. */
interface Found {
  readonly path: JsonPath;
  readonly value: unknown;
}

function walk(document: unknown, names: readonly string[], pointer: string): Found {
  const path: (string | number)[] = [];
  let value = document;
  for (const name of names) {
    if (Array.isArray(value)) {
      const at = index(name, value.length - 1, pointer);
      path.push(at);
      value = value[at] as unknown;
    } else if (isRec(value) && Object.hasOwn(value, name)) {
      path.push(name);
      value = value[name];
    } else throw missing(pointer);
  }
  return { path, value };
}

/** The value at a pointer. Throws JsonPatchError when there is none. */
const find = (document: unknown, pointer: string): Found => walk(document, steps(pointer), pointer);

/** Where a value is added: what holds it must be there. */
function placeToAdd(document: unknown, pointer: string): JsonPath {
  const names = steps(pointer);
  const last = names.pop() ?? '';
  const { path, value: holder } = walk(document, names, pointer);
  if (Array.isArray(holder))
    return [...path, last === '-' ? holder.length : index(last, holder.length, pointer)];
  if (!isRec(holder)) throw missing(pointer);
  return [...path, last];
}

const add = (document: unknown, pointer: string, value: unknown): unknown =>
  applyChanges(document, [{ op: 'add', path: placeToAdd(document, pointer), value }]);

const remove = (document: unknown, pointer: string): unknown =>
  applyChanges(document, [{ op: 'remove', path: find(document, pointer).path }]);

const replace = (document: unknown, pointer: string, value: unknown): unknown =>
  applyChanges(document, [{ op: 'replace', path: find(document, pointer).path, value }]);

/** The document with the fields of its objects that a patch goes through in the order of their names, as Go's maps. */
function sortedAlong(document: unknown, patch: readonly unknown[]): unknown {
  const paths = patch.flatMap((entry) =>
    ['path', 'from'].flatMap((field) => {
      const given = isRec(entry) ? entry[field] : undefined;
      return typeof given === 'string' && given.startsWith('/') ? [steps(given).slice(0, -1)] : [];
    }),
  );
  const sort = (value: unknown, below: readonly (readonly string[])[]): unknown => {
    const inner = (key: string) => below.filter((path) => path[0] === key).map((path) => path.slice(1));
    const next = (item: unknown, key: string) => {
      const further = inner(key);
      return further.length === 0 ? item : sort(item, further);
    };
    if (Array.isArray(value)) return value.map((item: unknown, place) => next(item, String(place)));
    if (!isRec(value)) return value;
    return sortFields(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, next(item, key)])));
  };
  return sort(document, paths);
}

/** What is not there equals null, when what holds it is. */
function test(document: unknown, pointer: string, value: unknown): void {
  const names = steps(pointer);
  const last = names.pop() ?? '';
  const { value: holder } = walk(document, names, pointer);
  if (!Array.isArray(holder) && !isRec(holder)) throw missing(pointer);
  const isAbsent = !Array.isArray(holder) && !Object.hasOwn(holder, last);
  const found = isAbsent ? null : find(document, pointer).value;
  if (!same(found ?? null, value ?? null)) throw new JsonPatchError(`the value at "${pointer}" is another`);
}

function applyOperation(document: unknown, { op, path, from = '', value }: Operation): unknown {
  switch (op) {
    case 'add':
      return add(document, path, clone(value));
    case 'replace':
      return replace(document, path, clone(value));
    case 'remove':
      return remove(document, path);
    case 'test':
      test(document, path, value);
      return document;
    case 'copy':
      return add(document, path, clone(find(document, from).value));
    case 'move':
      return add(remove(document, from), path, find(document, from).value);
    default:
      throw new JsonPatchError(`unknown operation "${op}"`);
  }
}

/** Applies a JSON patch to a copy of a document. Throws JsonPatchError when any operation fails. */
export function jsonPatch(document: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) throw new JsonPatchError('a JSON patch is a list of operations');
  return patch.reduce(
    (result: unknown, entry: unknown) => applyOperation(result, readOperation(entry)),
    sortedAlong(clone(document), patch),
  );
}
