import { isPlainObject } from './plain.ts';

/** Path in a value: field names and list indexes. */
export type JsonPath = readonly (string | number)[];

/** One operation of JSON Patch. */
export type JsonChange =
  | { readonly op: 'add' | 'replace'; readonly path: JsonPath; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: JsonPath };

/** Whether two JSON values are equal; the order of fields does not matter. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, index) => isSame(one, b[index]));
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
  );
}

/** The minimal changes that turn one value into another, to be applied in order. */
export function diffJson(before: unknown, after: unknown, path: JsonPath = []): readonly JsonChange[] {
  if (isSame(before, after)) return [];
  if (isPlainObject(before) && isPlainObject(after)) {
    const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
    return [
      ...removed.map((key): JsonChange => ({ op: 'remove', path: [...path, key] })),
      ...Object.keys(after).flatMap((key): readonly JsonChange[] =>
        Object.hasOwn(before, key)
          ? diffJson(before[key], after[key], [...path, key])
          : [{ op: 'add', path: [...path, key], value: after[key] }],
      ),
    ];
  }
  if (Array.isArray(before) && Array.isArray(after)) return diffLists(before, after, path);
  return [{ op: 'replace', path, value: after }];
}

/**
 * Diffs lists: keeps an equal beginning and end, and changes items between them in place as far as both lists have
 * them.
 */
function diffLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: JsonPath,
): readonly JsonChange[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isSame(before[start], after[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isSame(before.at(-1 - end), after.at(-1 - end))) end += 1;
  const changes: JsonChange[] = [];
  const [oldEnd, newEnd] = [before.length - end, after.length - end];
  const both = Math.min(oldEnd, newEnd);
  for (let at = start; at < both; at += 1) changes.push(...diffJson(before[at], after[at], [...path, at]));
  for (let at = oldEnd - 1; at >= both; at -= 1) changes.push({ op: 'remove', path: [...path, at] });
  for (let at = both; at < newEnd; at += 1)
    changes.push({ op: 'add', path: [...path, at], value: after[at] });
  return changes;
}

/** Applies changes to a value. Throws RangeError for a path that does not exist. */
export function applyChanges(value: unknown, changes: readonly JsonChange[]): unknown {
  return changes.reduce((present, change) => applyOne(present, change, change.path), value);
}

function applyOne(value: unknown, change: JsonChange, path: JsonPath): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return change.op === 'remove' ? undefined : change.value;
  if (Array.isArray(value)) {
    const list: unknown[] = [...value];
    if (typeof head !== 'number' || head > list.length) throw new RangeError(`There is no ${head}.`);
    if (rest.length > 0) list[head] = applyOne(list[head], change, rest);
    else if (change.op === 'remove') list.splice(head, 1);
    else list.splice(head, change.op === 'add' ? 0 : 1, change.value);
    return list;
  }
  if (!isPlainObject(value)) throw new RangeError(`There is no ${head}.`);
  const name = String(head);
  if (rest.length === 0) {
    const others = Object.entries(value).filter(([key]) => key !== name);
    if (change.op === 'remove') return Object.fromEntries(others);
    // Replacing the field in place keeps the order.
    if (!Object.hasOwn(value, name)) return Object.fromEntries([...others, [name, change.value]]);
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, key === name ? change.value : one]),
    );
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, key === name ? applyOne(one, change, rest) : one]),
  );
}

/** Formats a path for JSON Patch: `/metadata/labels/a~1b`. */
export function pointerOf(path: JsonPath): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Formats a path for people: `spec.containers[0].image`. */
export function pathText(path: JsonPath): string {
  return path
    .map((part, index) =>
      typeof part === 'number'
        ? `[${part}]`
        : /^[\w-]+$/.test(part)
          ? `${index === 0 ? '' : '.'}${part}`
          : `["${part}"]`,
    )
    .join('');
}

/** Whether two paths are equal or one contains the other, so that changes at both conflict. */
export function isRelated(a: JsonPath, b: JsonPath): boolean {
  const length = Math.min(a.length, b.length);
  return a.slice(0, length).every((part, index) => part === b[index]);
}
