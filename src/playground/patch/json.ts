import { clone, isRec, same } from '../values.ts';

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
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) throw new JsonPatchError(`the path "${pointer}" does not begin with a slash`);
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

const missing = (pointer: string) => new JsonPatchError(`there is no value at "${pointer}"`);

function index(step: string, length: number, pointer: string): number {
  if (!/^(0|[1-9]\d*)$/.test(step) || Number(step) > length) throw missing(pointer);
  return Number(step);
}

function read(document: unknown, pointer: string): unknown {
  let current = document;
  for (const step of steps(pointer)) {
    if (Array.isArray(current)) current = current[index(step, current.length - 1, pointer)] as unknown;
    else if (isRec(current) && Object.hasOwn(current, step)) current = current[step];
    else throw missing(pointer);
  }
  return current;
}

function change(document: unknown, pointer: string, apply: (holder: unknown, step: string) => void): void {
  const path = steps(pointer);
  const last = path.pop();
  if (last === undefined) throw new JsonPatchError('the whole document cannot be removed');
  const holder = read(document, pointer.slice(0, pointer.lastIndexOf('/')));
  apply(holder, last);
}

function add(document: unknown, pointer: string, value: unknown): unknown {
  if (pointer === '') return value;
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

/** Applies a JSON patch to a copy of a document. Throws JsonPatchError when any operation fails. */
export function jsonPatch(document: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) throw new JsonPatchError('a JSON patch is a list of operations');
  let result = clone(document);
  for (const entry of patch) {
    const { op, path, from, value } = readOperation(entry);
    switch (op) {
      case 'add':
        result = add(result, path, clone(value));
        break;
      case 'replace':
        read(result, path);
        if (path === '') result = clone(value);
        else {
          change(result, path, (holder, step) => {
            if (Array.isArray(holder)) holder[index(step, holder.length - 1, path)] = clone(value);
            else if (isRec(holder)) holder[step] = clone(value);
          });
        }
        break;
      case 'remove':
        remove(result, path);
        break;
      case 'test':
        if (!same(read(result, path), value)) throw new JsonPatchError(`the value at "${path}" is another`);
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
