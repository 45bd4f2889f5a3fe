import type { ObjectBody } from '../../contract/objects.ts';

/**
 * A value as it is compared: maps by sorted keys, since their order means nothing and clusters answer with another one
 * than they were sent; lists as they are, since theirs does.
 */
export function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([key, inner]) => [key, canonical(inner)]));
}

/** An object without what every change changes (version, generation) and without its status, its keys in order. */
export function comparable(object: ObjectBody): unknown {
  const { status: _status, metadata = {}, ...rest } = object;
  const { resourceVersion: _version, generation: _generation, managedFields: _fields, ...kept } = metadata;
  return canonical({ ...rest, metadata: kept });
}
