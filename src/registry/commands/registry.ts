import { type Holds, lacking, satisfies } from '../../contract/needs.ts';
import type { Permission } from '../../contract/permissions.ts';
import { type Command, hrefOf, type Needs, type Place, type RouteCommand } from './command.ts';
import { type ContextKeys, matches } from './when.ts';

/** Whether the person has a permission on the cluster in question. */
export type May = Holds;

/** A path and its route. */
export interface RouteMatch {
  readonly command: RouteCommand;
  readonly params: Readonly<Record<string, string>>;
}

/** The commands of the console; palette, keys, sidebar, menus and tiles query it. */
export interface Registry {
  readonly commands: readonly Command[];
  readonly routes: readonly RouteCommand[];
  /** The sections of the settings page that are loaded: routes without a path of their own. */
  readonly sections: readonly RouteCommand[];
  /** Whether all commands are loaded, not only those that a page begins with. */
  readonly isWhole: boolean;
  /** Replaces the initial commands by the complete list; the routes with a path stay the same. */
  complete(commands: readonly Command[]): void;
  /** Throws for an unknown id, which is a programming error. */
  get(id: string): Command;
  has(id: string): boolean;
  /** Commands that exist in a context and that the person may run. */
  available(context: ContextKeys, may: May): readonly Command[];
  /**
   * Available commands of a place, in its order; for the sidebar `place` is the section's name, for the settings
   * `settings` and the group's name.
   */
  at(place: string, context: ContextKeys, may: May): readonly Command[];
  /** Commands of a place that exist in a context, and that the person may not run. */
  refusedAt(place: string, context: ContextKeys, may: May): readonly Command[];
  /** The route of a path; search and hash are ignored. */
  match(href: string): RouteMatch | undefined;
  href(id: string, params?: Readonly<Record<string, string>>): string;
}

/** Whether a person has the permissions that a command needs. */
export function holds(needs: Needs | undefined, may: May): boolean {
  return needs === undefined || satisfies(needs, may, false);
}

/** What a person can lack for a command: to be an Owner, to manage the team on screen, a permission on the cluster. */
export type Lacked = Permission | 'owner' | 'team';

/** What a person lacks for a command in a context; nothing for a command that they may run. */
export function lackingFor(command: Command, { role, team }: ContextKeys, may: May): readonly Lacked[] {
  const isOwner = role === 'admin';
  const access = command.type === 'template' ? undefined : command.access;
  if (access === 'owner' && !isOwner) return ['owner'];
  if (access === 'team' && !isOwner && team !== 'managed') return ['team'];
  return command.needs === undefined || holds(command.needs, may) ? [] : lacking(command.needs, may, false);
}

/** Whether a person may run a command where it exists. */
export const isAllowed = (command: Command, context: ContextKeys, may: May): boolean =>
  lackingFor(command, context, may).length === 0;

const placeName = (place: Place): string => {
  if (typeof place === 'string') return place;
  return 'sidebar' in place ? place.sidebar : `settings ${place.settings}`;
};
/** Whether a place lists its command for the person. */
const isShown = (place: Place, { role }: ContextKeys): boolean =>
  typeof place === 'string' || !('isForOwners' in place) || role === 'admin';
const placeOrder = (place: Place): number => (typeof place === 'string' ? 0 : place.order);
const orderAt = (command: Command, name: string): number =>
  placeOrder(command.places?.find((place) => placeName(place) === name) ?? 'topbar');

/** Indexes commands by id. Throws for a duplicate, so that the error shows at start. */
function byIds(commands: readonly Command[]): ReadonlyMap<string, Command> {
  const byId = new Map<string, Command>();
  for (const command of commands) {
    if (byId.has(command.id)) throw new Error(`Two commands have the id ${command.id}.`);
    byId.set(command.id, command);
  }
  return byId;
}

/** The routes among the commands that have a path of their own. */
export const routesOf = (commands: readonly Command[]): readonly RouteCommand[] =>
  commands.filter((command) => command.type === 'route' && command.section === undefined) as RouteCommand[];

/** The sections of the settings page among the commands. */
const sectionsOf = (commands: readonly Command[]): readonly RouteCommand[] =>
  commands.filter((command) => command.type === 'route' && command.section !== undefined) as RouteCommand[];

/**
 * Builds the registry. Throws for a duplicate id or path, so that the error shows at start.
 * @param match finds the route of a path; the router of the same routes implements it
 * @param isWhole false for the commands that a page begins with: all routes with a path and a few actions
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
    commands.filter((command) => matches(command.when, context) && isAllowed(command, context, may));
  const isAt = (command: Command, place: string, context: ContextKeys) =>
    command.places?.some((one) => placeName(one) === place && isShown(one, context)) === true;
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
    get sections() {
      return sectionsOf(commands);
    },
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
        .filter((command) => isAt(command, place, context))
        .sort((a, b) => orderAt(a, place) - orderAt(b, place)),
    refusedAt: (place, context, may) =>
      commands.filter(
        (command) =>
          isAt(command, place, context) &&
          matches(command.when, context) &&
          !isAllowed(command, context, may),
      ),
    match,
    href: (id, params = {}) => {
      const command = get(id);
      if (command.type !== 'route') throw new Error(`The command ${id} has no path.`);
      return hrefOf(command, params);
    },
  };
}
