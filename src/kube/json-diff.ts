import { isPlainObject } from './plain.ts';

/** Where in a value: names of fields and places in lists. */
export type JsonPath = readonly (string | number)[];

/** One change of a value, as JSON Patch has it. */
export type JsonChange =
  | { readonly op: 'add' | 'replace'; readonly path: JsonPath; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: JsonPath };

/** Whether two values of JSON are the same; the order of fields means nothing. */
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

/**
 * What has to be done to one value to make it the other: only what differs is named, so that nothing else is sent.
 * Changes apply one after the other.
 */
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

/** Lists: equal ends stay; what is between is changed in place as far as both have it. */
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

/** A value with changes applied. Throws RangeError for a place that is not there. */
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
    // In its place, so that the order stays.
    if (!Object.hasOwn(value, name)) return Object.fromEntries([...others, [name, change.value]]);
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, key === name ? change.value : one]),
    );
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, key === name ? applyOne(one, change, rest) : one]),
  );
}

/** A path as JSON Patch writes it: `/metadata/labels/a~1b`. */
export function pointerOf(path: JsonPath): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** A path as people read it: `spec.containers[0].image`. */
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

/** Whether one path is the other or lies within it, either way: changes there are in each other's way. */
export function isRelated(a: JsonPath, b: JsonPath): boolean {
  const length = Math.min(a.length, b.length);
  return a.slice(0, length).every((part, index) => part === b[index]);
}
