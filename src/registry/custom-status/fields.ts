import type { FieldPath } from './rule.ts';

/** An object of any shape: what a cluster sends is not bound to any type. */
export type Part = Readonly<Record<string, unknown>>;

export const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a field of objects of any shape; undefined where it is not there. */
export function fieldAt(path: FieldPath): (object: object) => unknown {
  const names = path.split('.');
  return (object) => {
    let value: unknown = object;
    for (const name of names) {
      if (!isPart(value) || !Object.hasOwn(value, name)) return undefined;
      value = value[name];
    }
    return value;
  };
}

/** A text that is not empty; undefined for anything else. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
