import type { Permission } from '../contract/permissions.ts';
import type { IconName } from './icon-name.ts';
import type { ArgDefinition } from './kind-action.ts';
import type { SidebarSection } from './sidebar.ts';
import type { PathParams } from './path.ts';
import type { Services } from './services.ts';
import type { When } from './when.ts';

/** Headings of the palette and sections of the help, in this order. */
export const groups = [
  'Go to',
  'Palette',
  'Objects',
  'Cluster',
  'List',
  'Page',
  'Logs',
  'Graph',
  'Workspace',
  'Appearance',
  'Account',
] as const;
export type Group = (typeof groups)[number];

/** One object of a cluster, by kind id. */
export interface ObjectRef {
  readonly cluster: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** What a command acts on, resolved once before it runs. */
export type Subject =
  | { readonly type: 'none' }
  | { readonly type: 'cluster'; readonly cluster: string }
  | {
      readonly type: 'objects';
      readonly refs: readonly [ObjectRef, ...ObjectRef[]];
      readonly from: 'args' | 'selection' | 'row' | 'tile';
    };

export type Source = 'palette' | 'key' | 'menu' | 'button' | 'url' | 'api';
/** Where a route opens. */
export type Target = 'here' | 'new-tab' | 'split-right' | 'split-down';

/** One run of a command. */
export interface Invocation<A> {
  readonly args: A;
  readonly subject: Subject;
  readonly source: Source;
  readonly target: Target;
}

/** Where a command shows besides palette and keys. */
export type Place =
  | 'topbar'
  | 'user-menu'
  | 'tab-menu'
  | 'row-menu'
  /** The head of a cluster's own page. */
  | 'cluster-page'
  | 'detail-header'
  /** A way to look at one object: beside Open in the palette, and in the line below its page. */
  | 'object-view'
  | { readonly sidebar: SidebarSection; readonly order: number };

type All = Permission | readonly Permission[];
/** Permissions a command needs: one, all of a list, or what any of several would be content with. */
export type Needs = All | { readonly any: readonly All[] };

/** One argument of a command. A missing one becomes a step of the palette. */
export type CommandArg =
  | ArgDefinition
  /** A cluster the person may see, by its number. */
  | { readonly type: 'cluster'; readonly label: string }
  /** A namespace of the selected cluster; the empty text is all of them. */
  | { readonly type: 'namespace'; readonly label: string }
  /** A filter that the person has saved, by its name. */
  | { readonly type: 'saved-filter'; readonly label: string };
export type CommandArgs = Readonly<Record<string, CommandArg>>;

interface Common<A> {
  /** Stable, dotted, subject first: `cluster.switch`. Keymap, recents, tests and logs use it. */
  readonly id: string;
  readonly title: string | ((invocation: Invocation<A>) => string);
  /** The title where the arguments are yet to be asked for, if it differs: `Open a pod…`. */
  readonly prompt?: string;
  readonly group: Group;
  readonly keywords?: readonly string[];
  readonly icon?: IconName;
  /** Does this exist here? */
  readonly when?: When;
  /** May I? Hidden without it; the server checks again. */
  readonly needs?: Needs;
  /** Can it be done now? If not, it is shown disabled with this reason. */
  readonly enabled?: (invocation: Invocation<A>) => true | string;
  /** `mod+k`, `g p`, `shift+r`: keys joined by `+`, at most two steps joined by a space. */
  readonly keys?: string | readonly string[];
  readonly places?: readonly Place[];
  /** Loads with the page, before its first list, as every route does: the first screen shows it or takes its keys. */
  readonly isFirst?: true;
}

/** What a screen's module exports. `Screen` is a React component; this layer knows no React. */
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
  /** Shown without top bar, sidebar and tabs; never becomes a tab. */
  readonly bare?: true;
  /** Id of the kind whose objects the screen shows. */
  readonly kind?: string;
  /** The same where the path names the kind: by these parameters, which read together are a kind's id or name. */
  readonly kindIn?: {
    readonly params: readonly string[];
    readonly name: (params: Readonly<Record<string, string>>) => string | undefined;
  };
  /** Whether it shows a list of them, or one: then the last parameter is its name, the one before its namespace. */
  readonly shows?: 'list' | 'object';
  /** Names of the values in the search of its address that the screen reads; each is a plain string. */
  readonly search?: readonly string[];
  readonly load: () => Promise<ScreenModule>;
}

/** Something to do that is not a place. */
export interface ActionCommand<A = Readonly<Record<string, unknown>>> extends Common<A> {
  readonly type: 'action';
  readonly args?: CommandArgs;
  /** Ids of the kinds whose objects it acts on: without one at hand the palette asks for it. */
  readonly actsOn?: readonly string[];
  /** Ids of those of them of which it takes several objects at once: a way to look at objects takes one otherwise. */
  readonly takesMany?: readonly string[];
  /** Destroys or disturbs something: asks first. */
  readonly dangerous?: true;
  /** Id of the milder action that people mean by the same plain words: it is always offered before this one. */
  readonly harsherThan?: string;
  readonly run: (invocation: Invocation<A>, services: Services) => void | Promise<void>;
}

/** What a template is filled with. */
export interface TemplateValues {
  /** `default` without one. */
  readonly namespace?: string | undefined;
  /** `example.com` without one. */
  readonly host?: string | undefined;
}

/** A manifest to begin with: it opens in the dialog that creates resources, and is one of its choices. */
export interface TemplateCommand extends Common<Readonly<Record<string, unknown>>> {
  readonly type: 'template';
  /** The kind it makes, as the dialog lists it: `Deployment`. */
  readonly resource: string;
  /** Which of that kind's templates: `basic`. */
  readonly variant: string;
}

export type Command = RouteCommand | ActionCommand | TemplateCommand;

/** Whether a command loads with the page. */
export const loadsFirst = ({ type, isFirst }: Command): boolean => type === 'route' || isFirst === true;

/** Declares a screen. */
export function route<const P extends string>(
  definition: Omit<RouteCommand<P>, 'type' | 'access'> & { readonly access?: RouteCommand['access'] },
): RouteCommand {
  // Erases the parameter names of the path: the registry holds routes of all shapes.
  return { access: 'signed-in', ...definition, type: 'route' } as unknown as RouteCommand;
}

/** Declares an action with the arguments `A`. */
export function action<A = Readonly<Record<string, never>>>(
  definition: Omit<ActionCommand<A>, 'type'>,
): ActionCommand {
  // Erases the argument type: the registry holds actions of all shapes.
  return { ...definition, type: 'action' } as unknown as ActionCommand;
}

/** Declares a template: offered wherever commands are, to whoever may create resources. */
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

/** The title of a command without an invocation at hand (tabs, sidebar, help). */
export function plainTitle(command: Command, params: Readonly<Record<string, string>> = {}): string {
  return typeof command.title === 'string'
    ? command.title
    : command.title({ args: params, subject: { type: 'none' }, source: 'url', target: 'here' });
}
