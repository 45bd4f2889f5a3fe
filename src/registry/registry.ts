import type { Permission } from '../contract/permissions.ts';
import type { Command, Needs, Place, RouteCommand } from './command.ts';
import { fillPath } from './path.ts';
import { type ContextKeys, matches } from './when.ts';

/** Whether the person holds a permission on the cluster in question. */
export type May = (permission: Permission) => boolean;

/** A path and the route that answers it. */
export interface RouteMatch {
  readonly command: RouteCommand;
  readonly params: Readonly<Record<string, string>>;
}

/** What the console can do: every view of it (palette, keys, sidebar, menus, tiles) asks here. */
export interface Registry {
  readonly commands: readonly Command[];
  readonly routes: readonly RouteCommand[];
  /** Whether every command is there, not only those a page begins with. */
  readonly isWhole: boolean;
  /** Takes every command in the place of those it began with; its routes stay as they are. */
  complete(commands: readonly Command[]): void;
  /** Throws on an unknown id: that is a mistake in the program. */
  get(id: string): Command;
  has(id: string): boolean;
  /** Commands that exist here and that the person may run. */
  available(context: ContextKeys, may: May): readonly Command[];
  /** Available commands of a place, in its order; for the sidebar the name of the section. */
  at(place: string, context: ContextKeys, may: May): readonly Command[];
  /** The route of a path (search and hash are ignored). */
  match(href: string): RouteMatch | undefined;
  href(id: string, params?: Readonly<Record<string, string>>): string;
}

/** Whether the permissions a command needs are held. */
export function holds(needs: Needs | undefined, may: May): boolean {
  if (needs === undefined) return true;
  if (typeof needs === 'string') return may(needs);
  if ('any' in needs) return needs.any.some((one) => holds(one, may));
  return needs.every(may);
}

/** Whether a command leads nowhere that its guard would lead away from. */
const isAdmitted = (command: Command, { role }: ContextKeys): boolean =>
  command.type !== 'route' || command.access !== 'owner' || role === 'admin';

const placeName = (place: Place): string => (typeof place === 'string' ? place : place.sidebar);
const placeOrder = (place: Place): number => (typeof place === 'string' ? 0 : place.order);
const orderAt = (command: Command, name: string): number =>
  placeOrder(command.places?.find((place) => placeName(place) === name) ?? 'topbar');

/** Commands by their ids. Throws on a duplicate, so that the mistake shows at start. */
function byIds(commands: readonly Command[]): ReadonlyMap<string, Command> {
  const byId = new Map<string, Command>();
  for (const command of commands) {
    if (byId.has(command.id)) throw new Error(`Two commands have the id ${command.id}.`);
    byId.set(command.id, command);
  }
  return byId;
}

/** The routes among commands. */
export const routesOf = (commands: readonly Command[]): readonly RouteCommand[] =>
  commands.filter((command) => command.type === 'route');

/**
 * Builds the registry. Throws on a duplicate id or path, so that the mistake shows at start.
 * @param match the route of a path, as the router of the same routes finds it
 * @param isWhole false for the commands that a page begins with: every route, and some others
 */
export function createRegistry(
  first: readonly Command[],
  match: Registry['match'],
  isWhole = true,
): Registry {
  let commands = first;
  let byId = byIds(first);
  const routes = routesOf(first);
  const paths = new Set<string>();
  for (const { path } of routes) {
    const shape = path.replace(/:\w+/g, ':');
    if (paths.has(shape)) throw new Error(`Two routes have the path ${path}.`);
    paths.add(shape);
  }
  const available = (context: ContextKeys, may: May) =>
    commands.filter(
      (command) =>
        matches(command.when, context) && holds(command.needs, may) && isAdmitted(command, context),
    );
  const get = (id: string) => {
    const command = byId.get(id);
    if (command === undefined) throw new Error(`There is no command ${id}.`);
    return command;
  };

  return {
    get commands() {
      return commands;
    },
    routes,
    get isWhole() {
      return isWhole;
    },
    complete: (all) => {
      byId = byIds(all);
      commands = all;
      isWhole = true;
    },
    get,
    has: (id) => byId.has(id),
    available,
    at: (place, context, may) =>
      available(context, may)
        .filter((command) => command.places?.some((one) => placeName(one) === place) === true)
        .sort((a, b) => orderAt(a, place) - orderAt(b, place)),
    match,
    href: (id, params = {}) => {
      const command = get(id);
      if (command.type !== 'route') throw new Error(`The command ${id} has no path.`);
      return fillPath(command.path, params);
    },
  };
}
