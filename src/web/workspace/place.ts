import type { Registry } from '../../registry/commands/registry.ts';
import type { ObjectTool } from '../../registry/kinds/object-tools.ts';
import { fillPath, splitHref } from '../../registry/path.ts';
import { parseSearch, stringifySearch } from './search.ts';

/** Its namespace is what it is of, not what is picked out of it: each has a tab of its own. */
const graph = /\/visualization\/resources$/;

/** The identity of what an address shows: path (decoded alike), the tool in `view`, and the namespace of a graph. */
export function viewKey(href: string): string {
  const { pathname, search } = splitHref(href);
  const path = pathname.replace(/\/+$/, '') || '/';
  const name = graph.test(path) ? 'ns' : 'view';
  const value = new URLSearchParams(search).get(name);
  return value === null ? path : `${path}?${name}=${value}`;
}

/** Tools that run something of their own, which another view of the object must not end. */
const sessions: ReadonlySet<string> = new Set<ObjectTool>(['shell', 'attach']);

/**
 * The identity of an address's tab: all views of one object are in one tab, except its sessions; of anything else each
 * view has a tab.
 */
export function tabKey(registry: Registry, href: string): string {
  const { pathname, search } = splitHref(href);
  const tool = new URLSearchParams(search).get('view');
  if (tool === null || sessions.has(tool)) return viewKey(href);
  return viewKey(registry.match(pathname)?.command.shows === 'object' ? pathname : href);
}

/** Whether two addresses are the same view, at most scrolled to another section of it (`at`). */
export function isSameView(one: string, other: string): boolean {
  const [a, b] = [one, other].map((href) => {
    const { pathname, search } = splitHref(href);
    return pathname + stringifySearch({ ...parseSearch(search), at: undefined });
  });
  return one === other || a === b;
}

/** The cluster an address belongs to, if any. */
export function clusterOf(registry: Registry, href: string): number | undefined {
  const text = registry.match(href)?.params.clusterId;
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/** The cluster's own page, or home without one. */
export function clusterHome(registry: Registry, clusterId: number | undefined): string {
  return clusterId === undefined
    ? registry.href('home')
    : registry.href('cluster.details', { clusterId: String(clusterId) });
}

/**
 * Where a change of cluster leads: the same route on the new cluster, without namespace, filter and other search,
 * or the cluster's own page when the route names more than the cluster and a kind.
 */
export function onCluster(registry: Registry, href: string, clusterId: number): string {
  const match = registry.match(href);
  if (match?.params.clusterId === undefined) return clusterHome(registry, clusterId);
  const { params, command } = match;
  const named = ['clusterId', ...(command.kindIn?.params ?? [])];
  if (Object.keys(params).some((name) => !named.includes(name))) return clusterHome(registry, clusterId);
  return fillPath(command.path, { ...params, clusterId: String(clusterId) });
}
