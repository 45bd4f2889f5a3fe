import type { AnyKind, Column, Kind } from './kind.ts';
import type { KindAction } from './kind-action.ts';
import type { KubeObject } from '../kube/object.ts';

/** A column without the function that reads it: what a list needs, whose values come from the server. */
export type ColumnFacts = Omit<Column<KubeObject>, 'value'>;

/** The parts of an action that are data. */
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

/** An action as data: what menus, keys, forms and confirmations need. What it does, the server knows. */
export type ActionFacts = Pick<KindAction, (typeof actionParts)[number]>;

/** The parts of a kind that are data as they stand. */
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

/** A kind as plain data, which survives JSON unchanged: a server can describe a kind to a page that has no code for it. */
export interface KindFacts extends Pick<AnyKind, (typeof kindParts)[number]> {
  readonly columns: readonly ColumnFacts[];
  /** Absent from what a page begins with: a list needs none. `web/core/kinds/actions.ts` knows them. */
  readonly actions?: readonly ActionFacts[];
}

/** The facts of a kind with a file: its permissions are never "for Owners". */
export interface DeclaredFacts extends KindFacts {
  readonly permissions: Kind['permissions'];
  readonly actions: readonly ActionFacts[];
}

/** What of a kind with a file a page begins with. */
export type FirstFacts = Omit<DeclaredFacts, 'actions'>;

/** The parts of an object that are there, in this order: absent ones must not become `undefined`. */
function pick<T extends object, const K extends keyof T>(object: T, names: readonly K[]): Pick<T, K> {
  const entries = names.flatMap((name) =>
    object[name] === undefined ? [] : [[name, object[name]] as const],
  );
  // Built from the same names: an absent optional part stays absent.
  return Object.fromEntries(entries) as Pick<T, K>;
}

/** What of a kind is plain data: survives JSON unchanged. */
export function factsOf(kind: Kind): DeclaredFacts;
export function factsOf(kind: AnyKind): KindFacts & Pick<DeclaredFacts, 'actions'>;
export function factsOf(kind: AnyKind): KindFacts & Pick<DeclaredFacts, 'actions'> {
  return {
    ...pick(kind, kindParts),
    columns: kind.columns.map((column) => pick(column, ['id', 'label', 'format', 'join', 'wide', 'dropAt'])),
    actions: kind.actions.map((action) => pick(action, actionParts)),
  };
}
