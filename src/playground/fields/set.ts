import { isRec, type Rec } from '../kit/values.ts';

/**
 * A set of paths into an object, as managed fields record it. Path elements are those of FieldsV1:
 * `f:name` (a field), `k:{…}` (a list item by its keys), `v:…` (an item of a set).
 */
export interface FieldSet {
  readonly member: boolean;
  readonly children: ReadonlyMap<string, FieldSet>;
}

export const emptySet: FieldSet = { member: false, children: new Map() };
export const leaf: FieldSet = { member: true, children: new Map() };

export const isEmpty = (set: FieldSet): boolean => !set.member && set.children.size === 0;

/** A set with these children, without the empty ones. */
export function node(member: boolean, children: Iterable<readonly [string, FieldSet]>): FieldSet {
  return { member, children: new Map(Array.from(new Map(children)).filter(([, child]) => !isEmpty(child))) };
}

function combine(
  a: FieldSet,
  b: FieldSet,
  member: boolean,
  each: (a: FieldSet, b: FieldSet) => FieldSet,
): FieldSet {
  const keys = new Set([...a.children.keys(), ...b.children.keys()]);
  return node(
    member,
    Array.from(
      keys,
      (key) => [key, each(a.children.get(key) ?? emptySet, b.children.get(key) ?? emptySet)] as const,
    ),
  );
}

/** Paths in either set. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmpty(a)) return b;
  return isEmpty(b) ? a : combine(a, b, a.member || b.member, union);
}

/** Paths in both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return isEmpty(a) || isEmpty(b) ? emptySet : combine(a, b, a.member && b.member, intersection);
}

/** Paths of the first set that are not in the second. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return isEmpty(a) || isEmpty(b) ? a : combine(a, b, a.member && !b.member, difference);
}

/** Whether two sets have the same paths. */
export function equal(a: FieldSet, b: FieldSet): boolean {
  return isEmpty(difference(a, b)) && isEmpty(difference(b, a));
}

/** A set with the parents of all its paths. */
export function withParents(set: FieldSet): FieldSet {
  return {
    member: set.member || set.children.size > 0,
    children: new Map(
      Array.from(set.children, ([key, child]) => {
        const inner = withParents(child);
        return [key, key.startsWith('f:') ? inner : { ...inner, member: child.member }];
      }),
    ),
  };
}

/** A set without the given paths and those below. */
export function without(set: FieldSet, paths: readonly (readonly string[])[]): FieldSet {
  let result = set;
  for (const path of paths) result = cut(result, path);
  return result;
}

function cut(set: FieldSet, path: readonly string[]): FieldSet {
  const [first, ...rest] = path;
  if (first === undefined) return emptySet;
  const child = set.children.get(first);
  if (child === undefined) return set;
  return node(set.member, [...set.children, [first, cut(child, rest)] as const]);
}

/** A set as FieldsV1. */
export function encode(set: FieldSet): Rec {
  const result: Rec = {};
  if (set.member && set.children.size > 0) result['.'] = {};
  for (const key of [...set.children.keys()].sort()) {
    const child = set.children.get(key);
    if (child !== undefined) result[key] = encode(child);
  }
  return result;
}

/** Reads FieldsV1. */
export function decodeSet(fields: unknown): FieldSet {
  if (!isRec(fields)) return emptySet;
  const read = (value: unknown): FieldSet => {
    const entries = Object.entries(isRec(value) ? value : {});
    const children = entries.filter(([key]) => key !== '.');
    return {
      member: children.length === 0 || children.length < entries.length,
      children: new Map(children.map(([key, child]) => [key, read(child)])),
    };
  };
  const set = read(fields);
  return { ...set, member: false };
}

/** The paths of a set as conflicts print them (".spec.replicas"). */
export function describe(set: FieldSet, prefix = ''): string[] {
  const ownPath = set.member && prefix !== '' ? [prefix] : [];
  const inner = [...set.children].flatMap(([key, child]) => describe(child, `${prefix}${element(key)}`));
  return [...ownPath, ...inner].sort();
}

/** A path element as errors write it: ".name", "[name=\"x\"]". */
export function element(key: string): string {
  const value = key.slice(2);
  if (key.startsWith('f:')) return `.${value}`;
  if (key.startsWith('v:')) return `[=${value}]`;
  const keys = Object.entries(JSON.parse(value) as Rec).map(
    ([name, item]) => `${name}=${JSON.stringify(item)}`,
  );
  return `[${keys.join(',')}]`;
}
