import { plainTitle } from '../../registry/command.ts';
import type { Registry } from '../../registry/registry.ts';

/** The title of a tab: the route's title. */
export function titleOf(registry: Registry, href: string): string {
  const match = registry.match(href);
  return match === undefined ? 'No such page' : plainTitle(match.command, match.params);
}

/** The icon of a tab: the route's. */
export function iconOf(registry: Registry, href: string): string | undefined {
  return registry.match(href)?.command.icon;
}
