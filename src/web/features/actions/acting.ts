import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { Cluster } from '../../../contract/clusters.ts';
import type { Ref } from '../../../contract/objects.ts';
import { isDangerous, type KindAction, neededArgs } from '../../../registry/kinds/kind-action.ts';

/** Objects of one cluster, at least one. */
export type Refs = readonly [ObjectRef, ...ObjectRef[]];

/** An action that was asked for and waits for its arguments or its confirmation. */
export interface PendingAction {
  readonly actionId: string;
  readonly refs: Refs;
  /** Arguments that the palette has asked for already. The dialog starts with them. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** The objects may have been out of date on screen when the action was chosen. */
  readonly isStale?: boolean;
  /** It was asked for by a key of a text that was meant for a field. */
  readonly isByText?: boolean;
  /** A text of the cluster may have ordered it: the focus begins where Enter does not run it. */
  readonly isWarned?: boolean;
}

/**
 * Whether somebody is asked before an action is done: it takes arguments, destroys something (some only with certain
 * arguments, as a scale to none), is meant for several objects, its cluster is protected, or what shows of the objects may be out of date.
 */
export function asksFirst(
  action: Pick<KindAction, 'args' | 'dangerous' | 'dangerousWith'>,
  refs: readonly unknown[],
  cluster: Pick<Cluster, 'isProtected'> | undefined,
  isStale: boolean,
  given: Readonly<Record<string, unknown>> = {},
): boolean {
  const takesArgs = neededArgs(action.args).some(([name]) => !(name in given));
  return (
    takesArgs || isDangerous(action, given) || refs.length > 1 || cluster?.isProtected !== false || isStale
  );
}

/** A reference as calls take it: the cluster stands in the path. */
export function plainRef({ kind, namespace, name }: ObjectRef): Ref {
  return namespace === undefined ? { kind, name } : { kind, namespace, name };
}

/** A reference of a call, in its cluster. */
export function refIn(clusterId: number, { kind, namespace, name }: Ref): ObjectRef {
  return { cluster: String(clusterId), kind, ...(namespace === undefined ? {} : { namespace }), name };
}

/** `shop/api`, or the name alone for objects of the cluster. */
export function qualifiedName({ namespace, name }: Pick<Ref, 'namespace' | 'name'>): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
