import type { FieldPath } from './rule.ts';

/** An object of unknown shape from a cluster. */
export type Part = Readonly<Record<string, unknown>>;

export const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Compiles a field path to a reader for objects of any shape; it returns undefined if the field is missing. */
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

/** A non-empty string; undefined for anything else. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
