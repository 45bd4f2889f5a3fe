import type { ActionState, Ref } from '../../contract/objects.ts';
import type { Need } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { KindAction } from '../../registry/kinds/kind-action.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import type { Limiter } from '../kit/limiter.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import { nameOf } from '../objects/address.ts';
import { readObject } from '../objects/read-object.ts';
import { shaped } from '../objects/read.ts';
import { refusalOf, refusalWith } from './run.ts';

/** An object that a call names, with its kind. */
export interface NamedObject {
  readonly ref: Ref;
  readonly kind: AnyKind;
}

/** The actions that every one of some kinds has. */
export function sharedActions(kinds: readonly AnyKind[]): readonly KindAction[] {
  const [first, ...others] = kinds;
  return (first?.actions ?? []).filter((action) => others.every(({ actions }) => actions.includes(action)));
}

/** Of an object, why each action that applies to it cannot be done now; undefined when it can. */
type Verdicts = ReadonlyMap<KindAction, string | undefined>;

const singleObjectReason = 'This action works on one object at a time. Select only one.';

/**
 * Judges actions for some objects as they are now: one that applies to none of them is left out, one that can be done
 * on none of them is given with the first reason. Throws ClusterProblem when the cluster cannot be asked.
 */
export async function judgeActions(
  actions: readonly KindAction[],
  named: readonly NamedObject[],
  { transport, limiter }: { transport: Transport; limiter: Limiter },
): Promise<ActionState[]> {
  // Each object is let go of once it was judged: hundreds of the largest are more than a server holds.
  const judged = await Promise.all(
    named.map(({ ref, kind }) =>
      limiter.run(async (): Promise<Verdicts | undefined> => {
        const object = await readIfThere(transport, kind, ref);
        if (object === undefined) return undefined;
        const verdicts: (readonly [KindAction, string | undefined])[] = [];
        for (const action of actions) {
          if (!applies(action, kind, object)) continue;
          const isMany = action.single === true && named.length > 1;
          verdicts.push([
            action,
            isMany ? singleObjectReason : await refusalOf({ action, transport }, kind, object),
          ]);
        }
        return new Map(verdicts);
      }),
    ),
  );
  const living = judged.filter((verdicts) => verdicts !== undefined);
  const [first] = named;
  if (living.length === 0 && first !== undefined) {
    const enabled = `${nameOf(first.kind, first.ref)} is gone.`;
    return actions.map(({ id }) => ({ id, enabled }));
  }
  return actions.flatMap((action): ActionState[] => {
    const reasons = living.flatMap((verdicts) => (verdicts.has(action) ? [verdicts.get(action)] : []));
    if (reasons.length === 0) return [];
    return [{ id: action.id, enabled: reasons.includes(undefined) ? true : (reasons[0] ?? true) }];
  });
}

/** The actions of a kind that somebody with these permissions may do, as they stand for one object now. */
export function stateActions(kind: AnyKind, object: KubeObject, may: (need: Need) => boolean): ActionState[] {
  return kind.actions.flatMap((action): ActionState[] => {
    const { id } = action;
    if (!may(needOf(action, kind))) return [];
    try {
      if (!applies(action, kind, object)) return [];
      const refusal = refusalWith(action, kind, object, {});
      // Only a call looks for revisions: until then nobody is told that there are some.
      if (refusal === undefined && action.countsRevisions === true) return [];
      return [{ id, enabled: refusal ?? true }];
    } catch (error) {
      // An object of an odd shape: what does not look at it can be done all the same.
      if (error instanceof ClusterProblem) return [{ id, enabled: error.title }];
      throw error;
    }
  });
}

/** The permission that an action on a kind's objects needs. */
export const needOf = (action: KindAction, kind: AnyKind): Need => action.needs ?? kind.permissions.manage;

const applies = (action: KindAction, kind: AnyKind, object: KubeObject) =>
  shaped(
    nameOf(kind, { namespace: object.metadata?.namespace, name: object.metadata?.name ?? '' }),
    () => action.applies?.({ facts: kind.facts?.(object) ?? {}, joined: {} }) !== false,
  );

/** An object; undefined once it is gone. Throws ClusterProblem. */
export async function readIfThere(
  transport: Transport,
  kind: AnyKind,
  ref: Ref,
): Promise<KubeObject | undefined> {
  try {
    return await readObject(transport, kind, ref);
  } catch (error) {
    if (error instanceof ClusterProblem && error.upstream.status === 404) return undefined;
    if (kind.source !== undefined && error instanceof Problem && error.status === 404) return undefined;
    throw error;
  }
}
