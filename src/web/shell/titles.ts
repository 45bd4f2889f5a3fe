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

/** The title of a tab: the route's title, for a tool of an object with its name in front. */
export function titleOf(registry: Registry, href: string): string {
  const match = registry.match(href);
  if (match === undefined) return 'No such page';
  const title = plainTitle(match.command, match.params);
  const view = new URLSearchParams(splitHref(href).search).get('view') ?? '';
  if (match.command.shows === 'list' && view === 'logs') return `Logs of ${title.toLowerCase()}`;
  return match.command.shows === 'object' && view in views ? `${views[view]} ${title}` : title;
}

/** The icon of a tab: the route's. */
export function iconOf(registry: Registry, href: string): string | undefined {
  return registry.match(href)?.command.icon;
}
