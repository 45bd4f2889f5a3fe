import { plainTitle, type RouteCommand } from '../../registry/commands/command.ts';
import type { IconName } from '../../registry/icon-name.ts';
import type { ObjectTool } from '../../registry/kinds/object-tools.ts';
import { splitHref } from '../../registry/path.ts';
import { kindOfRoute } from '../../registry/commands/kind-commands.ts';
import type { Registry, RouteMatch } from '../../registry/commands/registry.ts';
import type { KnownKinds } from '../core/kinds/known.ts';

const views: Readonly<Record<ObjectTool, string>> = {
  values: 'Values',
  manifest: 'Manifest',
  yaml: 'YAML',
  logs: 'Logs',
  shell: 'Shell',
  attach: 'Attach',
  edit: 'Edit',
  compare: 'Compare',
  graph: 'Graph',
  why: 'Why',
};

const isTool = (view: string): view is ObjectTool => Object.hasOwn(views, view);

/** Sources of titles. */
export interface TitleParts {
  readonly registry: Registry;
  readonly kinds: Pick<KnownKinds, 'titleOf'>;
  /** The names of teams and people by their ids; undefined for those that are not known. */
  readonly names?: Readonly<Record<NonNullable<RouteCommand['named']>, (id: string) => string | undefined>>;
}

/** The title of a list whose path names its kind, in the kind's own letters; undefined until they are known. */
function listTitle(kinds: TitleParts['kinds'], match: RouteMatch): string | undefined {
  const { command, params } = match;
  if (command.shows !== 'list' || command.kindIn === undefined) return undefined;
  const name = kindOfRoute(match);
  if (name === undefined) return undefined;
  return kinds.titleOf(params.clusterId ?? '', name);
}

/** The title of the page of a team or person, with its name behind; undefined until that is known. */
function namedTitle(names: TitleParts['names'], { command, params }: RouteMatch): string | undefined {
  if (command.named === undefined) return undefined;
  const name = names?.[command.named](Object.values(params).at(-1) ?? '');
  return name === undefined ? undefined : `${plainTitle(command)} ${name}`;
}

/** The title of a tab: the route's title, for a tool of an object with its name in front, of a graph with its namespace. */
export function titleOf({ registry, kinds, names }: TitleParts, href: string): string {
  const match = registry.match(href);
  if (match === undefined) return 'No such page';
  const title =
    listTitle(kinds, match) ?? namedTitle(names, match) ?? plainTitle(match.command, match.params);
  const search = new URLSearchParams(splitHref(href).search);
  const view = search.get('view') ?? '';
  const ns = search.get('ns');
  if (match.command.id === 'cluster.graph' && ns !== null) return `${title} of ${ns}`;
  if (match.command.shows === 'list' && view === 'logs') return `Logs of ${title.toLowerCase()}`;
  return match.command.shows === 'object' && isTool(view) ? `${views[view]} ${title}` : title;
}

/** The icon of a tab: the route's. */
export function iconOf(registry: Registry, href: string): IconName | undefined {
  return registry.match(href)?.command.icon;
}
