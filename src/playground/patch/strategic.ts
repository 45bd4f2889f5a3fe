import type { Schemas, Shape } from '../schema.ts';
import { isRec, type Rec, same } from '../values.ts';
import { goText } from './go-text.ts';

/** A patch that does not say what it is to be merged with; the message is Go's. */
export class MergeError extends Error {}

const directive = '$patch';
const deletePrefix = '$deleteFromPrimitiveList/';
const orderPrefix = '$setElementOrder/';
const retain = '$retainKeys';

/**
 * Applies a strategic merge patch: lists with a merge key are merged by it, in the order of the patch;
 * `$patch`, `$setElementOrder`, `$retainKeys` and `$deleteFromPrimitiveList` are honoured.
 * Fields without a schema are merged as by a JSON merge patch.
 */
export function strategicMerge(schemas: Schemas, shape: Shape | undefined, target: Rec, patch: Rec): Rec {
  if (patch[directive] === 'replace') {
    const { [directive]: _directive, ...rest } = patch;
    return rest;
  }
  if (patch[directive] === 'delete') return {};
  const result: Rec = { ...target };
  const kept = patch[retain];
  if (Array.isArray(kept)) {
    for (const key of Object.keys(result)) if (!kept.includes(key)) delete result[key];
  }
  for (const [key, value] of Object.entries(patch)) {
    if (key === directive || key === retain || key.startsWith(orderPrefix)) continue;
    if (key.startsWith(deletePrefix)) {
      const field = key.slice(deletePrefix.length);
      const list = result[field];
      if (Array.isArray(list) && Array.isArray(value)) {
        result[field] = list.filter((item: unknown) => !value.includes(item));
      }
      continue;
    }
    if (value === null) {
      delete result[key];
      continue;
    }
    const field = shape === undefined ? undefined : schemas.field(shape, key);
    const merged = isRec(value)
      ? mergeRecord(schemas, field, result[key], value)
      : Array.isArray(value)
        ? mergeList(schemas, field, result[key], value, patch[`${orderPrefix}${key}`])
        : value;
    if (merged === undefined) delete result[key];
    else result[key] = merged;
  }
  reorderUnpatched(schemas, shape, result, patch);
  return result;
}

function mergeRecord(
  schemas: Schemas,
  shape: Shape | undefined,
  target: unknown,
  patch: Rec,
): Rec | undefined {
  if (patch[directive] === 'delete') return undefined;
  const strategy = shape?.used['x-kubernetes-patch-strategy'] ?? '';
  if (strategy === 'replace') return patch;
  return strategicMerge(schemas, shape, isRec(target) ? target : {}, patch);
}

/** Orders given for lists that the patch does not otherwise touch. */
function reorderUnpatched(schemas: Schemas, shape: Shape | undefined, result: Rec, patch: Rec): void {
  for (const [key, order] of Object.entries(patch)) {
    if (!key.startsWith(orderPrefix)) continue;
    const field = key.slice(orderPrefix.length);
    const list = result[field];
    if (field in patch || !Array.isArray(list)) continue;
    const place = shape === undefined ? undefined : schemas.field(shape, field);
    result[field] = mergeList(schemas, place, list, [], order);
  }
}

function mergeList(
  schemas: Schemas,
  shape: Shape | undefined,
  target: unknown,
  patch: readonly unknown[],
  order: unknown,
): unknown[] {
  const strategy = shape?.used['x-kubernetes-patch-strategy'] ?? '';
  const merges = strategy.split(',').includes('merge');
  if (!merges || patch.some((item) => isRec(item) && item[directive] === 'replace')) {
    return patch.filter((item) => !isRec(item) || item[directive] === undefined);
  }
  const live: unknown[] = Array.isArray(target) ? target : [];
  const key = shape?.used['x-kubernetes-patch-merge-key'];
  const id = (item: unknown) => (key !== undefined && isRec(item) ? item[key] : item);
  if (key === undefined) {
    const added = patch.filter((item) => !live.some((other) => same(other, item)));
    return sorted([...live, ...added], live, order ?? [...live, ...added], id);
  }
  const item = shape === undefined ? undefined : schemas.item(shape);
  const merged: unknown[] = [...live];
  for (const entry of patch) {
    if (!isRec(entry)) continue;
    if (entry[key] === undefined) {
      throw new MergeError(`map: ${goText(entry)} does not contain declared merge key: ${key}`);
    }
    const index = merged.findIndex((other) => id(other) === entry[key]);
    if (entry[directive] === 'delete') {
      if (index >= 0) merged.splice(index, 1);
    } else if (index < 0) merged.push(strategicMerge(schemas, item, {}, entry));
    else merged[index] = strategicMerge(schemas, item, merged[index] as Rec, entry);
  }
  const wanted: unknown[] = Array.isArray(order)
    ? order
    : patch.filter((entry) => !isRec(entry) || entry[directive] !== 'delete');
  return sorted(merged, live, wanted, id);
}

/** Items of the patch in its order; those only the object had keep their places between them. */
function sorted(
  items: readonly unknown[],
  live: readonly unknown[],
  order: unknown,
  id: (item: unknown) => unknown,
): unknown[] {
  const wanted = (Array.isArray(order) ? order : []).map((item: unknown) => id(item));
  const patched = wanted
    .map((one) => items.find((item) => same(id(item), one)))
    .filter((item) => item !== undefined);
  const position = (item: unknown) => live.findIndex((other) => same(id(other), id(item)));
  const others = items
    .filter((item) => !wanted.some((one) => same(one, id(item))))
    .sort((a, b) => position(a) - position(b));
  const result: unknown[] = [];
  let next = 0;
  for (const item of patched) {
    const here = position(item);
    for (let other = others[next]; other !== undefined && position(other) < here; other = others[next]) {
      result.push(other);
      next += 1;
    }
    result.push(item);
  }
  return [...result, ...others.slice(next)];
}
