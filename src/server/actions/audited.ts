import type { Ref } from '../../contract/objects.ts';
import type { ArgDefinitions } from '../../registry/kinds/kind-action.ts';
import type { ArgChanges } from '../../registry/kinds/change-text.ts';

/** Names of one call that the audit keeps, in characters. */
const namesLimit = 8_000;

/** Kinds, namespaces and names, as the audit keeps them. */
export function auditedRefs(refs: readonly Ref[]): Record<string, string | number | null> {
  const all = (values: readonly (string | undefined)[]) =>
    [...new Set(values.filter((value) => value !== undefined))].join(', ').slice(0, namesLimit);
  return {
    kind: all(refs.map(({ kind }) => kind)),
    namespace: all(refs.map(({ namespace }) => namespace)) || null,
    names: all(refs.map(({ namespace, name }) => (namespace === undefined ? name : `${namespace}/${name}`))),
    objects: refs.length,
  };
}

/** The revision that an action was asked to go back to; nothing of actions that ask for none. */
export function auditedRevision(
  definitions: ArgDefinitions = {},
  args: Readonly<Record<string, unknown>>,
): Record<string, number> {
  const revisions = Object.entries(definitions).flatMap(([name, { type }]) => {
    const value = args[name];
    return type === 'revision' && typeof value === 'number' ? [value] : [];
  });
  const [revision] = revisions;
  return revision === undefined ? {} : { revision };
}

/** Objects whose values the audit tells before and after; of more it has the names alone. */
const changesLimit = 20;

/** The values that an action changed, by their names; of several objects by the name of each object as well. */
export function auditedChanges(changes: readonly (readonly [Ref, ArgChanges])[], objects: number) {
  const all = changes.slice(0, changesLimit).flatMap(([{ kind, namespace, name }, changed]) =>
    Object.entries(changed).map(([arg, values]) => {
      const of = objects === 1 ? '' : `${[kind, namespace, name].filter(Boolean).join('/')} `;
      return [`${of}${arg}`, values] as const;
    }),
  );
  return {
    before: Object.fromEntries(all.map(([name, { before }]) => [name, before])),
    after: Object.fromEntries(all.map(([name, { after }]) => [name, after])),
  };
}
