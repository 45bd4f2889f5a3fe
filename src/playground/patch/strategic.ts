import { goName, type Schemas, type Shape } from '../registry/schema.ts';
import { isRec, type Rec, same } from '../kit/values.ts';
import { goText } from './go-text.ts';

/** A patch that cannot be merged; the message is Go's. */
export class MergeError extends Error {
  /** Whether a directive is malformed, which the server reports as the client's error (400). */
  readonly malformed: boolean;

  constructor(message: string, malformed = false) {
    super(message);
    this.malformed = malformed;
  }
}

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
  if (directive in patch) {
    const { [directive]: action, ...rest } = patch;
    if (action === 'replace') return rest;
    if (action === 'delete') return {};
    throw unknownDirective(patch);
  }
  const result: Rec = { ...target };
  if (retain in patch) {
    const retainedKeys = retained(patch);
    for (const key of Object.keys(result)) if (!retainedKeys.has(key)) delete result[key];
  }
  for (const [key, value] of Object.entries(patch)) {
    if (key === retain) continue;
    if (key.startsWith(orderPrefix)) {
      checkOrder(schemas, shape, key.slice(orderPrefix.length), value, patch);
      continue;
    }
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
    result[key] = merged;
  }
  reorderUnpatched(schemas, shape, result, patch);
  return result;
}

function mergeRecord(schemas: Schemas, shape: Shape | undefined, target: unknown, patch: Rec): Rec {
  const strategy = shape?.used['x-kubernetes-patch-strategy'] ?? '';
  if (strategy === 'replace') return patch;
  return strategicMerge(schemas, shape, isRec(target) ? target : {}, patch);
}

const unknownDirective = (patch: Rec) =>
  new MergeError(`unknown patch type: ${goText(patch[directive])} in map: ${goText(patch)}`);

/** Keys to retain (`$retainKeys`). Throws MergeError unless they include all that the patch sets. */
function retained(patch: Rec): ReadonlySet<unknown> {
  const list = patch[retain];
  const malformed = () => new MergeError('invalid patch format of retainKeys', true);
  if (!Array.isArray(list)) throw malformed();
  const keys = new Set<unknown>(list);
  for (const [key, value] of Object.entries(patch)) {
    if (key === retain || value === null) continue;
    if (key.startsWith(deletePrefix) || key.startsWith(orderPrefix)) continue;
    if (!keys.has(key)) throw malformed();
  }
  return keys;
}

/** Refuses an element order that is not a list, names no field, or contradicts the order of the patch's items. */
function checkOrder(
  schemas: Schemas,
  shape: Shape | undefined,
  field: string,
  order: unknown,
  patch: Rec,
): void {
  if (!Array.isArray(order)) {
    throw new MergeError(`expected a []interface {}, but received a ${goType(order)}`);
  }
  const fieldShape = shape === undefined ? undefined : schemas.field(shape, field);
  if (shape !== undefined && fieldShape === undefined) {
    throw new MergeError(
      `unable to find api field in struct ${goName(shape)} for the json field ${JSON.stringify(field)}`,
    );
  }
  const key = fieldShape?.used['x-kubernetes-patch-merge-key'];
  const id = (item: unknown) => {
    if (key === undefined) return item;
    if (isRec(item) && item[key] === undefined) throw withoutKey(item, key);
    return isRec(item) ? item[key] : item;
  };
  const items = patch[field];
  const given: unknown[] = Array.isArray(items) ? items : [];
  const wanted = given.filter((item) => !isRec(item) || item[directive] === undefined);
  let next = 0;
  for (const item of order) {
    const orderedId = wanted[next];
    if (orderedId !== undefined && same(id(orderedId), id(item))) next += 1;
  }
  if (order.length > 0 && next < wanted.length) {
    const name = '$setElementOrder';
    throw new MergeError(
      `The order in patch list:\n${goText(items)}\n doesn't match ${name} list:\n${goText(order)}\n`,
    );
  }
}

const goType = (value: unknown): string =>
  isRec(value) ? 'map[string]interface {}' : typeof value === 'boolean' ? 'bool' : typeof value;

const withoutKey = (item: Rec, key: string) =>
  new MergeError(`map: ${goText(item)} does not contain declared merge key: ${key}`);

/** Applies element orders to lists that the patch does not otherwise change. */
function reorderUnpatched(schemas: Schemas, shape: Shape | undefined, result: Rec, patch: Rec): void {
  for (const [key, order] of Object.entries(patch)) {
    if (!key.startsWith(orderPrefix)) continue;
    const field = key.slice(orderPrefix.length);
    const list = result[field];
    if (field in patch || !Array.isArray(list)) continue;
    const fieldShape = shape === undefined ? undefined : schemas.field(shape, field);
    result[field] = mergeList(schemas, fieldShape, list, [], order);
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
    checkItem(entry);
    if (entry[key] === undefined) throw withoutKey(entry, key);
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

/** Refuses a directive that list items do not support. */
function checkItem(item: Rec): void {
  if (!(directive in item) || item[directive] === 'delete') return;
  throw item[directive] === 'merge'
    ? new MergeError('merging lists cannot yet be specified in the patch')
    : unknownDirective(item);
}

/** Items in the order of the patch; those only in the object keep their relative places. */
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
