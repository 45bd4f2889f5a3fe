import type { AnyKind, Column, Kind } from './kind.ts';
import type { KindAction } from './kind-action.ts';
import type { KubeObject } from '../../kube/object.ts';

/** A column without the function that computes its values: the server sends them. */
export type ColumnFacts = Omit<Column<KubeObject>, 'value'>;

/** The properties of an action that are plain data. */
const actionParts = [
  'id',
  'title',
  'icon',
  'keywords',
  'harsherThan',
  'keys',
  'needs',
  'dangerous',
  'args',
  'single',
  'prominent',
] as const satisfies readonly (keyof KindAction)[];

/** An action as plain data for menus, keys, forms and confirmations. Only the server has its code. */
export type ActionFacts = Pick<KindAction, (typeof actionParts)[number]>;

/** The properties of a kind that are plain data. */
const kindParts = [
  'id',
  'kind',
  'abbreviation',
  'group',
  'version',
  'plural',
  'scope',
  'source',
  'aliases',
  'title',
  'icon',
  'permissions',
  'paths',
  'sidebar',
  'window',
  'logs',
  'addOn',
  'aside',
  'listExtra',
  'custom',
] as const satisfies readonly (keyof AnyKind)[];

/**
 * A kind as plain data that survives JSON, so that the server can describe a kind to a page that has no code for it.
 */
export interface KindFacts extends Pick<AnyKind, (typeof kindParts)[number]> {
  readonly columns: readonly ColumnFacts[];
  /** Absent from first facts, as a list needs no actions; `commands/kinds/later-facts.ts` supplies them. */
  readonly actions?: readonly ActionFacts[];
}

/** The facts of a kind with a file, which is never for Owners only to view. */
export interface DeclaredFacts extends KindFacts {
  readonly permissions: Kind['permissions'];
  readonly actions: readonly ActionFacts[];
}

/** The part of a kind's facts that a page has from the start. */
export type FirstFacts = Omit<DeclaredFacts, 'actions'>;

/** An action as commands, palette and menus need it. */
export interface LaterAction extends ActionFacts, Pick<KindAction, 'description' | 'done'> {
  /** Pods that run end by it, whatever its arguments are. */
  readonly endsPods?: true;
}

/** Facts that commands and the palette need of a kind besides its first ones. */
export interface LaterKind extends Pick<Kind, 'tools' | 'statuses'> {
  /** Ids of its actions, in order. */
  readonly actions: readonly string[];
  /** Declares by which its objects are well or in trouble. */
  readonly isJudged?: true;
}

/** The part of the facts of all kinds that a page has after its first list, without the code of any kind. */
export interface LaterFacts {
  readonly actions: readonly LaterAction[];
  /** By the id of the kind. */
  readonly kinds: Readonly<Record<string, LaterKind>>;
  /** Ids of the actions of kinds without a file, in order. */
  readonly ofAny: readonly string[];
}

/** The properties of an object that exist, in this order; absent ones do not become `undefined`. */
function pick<T extends object, const K extends keyof T>(object: T, names: readonly K[]): Pick<T, K> {
  const entries = names.flatMap((name) =>
    object[name] === undefined ? [] : [[name, object[name]] as const],
  );
  // The entries come from `keys`, so absent optional properties stay absent.
  return Object.fromEntries(entries) as Pick<T, K>;
}

/** The plain data of a kind; survives JSON. */
export function factsOf(kind: Kind): DeclaredFacts;
export function factsOf(kind: AnyKind): KindFacts & Pick<DeclaredFacts, 'actions'>;
export function factsOf(kind: AnyKind): KindFacts & Pick<DeclaredFacts, 'actions'> {
  return {
    ...pick(kind, kindParts),
    columns: kind.columns.map((column) =>
      pick(column, ['id', 'label', 'format', 'links', 'join', 'wide', 'dropAt']),
    ),
    actions: kind.actions.map((action) => pick(action, actionParts)),
  };
}

/** The plain data of an action for commands, palette and menus. */
export function laterActionOf(action: KindAction): LaterAction {
  return {
    ...pick(action, [...actionParts, 'description', 'done']),
    ...(action.endsPods === true ? { endsPods: true } : {}),
  };
}

/** Facts that commands and the palette need of a kind besides its first ones. */
export function laterKindOf(kind: Kind): LaterKind {
  return {
    ...pick(kind, ['tools', 'statuses']),
    actions: kind.actions.map(({ id }) => id),
    ...(kind.status !== undefined && kind.attention !== undefined ? { isJudged: true } : {}),
  };
}
