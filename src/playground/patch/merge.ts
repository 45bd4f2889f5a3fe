import { isRec, type Rec } from '../kit/values.ts';

/**
 * Applies a JSON merge patch (RFC 7396). Objects that it changes have sorted fields, as after decoding into Go
 * maps.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRec(patch)) return patch;
  const result: Rec = isRec(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergePatch(result[key], value);
  }
  return sortFields(result);
}

/** The same object with sorted fields. */
export function sortFields(value: Rec): Rec {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
