/** Where something holds, in words: `whole cluster`, `namespace shop`, `namespaces data, shop`. */
export function namespacesText(namespaces: readonly string[] | null): string {
  if (namespaces === null) return 'whole cluster';
  return `${namespaces.length === 1 ? 'namespace' : 'namespaces'} ${namespaces.join(', ')}`;
}

/**
 * The part of a cluster that a person reaches, where that is not all of it: `namespaces data, shop only`.
 * @param namespaces by name; undefined for the whole cluster
 */
export function restrictionText(namespaces: readonly string[] | undefined): string | undefined {
  return namespaces === undefined ? undefined : `${namespacesText(namespaces)} only`;
}
