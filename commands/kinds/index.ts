import type { KindAction } from '../../src/registry/kinds/kind-action.ts';
import type { Kind } from '../../src/registry/kinds/kind.ts';
import { objectActions } from '../../src/registry/kinds/object-actions.ts';
import type { ResourceName } from '../../src/registry/kinds/resource-key.ts';
import { sidebarSections } from '../../src/registry/sidebar.ts';
import * as list from './list.ts';
import { customScale } from './parts/custom-scale.ts';

const place = ({ sidebar }: Kind) =>
  sidebar === undefined
    ? Number.MAX_SAFE_INTEGER
    : sidebarSections.indexOf(sidebar.section) * 1000 + sidebar.order;

/** All kinds of the console in sidebar order; kinds outside the sidebar come last. */
export const kinds: readonly Kind[] = Object.values(list).sort((a, b) => place(a) - place(b));

const byId = new Map(kinds.map((kind) => [kind.id, kind]));
const byResource = new Map(kinds.map((kind) => [`${kind.plural}.${kind.group}`, kind]));
const byName = new Map(kinds.map((kind) => [`${kind.kind}.${kind.group}`, kind]));
const actionsById = new Map<string, KindAction>();
const ownActions = kinds.flatMap((kind) => kind.actions.filter((action) => !objectActions.includes(action)));
for (const action of [...objectActions, customScale, ...ownActions]) {
  if (actionsById.has(action.id)) throw new Error(`Two actions on objects are called ${action.id}.`);
  actionsById.set(action.id, action);
}
if (byId.size < kinds.length || byResource.size < kinds.length) {
  throw new Error('Two kinds have the same id or the same resource.');
}

/** The kind with an id, or undefined. */
export function kindById(id: string): Kind | undefined {
  return byId.get(id);
}

/** The kind of a resource in any version; undefined if it has no file. */
export function kindOfResource({ group, plural }: Pick<ResourceName, 'group' | 'plural'>): Kind | undefined {
  return byResource.get(`${plural}.${group}`);
}

/** The kind with an apiVersion and Kind, as in objects and references; undefined if it has no file. */
export function kindOfObject(apiVersion: string, kind: string): Kind | undefined {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return byName.get(`${kind}.${group}`);
}

/** The ids of all actions on objects. */
export const actionIds: readonly string[] = [...actionsById.keys()];

/** The object action with an id, or undefined. The kinds' `actions` say which kinds have it. */
export function actionById(id: string): KindAction | undefined {
  return actionsById.get(id);
}
