import { isSame, type JsonPath } from './json-diff.ts';
import { isPlainObject } from './plain.ts';

/** The owner of a field that is about to change. */
export interface FieldOwner {
  readonly path: JsonPath;
  /** The field manager: `helm`, `kubectl-client-side-apply`. */
  readonly manager: string;
}

/**
 * Owners of the fields at some paths, by an object's managed fields, without the console itself.
 * @param object the object on the cluster, in which list items are looked up
 */
export function ownersOfPaths(
  object: unknown,
  paths: readonly JsonPath[],
  own: string,
): readonly FieldOwner[] {
  const metadata = isPlainObject(object) ? object['metadata'] : undefined;
  const managed = isPlainObject(metadata) ? metadata['managedFields'] : undefined;
  if (!Array.isArray(managed)) return [];
  const entries = managed.filter(isPlainObject).flatMap((entry) => {
    const { manager, fieldsV1, subresource = '' } = entry;
    return typeof manager === 'string' && manager !== own && subresource === ''
      ? [{ manager, fieldsV1 }]
      : [];
  });
  return paths.flatMap((path) => {
    const managers = entries
      .filter(({ fieldsV1 }) => owns(fieldsV1, object, path))
      .map(({ manager }) => manager);
    return [...new Set(managers)].map((manager) => ({ path, manager }));
  });
}

/** Whether a set of owned fields contains a path or something below it. */
function owns(fields: unknown, value: unknown, path: JsonPath): boolean {
  const [head, ...rest] = path;
  if (!isPlainObject(fields)) return false;
  if (head === undefined) return true;
  // A field without fields of its own is owned as a whole.
  if (Object.keys(fields).length === 0) return true;
  const inner = Array.isArray(value)
    ? value[Number(head)]
    : isPlainObject(value)
      ? value[String(head)]
      : undefined;
  const key = Array.isArray(value) ? itemKey(fields, Number(head), inner) : `f:${head}`;
  return key !== undefined && Object.hasOwn(fields, key) && owns(fields[key], inner, rest);
}

/** The key of a list item in managed fields: its key fields, its value, or its index. */
function itemKey(
  fields: Readonly<Record<string, unknown>>,
  index: number,
  item: unknown,
): string | undefined {
  return Object.keys(fields).find((key) => {
    if (key === `i:${index}`) return true;
    try {
      if (key.startsWith('v:')) return isSame(JSON.parse(key.slice(2)), item);
      if (!key.startsWith('k:') || !isPlainObject(item)) return false;
      const keys: unknown = JSON.parse(key.slice(2));
      return isPlainObject(keys) && Object.entries(keys).every(([name, one]) => isSame(item[name], one));
    } catch {
      return false;
    }
  });
}
