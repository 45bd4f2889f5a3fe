import type { KindFacts } from '../../registry/kinds/kind-facts.ts';

/** Where something holds, in words: `whole cluster`, `namespace shop`, `namespaces data, shop`. */
export function namespacesText(namespaces: readonly string[] | null): string {
  if (namespaces === null) return 'whole cluster';
  return `${namespaces.length === 1 ? 'namespace' : 'namespaces'} ${namespaces.join(', ')}`;
}

/**
 * Where a list looks, in words: one namespace, the cluster, or of a namespaced kind the namespaces that a person sees of
 * it, who does not see whether others have any.
 */
export function placeOfList(
  { scope }: Pick<KindFacts, 'scope'>,
  cluster: {
    readonly name: string;
    readonly namespaces?: readonly string[] | undefined;
    readonly excludedNamespaces?: readonly string[] | undefined;
  },
  namespace: string | undefined,
): string {
  if (scope !== 'Namespaced') return cluster.name;
  if (namespace !== undefined) return namespace;
  const isPart = cluster.namespaces !== undefined || cluster.excludedNamespaces !== undefined;
  return isPart ? 'the namespaces you see' : cluster.name;
}

/**
 * The part of a cluster that a person reaches, where that is not all of it: `namespaces data, shop only`.
 * @param namespaces by name; undefined for the whole cluster
 */
export function restrictionText(namespaces: readonly string[] | undefined): string | undefined {
  return namespaces === undefined ? undefined : `${namespacesText(namespaces)} only`;
}
