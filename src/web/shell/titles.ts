import { plainTitle } from '../../registry/command.ts';
import { splitHref } from '../../registry/path.ts';
import type { Registry } from '../../registry/registry.ts';

const views: Readonly<Record<string, string>> = {
  yaml: 'YAML',
  logs: 'Logs',
  shell: 'Shell',
  attach: 'Attach',
  edit: 'Edit',
  compare: 'Compare',
};

/** The title of a tab: the route's title, for a tool of an object with its name in front, of a graph with its namespace. */
export function titleOf(registry: Registry, href: string): string {
  const match = registry.match(href);
  if (match === undefined) return 'No such page';
  const title = plainTitle(match.command, match.params);
  const search = new URLSearchParams(splitHref(href).search);
  const view = search.get('view') ?? '';
  const ns = search.get('ns');
  if (match.command.id === 'cluster.graph' && ns !== null) return `${title} of ${ns}`;
  if (match.command.shows === 'list' && view === 'logs') return `Logs of ${title.toLowerCase()}`;
  return match.command.shows === 'object' && view in views ? `${views[view]} ${title}` : title;
}

/** The icon of a tab: the route's. */
export function iconOf(registry: Registry, href: string): string | undefined {
  return registry.match(href)?.command.icon;
}
