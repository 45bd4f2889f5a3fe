import { clone, isRec, type Rec, same } from '../kit/values.ts';
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
  // The server's library does not support the path of the whole document.
  if (!pointer.startsWith('/')) throw new JsonPatchError(`the path "${pointer}" does not begin with a slash`);
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

const missing = (pointer: string) => new JsonPatchError(`there is no value at "${pointer}"`);

/**
 * The index that a path segment names in a list; negative ones count from the end. `last`: the highest valid
 * index.
 */
function index(step: string, last: number, pointer: string): number {
  const position = /^[+-]?\d+$/.test(step) ? Number(step) : Number.NaN;
  const counted = position < 0 ? position + last + 1 : position;
  if (!(counted >= 0 && counted <= last)) throw missing(pointer);
  return counted;
}

/** The value at some path segments. Throws JsonPatchError when there is none. */
function walk(document: unknown, names: readonly string[], pointer: string): unknown {
  return names.reduce((value, name) => {
    if (Array.isArray(value)) return value[index(name, value.length - 1, pointer)] as unknown;
    if (isRec(value) && Object.hasOwn(value, name)) return value[name];
    throw missing(pointer);
  }, document);
}

/** The value at a pointer. Throws JsonPatchError when there is none. */
const find = (document: unknown, pointer: string): unknown => walk(document, steps(pointer), pointer);

/**
 * The container of the value at a pointer, and the last path segment. Throws JsonPatchError when there is no
 * container.
 */
function holderOf(document: unknown, pointer: string): { holder: unknown[] | Rec; last: string } {
  const names = steps(pointer);
  const last = names.pop() ?? '';
  const holder = walk(document, names, pointer);
  if (!Array.isArray(holder) && !isRec(holder)) throw missing(pointer);
  return { holder, last };
}

/** Adds a value, in place: inserts into a list, sets in an object. */
function add(document: unknown, pointer: string, value: unknown): void {
  const { holder, last } = holderOf(document, pointer);
  if (!Array.isArray(holder)) holder[last] = value;
  else holder.splice(last === '-' ? holder.length : index(last, holder.length, pointer), 0, value);
}

/** Removes and returns a value, in place. Throws JsonPatchError when there is none. */
function remove(document: unknown, pointer: string): unknown {
  const value = find(document, pointer);
  const { holder, last } = holderOf(document, pointer);
  if (Array.isArray(holder)) holder.splice(index(last, holder.length - 1, pointer), 1);
  else delete holder[last];
  return value;
}

/** Replaces a value, in place. Throws JsonPatchError when there is none. */
function replace(document: unknown, pointer: string, value: unknown): void {
  const { holder, last } = holderOf(document, pointer);
  find(document, pointer);
  if (Array.isArray(holder)) holder[index(last, holder.length - 1, pointer)] = value;
  else holder[last] = value;
}

/** The document with sorted fields in every object on a path of the patch, as after decoding into Go maps. */
function sortedAlong(document: unknown, patch: readonly unknown[]): unknown {
  const paths = patch.flatMap((entry) =>
    ['path', 'from'].flatMap((field) => {
      const given = isRec(entry) ? entry[field] : undefined;
      return typeof given === 'string' && given.startsWith('/') ? [steps(given).slice(0, -1)] : [];
    }),
  );
  const sort = (value: unknown, paths: readonly (readonly string[])[]): unknown => {
    const inner = (key: string) => paths.filter((path) => path[0] === key).map((path) => path.slice(1));
    const next = (item: unknown, key: string) => {
      const further = inner(key);
      return further.length === 0 ? item : sort(item, further);
    };
    if (Array.isArray(value)) return value.map((item: unknown, itemIndex) => next(item, String(itemIndex)));
    if (!isRec(value)) return value;
    return sortFields(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, next(item, key)])));
  };
  return sort(document, paths);
}

/** Compares a value; an absent one in an existing container equals null. */
function test(document: unknown, pointer: string, value: unknown): void {
  const { holder, last } = holderOf(document, pointer);
  const isAbsent = !Array.isArray(holder) && !Object.hasOwn(holder, last);
  const found = isAbsent ? null : find(document, pointer);
  if (!same(found ?? null, value ?? null)) throw new JsonPatchError(`the value at "${pointer}" is another`);
}

/** Applies one operation, in place. */
function applyOperation(document: unknown, { op, path, from = '', value }: Operation): void {
  switch (op) {
    case 'add':
      add(document, path, clone(value));
      return;
    case 'replace':
      replace(document, path, clone(value));
      return;
    case 'remove':
      remove(document, path);
      return;
    case 'test':
      test(document, path, value);
      return;
    case 'copy':
      add(document, path, clone(find(document, from)));
      return;
    case 'move':
      add(document, path, remove(document, from));
      return;
    default:
      throw new JsonPatchError(`unknown operation "${op}"`);
  }
}

/** Applies a JSON patch to a copy of a document. Throws JsonPatchError when any operation fails. */
export function jsonPatch(document: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) throw new JsonPatchError('a JSON patch is a list of operations');
  const result = sortedAlong(clone(document), patch);
  for (const entry of patch) applyOperation(result, readOperation(entry));
  return result;
}
