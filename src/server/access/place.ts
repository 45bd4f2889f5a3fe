import type { AnyKind } from '../../registry/kinds/kind.ts';
import type { Namespaces, Place } from './held.ts';

type Scoped = Pick<AnyKind, 'scope' | 'group' | 'plural'>;

/** Whether a kind is the namespaces themselves: objects of the cluster that belong to whoever has what is in them. */
export function isNamespaceKind({ group, plural }: Pick<AnyKind, 'group' | 'plural'>): boolean {
  return group === '' && plural === 'namespaces';
}

/**
 * Where an object, or without a name a list, is viewed. An object of the cluster is viewed on the cluster as a whole,
 * a namespace in itself, and objects without a namespace that have one in all namespaces.
 */
export function viewPlace(
  kind: Scoped,
  {
    namespace = '',
    name = '',
  }: { readonly namespace?: string | undefined; readonly name?: string | undefined },
): Place {
  if (isNamespaceKind(kind)) return name === '' ? 'cluster' : { namespace: name };
  return changePlace(kind, { namespace });
}

/** Where an object is changed: a namespace, too, on the cluster as a whole. */
export function changePlace(
  { scope }: Pick<AnyKind, 'scope'>,
  { namespace = '' }: { readonly namespace?: string | undefined },
): Place {
  return scope === 'Cluster' || namespace === '' ? 'cluster' : { namespace };
}

/**
 * Where it is decided whether objects of a kind are seen at all, in a list that leaves out those of other namespaces:
 * objects of the cluster are all seen or none.
 */
export function listPlace(kind: Scoped): Place {
  return kind.scope === 'Cluster' && !isNamespaceKind(kind) ? 'cluster' : 'anywhere';
}

/** Whether an object is in one of these namespaces, or is one of them. */
export function isWithin(
  namespaces: Namespaces,
  kind: Scoped,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): boolean {
  if (namespaces === 'all') return true;
  if (kind.scope === 'Namespaced') return namespaces.has(namespace);
  return isNamespaceKind(kind) && namespaces.has(name);
}
