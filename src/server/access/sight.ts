import { type SQL, sql } from 'drizzle-orm';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import type { HeldPermissions } from './held.ts';
import { isNamespaceKind, isWithin } from './place.ts';

/** The view that somebody has of a cluster: their permissions, and the namespaces that they leave out. */
export interface Sight {
  readonly held: HeldPermissions;
  readonly excluded: ReadonlySet<string>;
}

type Scoped = Pick<AnyKind, 'scope' | 'group' | 'plural'>;

/** Nothing is left out: of what somebody names, or asks to see whole. */
export const noneExcluded: ReadonlySet<string> = new Set();

/** A text that is equal for people who look at the same. */
export const sightKey = ({ held, excluded }: Sight): string =>
  excluded.size === 0 ? held.key : JSON.stringify([held.key, [...excluded].sort()]);

/** Whether an object is left out: what is in an excluded namespace, and the namespace itself. */
export function isExcluded(
  excluded: ReadonlySet<string>,
  kind: Scoped,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): boolean {
  if (excluded.size === 0) return false;
  return kind.scope === 'Namespaced' ? excluded.has(namespace) : isNamespaceKind(kind) && excluded.has(name);
}

/** Whether somebody sees an object of a kind in a view of all namespaces. */
export const isInSight = (
  { held, excluded }: Sight,
  kind: Scoped & Pick<AnyKind, 'permissions'>,
  object: { readonly namespace: string; readonly name: string },
): boolean =>
  isWithin(held.namespacesFor(kind.permissions.view), kind, object) && !isExcluded(excluded, kind, object);

/**
 * For a query that names both: the namespaces that a person leaves out of their views of a cluster, of which it reads
 * those that are left out for everybody besides. Null where the person left out none.
 */
export const ownExcluded = (of: { readonly clusterId: SQL; readonly userId: SQL }) =>
  sql<readonly string[] | null>`(select us.excluded_namespaces from user_cluster_settings us
    where us.user_id = ${of.userId} and us.cluster_id = ${of.clusterId})`;

/** What a person's views leave out. An API token looks at everything that it may see: it has no views. */
export const excludedBy = (
  forEverybody: readonly string[],
  own: readonly string[] | null,
  isToken: boolean,
): ReadonlySet<string> => (isToken ? noneExcluded : new Set([...forEverybody, ...(own ?? [])]));
