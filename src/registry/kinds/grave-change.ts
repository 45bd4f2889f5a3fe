import type { KubeObject, OwnerReference } from '../../kube/object.ts';
import type { AnyKind } from './kind.ts';

/**
 * Whether a change does to an object what a dangerous act does. Of a kind whose deletion is one, an object that is given an
 * owner counts: the garbage collector deletes it once it finds that owner gone, or when the owner is deleted. A kind adds its
 * own grounds as `isGraveBy`. What is added counts and nothing else, so a part of the object is enough.
 * @param wanted the object as the change asks for it: the whole, a merge patch, or what is applied
 */
export function isChangeGrave(
  kind: Pick<AnyKind, 'isDeletionGrave' | 'isGraveBy'>,
  before: KubeObject,
  wanted: KubeObject,
): boolean {
  if (kind.isDeletionGrave !== true) return false;
  const had = ownersOf(before);
  return (
    ownersOf(wanted).some((owner) => !had.some((one) => isOwnerSame(one, owner))) ||
    isGraveBy(kind, before, wanted)
  );
}

/** The kind's own judgement; an object of a shape that it cannot read counts. */
function isGraveBy(kind: Pick<AnyKind, 'isGraveBy'>, before: KubeObject, wanted: KubeObject): boolean {
  try {
    return kind.isGraveBy?.(before, wanted) === true;
  } catch (error) {
    if (error instanceof TypeError) return true;
    throw error;
  }
}

/** The owners of an object. What is no list of them is refused by every cluster. */
function ownersOf({ metadata }: KubeObject): readonly Partial<OwnerReference>[] {
  const owners: unknown = metadata?.ownerReferences;
  return Array.isArray(owners) ? owners.filter((one) => typeof one === 'object' && one !== null) : [];
}

/** By all that the garbage collector looks an owner up by: one of the same uid and another name counts as gone. */
const isOwnerSame = (one: Partial<OwnerReference>, other: Partial<OwnerReference>) =>
  (['apiVersion', 'kind', 'name', 'uid'] as const).every((part) => one[part] === other[part]);
