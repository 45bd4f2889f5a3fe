import { isDeepStrictEqual } from 'node:util';
import type { ObjectMeta } from '../../kube/object.ts';

/** A JSON object whose fields are not known here. */
export type Rec = Record<string, unknown>;

/** Metadata of a stored object: what Kubernetes knows and whatever else was decoded. */
export interface Meta extends ObjectMeta {
  [field: string]: unknown;
}

/** A stored object. Never changed in place: a write replaces it, so watchers and snapshots may keep it. */
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

/** Reads a value as an object; an empty one when it is none. */
export function rec(value: unknown): Rec {
  return isRec(value) ? value : {};
}

/** Reads a value as an array of objects; other items are left out. */
export function recs(value: unknown): Rec[] {
  return Array.isArray(value) ? value.filter(isRec) : [];
}

/** Reads a value as a map of strings. */
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
