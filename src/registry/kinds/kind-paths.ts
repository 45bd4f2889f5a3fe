import { coreGroup, type ResourceName } from './resource-key.ts';

/** The paths of a kind: its list, and its objects with the canonical path first. The last parameter is the name. */
export interface KindPaths {
  readonly list: string;
  readonly detail?: readonly [canonical: string, ...also: string[]];
}

/** The paths of kinds for which the specification defines none. */
export function generalPaths({
  group,
  plural,
  scope,
}: Pick<ResourceName, 'group' | 'plural'> & { readonly scope: 'Namespaced' | 'Cluster' }): KindPaths {
  const list = `objects/${group === '' ? coreGroup : group}/${plural}`;
  const place = scope === 'Namespaced' ? '/namespaces/:namespaceName' : '';
  return { list: `/clusters/:clusterId/${list}`, detail: [`/clusters/:clusterId${place}/${list}/:name`] };
}
