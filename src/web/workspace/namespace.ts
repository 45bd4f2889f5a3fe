import type { KnownKinds } from '../kinds/known.ts';
import { kindOfRoute } from '../../registry/kind-commands.ts';
import { splitHref } from '../../registry/path.ts';
import type { Registry } from '../../registry/registry.ts';
import { parseSearch, stringifySearch } from './search.ts';

/**
 * The address of a list for one namespace, or for all, and of the graph of another one; undefined for what shows no
 * namespace of several.
 */
export function namespaceHref(
  registry: Registry,
  kinds: Pick<KnownKinds, 'of'>,
  href: string,
  namespace: string | undefined,
): string | undefined {
  const match = registry.match(href);
  const name = kindOfRoute(match);
  if (match?.command.id !== 'cluster.graph') {
    if (name === undefined || match?.command.shows !== 'list') return undefined;
    if (kinds.of(match.params.clusterId ?? '', name)?.scope === 'Cluster') return undefined;
  }
  const { pathname, search } = splitHref(href);
  return pathname + stringifySearch({ ...parseSearch(search), ns: namespace });
}
