import type { Toaster } from '../../registry/commands/services.ts';
import type { DataPort } from '../data/port.ts';
import { splitHref } from '../../registry/path.ts';
import { excludedShown } from '../../registry/commands/route-search.ts';
import { hasNamespaces, type NamespaceParts } from './chosen-namespace.ts';
import { focusedTab } from './layout.ts';
import { numberedOf } from './numbered.ts';
import { clusterOf } from './place.ts';
import { parseSearch, stringifySearch } from './search.ts';
import type { WorkspaceStore } from './workspace-store.ts';

/** Parts that determine and show the namespaces of a list. */
interface Parts extends NamespaceParts {
  readonly workspace: WorkspaceStore;
}

/**
 * The address of a list for one namespace, or for all, and of the graph of another one; undefined for what shows no
 * namespace of several.
 */
function namespaceHref(parts: NamespaceParts, href: string, namespace: string | undefined) {
  if (hasNamespaces(parts, href) === false) return undefined;
  const { pathname, search } = splitHref(href);
  return pathname + stringifySearch({ ...parseSearch(search), ns: namespace });
}

/** Shows one namespace in the focused list, or all without one. False where no list of such objects shows. */
export function chooseNamespace(parts: Parts, namespace: string | undefined): boolean {
  const { workspace } = parts;
  const tab = focusedTab(workspace.state.get().layout);
  const href = namespaceHref(parts, tab.href, namespace);
  if (href === undefined) return false;
  workspace.setHref(tab.id, href, 'push');
  return true;
}

/**
 * Shows the namespaces that the person leaves out in the focused view, or leaves them out again. False where no view of
 * several namespaces shows, or nothing is left out.
 */
export function toggleExcluded(parts: Parts & Pick<DataPort, 'queryClient' | 'queries'>): boolean {
  const { workspace, registry, queryClient, queries } = parts;
  const tab = focusedTab(workspace.state.get().layout);
  const match = registry.match(tab.href);
  const clusterId = Number(match?.params.clusterId);
  const cluster = queryClient.getQueryData(queries.clusters.queryKey)?.find(({ id }) => id === clusterId);
  const { pathname, search } = splitHref(tab.href);
  const values = parseSearch(search);
  const isView = match?.command.shows === 'list' || match?.command.id === 'cluster.details';
  // A graph of one namespace names objects of others.
  const isGraph = match?.command.id === 'cluster.graph' || values.view === 'graph';
  const leavesOut = isGraph || (isView && values.ns === undefined);
  if (!leavesOut || cluster?.excludedNamespaces === undefined) return false;
  const excluded = values.excluded === excludedShown ? undefined : excludedShown;
  workspace.setHref(tab.id, pathname + stringifySearch({ ...values, excluded }), 'push');
  return true;
}

/** Shows the namespace with a number in the focused list, or says why not. */
export function chooseNumbered(
  parts: Parts &
    Pick<DataPort, 'queryClient' | 'queries'> & { readonly toast: Pick<Toaster, 'info' | 'error'> },
  number: number,
): void {
  const { workspace, registry, queryClient, queries, toast } = parts;
  const clusterId = clusterOf(registry, focusedTab(workspace.state.get().layout).href);
  const name = clusterId === undefined ? undefined : numberedOf(parts, clusterId)[number - 1];
  const known = queryClient.getQueryData(queries.namespaces(clusterId ?? 0).queryKey);
  if (name === undefined)
    toast.info(`There is no namespace number ${number}. Choose one in the list of namespaces.`);
  else if (known !== undefined && !known.some((one) => one.name === name))
    toast.error(`Namespace not found: ${name}`);
  else if (!chooseNamespace(parts, name))
    toast.info('This list shows cluster-scoped objects, which have no namespace.');
}

/** Compares the objects of the focused list with those of another place. False where no list shows. */
export function compareList({ workspace, registry }: Parts): boolean {
  const { href } = focusedTab(workspace.state.get().layout);
  if (registry.match(href)?.command.shows !== 'list') return false;
  const { pathname, search } = splitHref(href);
  const { ns, excluded } = parseSearch(search);
  workspace.open(pathname + stringifySearch({ ns, excluded, view: 'compare' }));
  return true;
}
