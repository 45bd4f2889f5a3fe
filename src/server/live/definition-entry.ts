import { customKind } from '../../../commands/kinds/custom.ts';
import { kindOfResource } from '../../../commands/kinds/index.ts';
import type { KubeObject } from '../../kube/object.ts';
import { builtInOf, isBuiltInGroup } from '../../registry/builtin.ts';
import type { AnyKind } from '../../registry/kind.ts';
import { type Entry, identity } from './projector.ts';

/** A CustomResourceDefinition as its list keeps it. */
export interface DefinitionEntry extends Entry {
  /** Undefined for a definition that the console does not use or cannot read. */
  readonly kind: AnyKind | undefined;
}

/** Whether a definition defines a kind that neither Kubernetes nor the console has already, under its own name. */
const isCustom = (kind: AnyKind, definitionName: string) =>
  definitionName === `${kind.plural}.${kind.group}` &&
  !isBuiltInGroup(kind.group) &&
  kindOfResource(kind) === undefined &&
  builtInOf(kind) === undefined;

/**
 * The entry of a definition; undefined for an object without a uid or name.
 * @param onUnreadable called for a definition that cannot be read, with its name
 */
export function definitionEntry(
  definition: KubeObject,
  onUnreadable: (error: unknown, name: string) => void,
): DefinitionEntry | undefined {
  const uid = identity(definition);
  const name = definition.metadata?.name;
  if (uid === undefined || typeof name !== 'string') return undefined;
  let kind: AnyKind | undefined;
  try {
    kind = customKind(definition);
  } catch (error) {
    onUnreadable(error, name);
  }
  return {
    uid,
    name,
    namespace: '',
    version: '',
    labels: {},
    owners: [],
    refs: [],
    facts: {},
    attention: undefined,
    cells: [],
    kind: kind !== undefined && isCustom(kind, name) ? kind : undefined,
  };
}
