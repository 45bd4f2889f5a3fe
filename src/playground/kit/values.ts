import { isDeepStrictEqual } from 'node:util';
import type { ObjectMeta } from '../../kube/object.ts';

/** A JSON object of unknown fields. */
export type Rec = Record<string, unknown>;

/** Metadata of a stored object: the known fields and any others that were decoded. */
export interface Meta extends ObjectMeta {
  [field: string]: unknown;
}

/** A stored object. Immutable: a write replaces it, so that watchers and snapshots may keep it. */
export interface Obj {
  apiVersion: string;
  kind: string;
  metadata: Meta;
  [field: string]: unknown;
}

/** Whether a value is a JSON object (not an array, not null). */
export function isRec(value: unknown): value is Rec {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value as an object; {} when it is none. */
export function rec(value: unknown): Rec {
  return isRec(value) ? value : {};
}

/** The objects in an array; other items are dropped, [] when it is no array. */
export function recs(value: unknown): Rec[] {
  return Array.isArray(value) ? value.filter(isRec) : [];
}

/** The string fields of an object. */
export function strings(value: unknown): Record<string, string> {
  return rec(value) as Record<string, string>;
}

/** A scalar as text; '' for what is missing or no scalar. */
export function str(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** A deep copy of JSON data. */
export function clone<T>(value: T): T {
  if (Array.isArray(value)) return value.map(clone) as T;
  if (isRec(value)) {
    const copy: Rec = {};
    for (const key in value) copy[key] = clone(value[key]);
    return copy as T;
  }
  return value;
}

/** Whether two JSON values are deeply equal. */
export function same(a: unknown, b: unknown): boolean {
  return a === b || isDeepStrictEqual(a, b);
}

/** The value at a path of field names, undefined when any step is missing. */
export function at(value: unknown, ...path: string[]): unknown {
  let current = value;
  for (const step of path) {
    if (!isRec(current)) return undefined;
    current = current[step];
  }
  return current;
}
