import type { Requirement } from '../../contract/needs.ts';
import { type Need, type Permission, permissions } from '../../contract/permissions.ts';

/**
 * Where a permission is asked for:
 * - a namespace, by its name
 * - `cluster`: the objects of the cluster itself, or all of its namespaces at once
 * - `anywhere`: whether it is held in any namespace. That decides what is offered, and who reaches a handler that asks
 *   for each namespace itself; it never decides about an object.
 */
export type Place = { readonly namespace: string } | 'cluster' | 'anywhere';

/** A need, and the place of it. */
export interface PlacedNeed {
  readonly need: Need;
  readonly place: Place;
}

/** Namespaces by name; `all` of a cluster, those to come and the objects of the cluster itself included. */
export type Namespaces = 'all' | ReadonlySet<string>;

/** What a person may do on one cluster: pairs of a permission and a namespace. */
export interface HeldPermissions {
  /** Owners have what nobody can be granted. */
  readonly isOwner: boolean;
  /** The permissions that are held in at least one namespace, by name. */
  readonly names: readonly Permission[];
  /** The namespaces in which anything is held. */
  readonly namespaces: Namespaces;
  /** Whether all that is held is held on the whole cluster, so that nothing is left out by its namespace. */
  readonly isWhole: boolean;
  /** A text that is equal for people who may do the same. */
  readonly key: string;
  /** Whether what is required is held in a place: one permission, all of a list, or any of several. */
  readonly may: May;
  /** The namespaces in which what is required is held. */
  namespacesFor(need: Requirement): Namespaces;
}

/** Whether somebody may do what needs this, in a place. */
export type May = (need: Requirement, place: Place) => boolean;

const noNamespaces: ReadonlySet<string> = new Set();

/** What both say. */
export function overlap(a: Namespaces, b: Namespaces): Namespaces {
  if (a === 'all') return b;
  return b === 'all' ? a : new Set([...a].filter((one) => b.has(one)));
}

/** What one of both says. */
export function union(a: Namespaces, b: Namespaces): Namespaces {
  return a === 'all' || b === 'all' ? 'all' : new Set([...a, ...b]);
}

/** Whether a place is among these namespaces. */
export function covers(namespaces: Namespaces, place: Place): boolean {
  if (namespaces === 'all') return true;
  if (place === 'cluster') return false;
  return place === 'anywhere' ? namespaces.size > 0 : namespaces.has(place.namespace);
}

/** Whether all of some namespaces are among these. */
export function includes(namespaces: Namespaces, some: Namespaces): boolean {
  if (namespaces === 'all') return true;
  return some !== 'all' && [...some].every((one) => namespaces.has(one));
}

/** What is left of what somebody may do to whom only some permissions are left: nobody is an Owner by that. */
export function limitedTo(held: HeldPermissions, left: ReadonlySet<string>): HeldPermissions {
  const names = held.names.filter((name) => left.has(name));
  return createHeld(new Map(names.map((name) => [name, held.namespacesFor(name)])), false);
}

/** Whether any of several is enough. */
const isChoice = (need: Requirement): need is Extract<Requirement, { readonly any: unknown }> =>
  typeof need === 'object' && 'any' in need;

/** Permissions with the namespaces in which each is held, as somebody holds them. */
export function createHeld(pairs: ReadonlyMap<Permission, Namespaces>, isOwner: boolean): HeldPermissions {
  const names = permissions.filter((name) => covers(pairs.get(name) ?? noNamespaces, 'anywhere'));
  const namespacesFor = (need: Requirement): Namespaces => {
    // Nothing to choose from is for Owners, as `satisfies` has it.
    if (need === 'owner' || (isChoice(need) && need.any.length === 0)) return isOwner ? 'all' : noNamespaces;
    if (isChoice(need)) return need.any.map(namespacesFor).reduce<Namespaces>(union, noNamespaces);
    const needed = typeof need === 'string' ? [need] : need;
    return needed.map((one) => pairs.get(one) ?? noNamespaces).reduce<Namespaces>(overlap, 'all');
  };
  const keyOf = (name: Permission) => {
    const own = pairs.get(name) ?? noNamespaces;
    return [name, own === 'all' ? own : [...own].sort()];
  };
  return {
    isOwner,
    names,
    isWhole: names.every((name) => pairs.get(name) === 'all'),
    namespaces: names.map((name) => pairs.get(name) ?? noNamespaces).reduce<Namespaces>(union, noNamespaces),
    key: JSON.stringify([isOwner, names.map(keyOf)]),
    may: (need, place) => covers(namespacesFor(need), place),
    namespacesFor,
  };
}
