import { clone, isRec, same } from '../values.ts';
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

const read = (document: unknown, pointer: string) => walk(document, steps(pointer), pointer);

function walk(document: unknown, path: readonly string[], pointer: string): unknown {
  let current = document;
  for (const step of path) {
    if (Array.isArray(current)) current = current[index(step, current.length - 1, pointer)] as unknown;
    else if (isRec(current) && Object.hasOwn(current, step)) current = current[step];
    else throw missing(pointer);
  }
  return current;
}

function change(document: unknown, pointer: string, apply: (holder: unknown, step: string) => void): void {
  const path = steps(pointer);
  const last = path.pop() ?? '';
  apply(walk(document, path, pointer), last);
}

function add(document: unknown, pointer: string, value: unknown): unknown {
  change(document, pointer, (holder, step) => {
    if (Array.isArray(holder)) {
      holder.splice(step === '-' ? holder.length : index(step, holder.length, pointer), 0, value);
    } else if (isRec(holder)) holder[step] = value;
    else throw missing(pointer);
  });
  return document;
}

function remove(document: unknown, pointer: string): void {
  change(document, pointer, (holder, step) => {
    if (Array.isArray(holder)) holder.splice(index(step, holder.length - 1, pointer), 1);
    else if (isRec(holder) && Object.hasOwn(holder, step)) delete holder[step];
    else throw missing(pointer);
  });
}

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
  let found: unknown;
  change(document, pointer, (holder, step) => {
    if (Array.isArray(holder)) found = holder[index(step, holder.length - 1, pointer)];
    else if (isRec(holder)) found = Object.hasOwn(holder, step) ? holder[step] : undefined;
    else throw missing(pointer);
  });
  if (!same(found ?? null, value ?? null)) throw new JsonPatchError(`the value at "${pointer}" is another`);
}

/** Applies a JSON patch to a copy of a document. Throws JsonPatchError when any operation fails. */
export function jsonPatch(document: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) throw new JsonPatchError('a JSON patch is a list of operations');
  let result = sortedAlong(clone(document), patch);
  for (const entry of patch) {
    const { op, path, from, value } = readOperation(entry);
    switch (op) {
      case 'add':
        result = add(result, path, clone(value));
        break;
      case 'replace':
        read(result, path);
        change(result, path, (holder, step) => {
          if (Array.isArray(holder)) holder[index(step, holder.length - 1, path)] = clone(value);
          else if (isRec(holder)) holder[step] = clone(value);
        });
        break;
      case 'remove':
        remove(result, path);
        break;
      case 'test':
        test(result, path, value);
        break;
      case 'copy':
        result = add(result, path, clone(read(result, from ?? '')));
        break;
      case 'move': {
        const moved = read(result, from ?? '');
        remove(result, from ?? '');
        result = add(result, path, moved);
        break;
      }
      default:
        throw new JsonPatchError(`unknown operation "${op}"`);
    }
  }
  return result;
}
