import { itemElement } from '../fields/compare.ts';
import type { FieldSet } from '../fields/set.ts';
import { isAtomic, listType, type Schemas, type Shape } from '../registry/schema.ts';
import { isRec, type Rec } from '../kit/values.ts';

/** Merges an applied configuration into an object: maps by field, lists by key, all else as a whole. */
export function applyMerge(
  schemas: Schemas,
  shape: Shape | undefined,
  live: unknown,
  config: unknown,
): unknown {
  if (shape === undefined || live === undefined || live === null) return config;
  if (shape.kind === 'list') {
    if (!Array.isArray(config) || !Array.isArray(live) || listType(shape) === 'atomic') return config;
    return mergeItems(schemas, shape, live, config);
  }
  const merges = shape.kind === 'struct' || shape.kind === 'map' || shape.kind === 'deduced';
  if (merges && isRec(config) && isRec(live) && !isAtomic(shape)) {
    const result: Rec = { ...live };
    for (const [key, value] of Object.entries(config)) {
      result[key] = applyMerge(schemas, schemas.field(shape, key), live[key], value);
    }
    return result;
  }
  return config;
}

/** Items in the configuration's order; those only in the object keep their relative places. */
function mergeItems(
  schemas: Schemas,
  shape: Shape,
  live: readonly unknown[],
  config: readonly unknown[],
): unknown[] {
  const name = (item: unknown) => itemElement(schemas, shape, item);
  const inner = listType(shape) === 'set' ? undefined : schemas.item(shape);
  const wanted = new Map(config.map((item) => [name(item), item]));
  const liveByKey = new Map(live.map((item) => [name(item), item]));
  const shared = [...wanted.keys()].filter((key) => liveByKey.has(key));
  const liveKeys = [...liveByKey.keys()];
  const configKeys = [...wanted.keys()];
  const result: unknown[] = [];
  let liveIndex = 0;
  let right = 0;
  let next = 0;
  const take = (key: string) => {
    const merged =
      inner === undefined ? wanted.get(key) : applyMerge(schemas, inner, liveByKey.get(key), wanted.get(key));
    result.push(merged);
    if (shared[next] === key) next += 1;
  };
  while (liveIndex < liveKeys.length || right < configKeys.length) {
    const liveKey = liveKeys[liveIndex];
    const theirs = configKeys[right];
    if (liveKey !== undefined && liveKey === theirs) {
      take(liveKey);
      liveIndex += 1;
      right += 1;
    } else if (
      liveKey !== undefined &&
      wanted.has(liveKey) &&
      (theirs === undefined || shared[next] !== liveKey)
    )
      liveIndex += 1;
    else if (liveKey !== undefined && !wanted.has(liveKey)) {
      result.push(liveByKey.get(liveKey));
      liveIndex += 1;
    } else if (theirs !== undefined) {
      take(theirs);
      right += 1;
    } else liveIndex += 1;
  }
  return result;
}

/** A value without the paths in a set. */
export function removePaths(
  schemas: Schemas,
  shape: Shape | undefined,
  value: unknown,
  paths: FieldSet,
): unknown {
  if (shape === undefined || paths.children.size === 0) return value;
  if (Array.isArray(value)) {
    const inner = schemas.item(shape);
    return value.flatMap((item: unknown) => {
      const found = paths.children.get(itemElement(schemas, shape, item));
      if (found === undefined) return [item];
      return found.member ? [] : [removePaths(schemas, inner, item, found)];
    });
  }
  if (!isRec(value)) return value;
  const result: Rec = {};
  for (const [key, item] of Object.entries(value)) {
    const found = paths.children.get(`f:${key}`);
    if (found?.member === true) continue;
    result[key] = found === undefined ? item : removePaths(schemas, schemas.field(shape, key), item, found);
  }
  return result;
}
