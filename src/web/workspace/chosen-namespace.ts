import { kindOfRoute } from '../../registry/commands/kind-commands.ts';
import { splitHref } from '../../registry/path.ts';
import type { Registry } from '../../registry/commands/registry.ts';
import type { KnownKinds } from '../core/kinds/known.ts';
import { parseSearch, stringifySearch } from './search.ts';

/** The namespace chosen on each cluster, by the cluster's number; none for a cluster of which all of them show. */
export type ChosenNamespaces = Readonly<Record<number, string>>;

/** The namespace part of an address: one namespace, all of them, or neither for an address that is no list. */
export interface ShownNamespace {
  readonly clusterId: number;
  /** Undefined while all show. */
  readonly name: string | undefined;
}

/** Sources of addresses, kinds and namespaces. */
export interface NamespaceParts {
  readonly registry: Registry;
  readonly kinds: Pick<KnownKinds, 'of'>;
  /** Whether a cluster is known not to have a namespace; never without it. */
  readonly isMissing?: (clusterId: number, name: string) => boolean;
}

/**
 * Tells whether a cluster is known not to have a namespace, by the names that were read last; asked for every entry of the
 * sidebar, it looks through the names once.
 */
export function lacksNamespace(
  namesOf: (clusterId: number) => readonly { readonly name: string }[] | undefined,
): (clusterId: number, name: string) => boolean {
  let names: ReadonlySet<string> = new Set();
  let read: unknown;
  return (clusterId, name) => {
    const found = namesOf(clusterId);
    if (found === undefined) return false;
    if (found !== read) names = new Set(found.map((one) => one.name));
    read = found;
    return !names.has(name);
  };
}

/**
 * Whether an address is a list whose namespace can be chosen, or the graph; `unknown` for a list of a kind that has not
 * been described yet, which may be cluster-scoped.
 */
export function hasNamespaces({ registry, kinds }: NamespaceParts, href: string): boolean | 'unknown' {
  const match = registry.match(href);
  if (match?.command.id === 'cluster.graph') return true;
  const name = kindOfRoute(match);
  if (name === undefined || match?.command.shows !== 'list') return false;
  const scope = kinds.of(match.params.clusterId ?? '', name)?.scope;
  return scope === undefined ? 'unknown' : scope === 'Namespaced';
}

/** The namespace that the list or graph at an address shows; undefined for an address that says nothing of namespaces. */
export function shownNamespace(parts: NamespaceParts, href: string): ShownNamespace | undefined {
  const has = hasNamespaces(parts, href);
  const match = parts.registry.match(href);
  const clusterId = Number(match?.params.clusterId);
  if (has === false || !Number.isSafeInteger(clusterId)) return undefined;
  const name = parseSearch(splitHref(href).search).ns;
  // A graph without a namespace asks for one, and a list that may have none tells nothing by having none.
  const isAll = has === true && match?.command.id !== 'cluster.graph';
  return name === undefined && !isAll ? undefined : { clusterId, name };
}

/** The choices after an address was shown. A namespace that is not there cannot be chosen. */
export function afterShowing(
  parts: NamespaceParts,
  chosen: ChosenNamespaces,
  href: string,
): ChosenNamespaces {
  const shown = shownNamespace(parts, href);
  if (shown?.name !== undefined && parts.isMissing?.(shown.clusterId, shown.name) === true) return chosen;
  return shown === undefined ? chosen : afterChoosing(chosen, shown);
}

/** The choices after a namespace, or all of them, was chosen on a cluster. */
export function afterChoosing(
  chosen: ChosenNamespaces,
  { clusterId, name }: ShownNamespace,
): ChosenNamespaces {
  if (chosen[clusterId] === name) return chosen;
  const { [clusterId]: _, ...others } = chosen;
  return name === undefined ? others : { ...others, [clusterId]: name };
}

/** The address of a list or graph with the namespace chosen on its cluster, unless it names one; any other as it is. */
export function inChosenNamespace(parts: NamespaceParts, chosen: ChosenNamespaces, href: string): string {
  if (hasNamespaces(parts, href) === false) return href;
  const { pathname, search } = splitHref(href);
  const values = parseSearch(search);
  const clusterId = Number(parts.registry.match(href)?.params.clusterId);
  const name = namespaceIn(parts, chosen, clusterId);
  return name === undefined || values.ns !== undefined
    ? href
    : pathname + stringifySearch({ ...values, ns: name });
}

/** The namespace in which lists of a cluster are opened; undefined for all of them. */
export function namespaceIn(
  parts: NamespaceParts,
  chosen: ChosenNamespaces,
  clusterId: number,
): string | undefined {
  const name = chosen[clusterId];
  return name === undefined || parts.isMissing?.(clusterId, name) === true ? undefined : name;
}
