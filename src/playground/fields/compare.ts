import { isAtomic, listType, type Schemas, type Shape, zeroDefault } from '../registry/schema.ts';
import { isRec, type Rec, same } from '../kit/values.ts';
import { emptySet, type FieldSet, leaf, node } from './set.ts';

/** Paths that differ between two objects. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

const emptyComparison: Comparison = { added: emptySet, modified: emptySet, removed: emptySet };

/** The path element of a list item: by its keys in a map, by itself in a set. */
export function itemElement(schemas: Schemas, list: Shape, item: unknown): string {
  if (listType(list) === 'set') return `v:${JSON.stringify(item)}`;
  const shape = schemas.item(list);
  const keys: Rec = {};
  for (const key of [...(list.used['x-kubernetes-list-map-keys'] ?? [])].sort()) {
    const value = isRec(item) ? item[key] : undefined;
    keys[key] = value ?? shape?.schema.properties?.[key]?.default ?? null;
  }
  return `k:${JSON.stringify(keys)}`;
}

function fields(schemas: Schemas, shape: Shape, value: Rec): [string, Shape | undefined, unknown][] {
  return Object.entries(value).map(([key, item]) => [`f:${key}`, schemas.field(shape, key), item]);
}

/** Whether the value at a path is owned as a whole: a scalar, or an atomic list or map. */
function isLeaf(shape: Shape | undefined, ...values: unknown[]): shape is undefined {
  if (shape === undefined) return true;
  if (shape.kind === 'deduced') return !values.every((value) => value === undefined || isRec(value));
  if (shape.kind === 'list') return listType(shape) === 'atomic';
  return (shape.kind !== 'struct' && shape.kind !== 'map') || isAtomic(shape);
}

const sizeOf = (value: unknown): number =>
  Array.isArray(value) ? value.length : isRec(value) ? Object.keys(value).length : 0;

/** Compares two objects by path; undefined means absent. */
export function compare(
  schemas: Schemas,
  shape: Shape | undefined,
  before: unknown,
  after: unknown,
): Comparison {
  if (before === undefined && after === undefined) return emptyComparison;
  const isWhole = isLeaf(shape, before, after) || (sizeOf(before) === 0 && sizeOf(after) === 0);
  if (isWhole || shape === undefined) {
    if (before === undefined) return { ...emptyComparison, added: leaf };
    if (after === undefined) return { ...emptyComparison, removed: leaf };
    return same(before, after) ? emptyComparison : { ...emptyComparison, modified: leaf };
  }
  const was = parts(schemas, shape, before);
  const is = parts(schemas, shape, after);
  const added: [string, FieldSet][] = [];
  const modified: [string, FieldSet][] = [];
  const removed: [string, FieldSet][] = [];
  for (const key of new Set([...was.keys(), ...is.keys()])) {
    const old = was.get(key);
    const now = is.get(key);
    const inner = compare(schemas, old?.shape ?? now?.shape, old?.value, now?.value);
    added.push([key, inner.added]);
    modified.push([key, inner.modified]);
    removed.push([key, inner.removed]);
  }
  return {
    added: node(before === undefined, added),
    modified: node(false, modified),
    removed: node(after === undefined, removed),
  };
}

interface Part {
  readonly shape: Shape | undefined;
  readonly value: unknown;
}

function parts(schemas: Schemas, shape: Shape, value: unknown): Map<string, Part> {
  if (shape.kind === 'list') {
    const item = schemas.item(shape);
    const inner = listType(shape) === 'set' ? undefined : item;
    const list: unknown[] = Array.isArray(value) ? value : [];
    return new Map(list.map((entry) => [itemElement(schemas, shape, entry), { shape: inner, value: entry }]));
  }
  return new Map(
    (isRec(value) ? fields(schemas, shape, value) : []).map(([key, inner, item]) => [
      key,
      { shape: inner, value: item },
    ]),
  );
}

/** Every path in an applied configuration. */
export function fieldSetOf(schemas: Schemas, shape: Shape | undefined, value: unknown): FieldSet {
  if (shape === undefined || isLeaf(shape, value) || value === null) return leaf;
  const inner = [...parts(schemas, shape, value)].map(([key, part]): [string, FieldSet] => {
    const children = fieldSetOf(schemas, part.shape, part.value);
    const empty = isRec(part.value) && Object.keys(part.value).length === 0;
    const member =
      children.member || empty || shape.kind === 'list' || shape.kind === 'map' || shape.kind === 'deduced';
    return [key, { ...children, member }];
  });
  return node(false, inner);
}

/** The object that Go has before any field is set: by-value structs and fields that are never omitted. */
export function zeroObject(schemas: Schemas, shape: Shape): Rec {
  const value: Rec = {};
  for (const [key, property] of Object.entries(shape.schema.properties ?? {})) {
    const zero = zeroDefault(property);
    const field = schemas.shape(property);
    if (zero !== undefined)
      value[key] = isRec(zero) && field.kind === 'struct' ? zeroObject(schemas, field) : zero;
    else if (shape.schema.required?.includes(key) === true && (field.kind === 'list' || field.kind === 'map'))
      value[key] = null;
  }
  return value;
}
