import { isPlainObject } from './plain.ts';

/**
 * The items of a `List`, or of a typed list as `RoleBindingList`, whose items may leave out what the list says; undefined
 * for any other value.
 */
export function listItems(value: unknown): readonly unknown[] | undefined {
  const { kind, apiVersion, items } = isPlainObject(value) ? value : {};
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) return undefined;
  const itemKind = kind.slice(0, -'List'.length);
  return items.map((item: unknown) => {
    const isBare = itemKind !== '' && isPlainObject(item) && !item['kind'] && !item['apiVersion'];
    return isBare ? { apiVersion, kind: itemKind, ...item } : item;
  });
}
