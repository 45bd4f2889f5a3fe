import type { Permission } from '../../contract/permissions.ts';
import type { IconName } from '../icon-name.ts';
import type { ArgDefinition } from '../kinds/kind-action.ts';
import type { SidebarSection } from '../sidebar.ts';
import { fillPath, type PathParams } from '../path.ts';
import type { Services } from './services.ts';
import type { Clause, When } from './when.ts';
import type { Invocation } from './invocation.ts';

/** Headings of the palette and sections of the help, in display order. */
export const groups = [
  'Go to',
  'Palette',
  'Objects',
  'Cluster',
  'List',
  'Page',
  'Logs',
  'Replay',
  'Graph',
  'Workspace',
  'Appearance',
  'Account',
] as const;
export type Group = (typeof groups)[number];

/** Where a command appears besides palette and keys. */
export type Place =
  | 'topbar'
  | 'user-menu'
  | 'tab-menu'
  | 'row-menu'
  /** The menus of a person of the company, and of an invitation. */
  | 'person-menu'
  /** The menu of a line under “Needs attention”. */
  | 'trouble-menu'
  | 'invitation-menu'
  /** The header of a cluster's own page. */
  | 'cluster-page'
  | 'detail-header'
  /** A view of one object: beside Open in the palette, and in the line below the object's page. */
  | 'object-view'
  /** The navigation of a cluster's settings. */
  | 'cluster-settings'
  | {
      readonly sidebar: SidebarSection;
      readonly order: number;
      /** Whether the entry stands there for Owners alone, of a place that others reach by other ways. */
      readonly isForOwners?: true;
    }
  /** The settings' own navigation. */
  | { readonly settings: SettingsGroup; readonly order: number };

/** Headings of the settings' own navigation, in order. */
export const settingsGroups = ['Account', 'Organisation', 'Product'] as const;
export type SettingsGroup = (typeof settingsGroups)[number];

type All = Permission | readonly Permission[];
/** Permissions that a command needs: one, all of a list, or any one of several alternatives. */
export type Needs = All | { readonly any: readonly All[] };

/** One argument of a command. The palette asks for missing ones, one step each. */
export type CommandArg =
  | ArgDefinition
  /** A cluster that the person may see, by number. */
  | { readonly type: 'cluster'; readonly label: string }
  /** A namespace of the selected cluster; the empty string stands for all. */
  | { readonly type: 'namespace'; readonly label: string }
  /** A company that the person belongs to, by number. */
  | { readonly type: 'company'; readonly label: string }
  /** An object with a line under “Needs attention” of the selected cluster, as an `ObjectRef`. */
  | { readonly type: 'trouble'; readonly label: string }
  /** A saved filter of the person, by name. */
  | { readonly type: 'saved-filter'; readonly label: string }
  /** A person of the company, an invitation that was not accepted, or a team, by number. */
  | { readonly type: OrganisationArg; readonly label: string };
/** Arguments that name a part of the company. */
export type OrganisationArg = 'person' | 'invitation' | 'team';
/** Whether an argument names a part of the company. */
export const isOrganisationArg = (type: CommandArg['type']): type is OrganisationArg =>
  type === 'person' || type === 'invitation' || type === 'team';
export type CommandArgs = Readonly<Record<string, CommandArg>>;

interface Common<A> {
  /** Stable dotted id, subject first: `cluster.switch`. Keymap, recents, tests and logs use it. */
  readonly id: string;
  readonly title: string | ((invocation: Invocation<A>) => string);
  /** The title while arguments are still missing, if different: `Open a pod…`. */
  readonly prompt?: string;
  readonly group: Group;
  readonly keywords?: readonly string[];
  readonly icon?: IconName;
  /** In which contexts the command exists. */
  readonly when?: When;
  /** When there is anything for it to do; the palette offers it only then, while its keys say that there is nothing. */
  readonly offered?: Clause;
  /** Permissions of the person. The command is hidden without them; the server checks again. */
  readonly needs?: Needs;
  /** Whether the command can run now; otherwise it appears disabled with the returned reason. */
  readonly enabled?: (invocation: Invocation<A>) => true | string;
  /** `mod+k`, `g p`, `shift+r`: keys joined by `+`, at most two strokes separated by a space. */
  readonly keys?: string | readonly string[];
  /** Where its keys work, if not wherever it exists: the palette asks elsewhere for what it acts on. */
  readonly keysWhen?: Clause;
  readonly places?: readonly Place[];
  /**
   * Loads with the page before its first list, as every route with a path does, because the first screen shows the command or
   * handles its keys.
   */
  readonly isFirst?: true;
}

/** What a screen's module exports. `Screen` is a React component, which this layer must not name. */
export interface ScreenModule {
  readonly Screen: (props: ScreenProps) => unknown;
}

/** What every screen receives. */
export interface ScreenProps {
  readonly params: Readonly<Record<string, string>>;
  readonly command: RouteCommand;
}

/** A screen with a path. */
export interface RouteCommand<P extends string = string> extends Common<PathParams<P>> {
  readonly type: 'route';
  readonly path: P;
  readonly access: 'public' | 'signed-in' | 'owner';
  /** The name of a section of the settings page, for a page without a path of its own: `/settings?section=keys`. */
  readonly section?: string;
  /** Shown without top bar, sidebar and tabs; never opens as a tab. */
  readonly bare?: true;
  /** Id of the kind whose objects the screen shows. */
  readonly kind?: string;
  /** For a path that contains the kind: the parameters that together make a kind's id or name. */
  readonly kindIn?: {
    readonly params: readonly string[];
    readonly name: (params: Readonly<Record<string, string>>) => string | undefined;
  };
  /**
   * Whether the screen shows a list or one object. For an object the last parameter is the name, the one before it the
   * namespace.
   */
  readonly shows?: 'list' | 'object';
  /** The part of the company that the page is of, whose id is the last parameter; its name is in the title of its tabs. */
  readonly named?: 'team' | 'member';
  /** Names of the search parameters that the screen reads; each is a string. */
  readonly search?: readonly string[];
  readonly load: () => Promise<ScreenModule>;
}

/** A command that does something instead of opening a screen. */
export interface ActionCommand<A = Readonly<Record<string, unknown>>> extends Common<A> {
  readonly type: 'action';
  readonly args?: CommandArgs;
  /** Ids of the kinds whose objects the action takes; the palette asks for an object if there is no subject. */
  readonly actsOn?: readonly string[];
  /** Ids of the kinds of which the action takes several objects at once; a view of objects takes one otherwise. */
  readonly takesMany?: readonly string[];
  /**
   * Who of the organisation may run it: Owners alone, or those who manage the members of the team on screen, its TeamAdmins
   * and Owners. Hidden from others; the server checks again.
   */
  readonly access?: 'owner' | 'team';
  /** Destroys or disturbs something, so it asks for confirmation. */
  readonly dangerous?: true;
  /**
   * Changes something on a cluster or in the organisation, if only after a confirmation. The palette highlights it by
   * itself only where it is named in full, and never lists it first among recent things.
   */
  readonly changes?: true;
  /** Id of the milder action that people mean by the same words; the palette lists that one first. */
  readonly harsherThan?: string;
  readonly run: (invocation: Invocation<A>, services: Services) => void | Promise<void>;
}

/** Values that fill a template. */
export interface TemplateValues {
  /** Defaults to `default`. */
  readonly namespace?: string | undefined;
  /** Defaults to `example.com`. */
  readonly host?: string | undefined;
}

/** A starting manifest. It opens in the dialog that creates resources and is one of that dialog's choices. */
export interface TemplateCommand extends Common<Readonly<Record<string, unknown>>> {
  readonly type: 'template';
  /** The kind that the template creates, as the dialog lists it: `Deployment`. */
  readonly resource: string;
  /** The variant among that kind's templates: `basic`. */
  readonly variant: string;
}

export type Command = RouteCommand | ActionCommand | TemplateCommand;

/** Whether a command loads with the page: screens with a path do, and the actions that say so. */
export const loadsFirst = (command: Command): boolean =>
  command.type === 'route' ? command.section === undefined : command.isFirst === true;

/** Declares a screen. */
export function route<const P extends string>(
  definition: Omit<RouteCommand<P>, 'type' | 'access'> & { readonly access?: RouteCommand['access'] },
): RouteCommand {
  // This cast erases the path's parameter names: the registry holds routes of all shapes.
  return { access: 'signed-in', ...definition, type: 'route' } as unknown as RouteCommand;
}

/** Declares a section of the settings page, which is a page in all but its path. */
export function settingsSection(
  definition: Omit<RouteCommand, 'type' | 'access' | 'path' | 'section' | 'group' | 'places'> & {
    readonly section: string;
    readonly access?: RouteCommand['access'];
    readonly at: { readonly settings: SettingsGroup; readonly order: number };
    /** Further places of it. */
    readonly also?: readonly Place[];
  },
): RouteCommand {
  const { at, also = [], ...rest } = definition;
  return {
    access: 'signed-in',
    icon: 'settings',
    group: 'Account',
    ...rest,
    places: [at, ...also],
    path: '/settings',
    type: 'route',
  };
}

/** The address of a route. Throws for a parameter that is missing. */
export function hrefOf(command: RouteCommand, params: Readonly<Record<string, string>> = {}): string {
  const path = fillPath(command.path, params);
  return command.section === undefined ? path : `${path}?section=${command.section}`;
}

/** Declares an action with the arguments `A`. */
export function action<A = Readonly<Record<string, never>>>(
  definition: Omit<ActionCommand<A>, 'type'>,
): ActionCommand {
  // This cast erases the argument type: the registry holds actions of all shapes.
  return { ...definition, type: 'action' } as unknown as ActionCommand;
}

/** Declares a template; it appears wherever commands do, for everyone who may create resources. */
export function template(
  definition: Pick<TemplateCommand, 'resource' | 'variant' | 'icon'>,
): TemplateCommand {
  const { resource, variant } = definition;
  return {
    ...definition,
    type: 'template',
    id: `template.${resource.toLowerCase()}.${variant.replace(/-./g, (part) => part.slice(1).toUpperCase())}`,
    title: `Create ${resource}: ${variant}`,
    group: 'Objects',
    keywords: ['new', 'add', 'yaml', 'manifest', 'template'],
    when: { shell: 'app' },
    needs: 'resources.manage',
  };
}

/** The title of a command outside an invocation (tabs, sidebar, help). */
export function plainTitle(command: Command, params: Readonly<Record<string, string>> = {}): string {
  return typeof command.title === 'string'
    ? command.title
    : command.title({ args: params, subject: { type: 'none' }, source: 'url', target: 'here' });
}
