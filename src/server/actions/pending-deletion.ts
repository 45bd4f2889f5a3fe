import { cleanText } from '../../kube/text.ts';
import { heldDeletion } from '../../registry/kinds/held-deletion.ts';
import { isPlain, objectIn } from '../objects/read.ts';

/**
 * The reason why an object is still there whose deletion a cluster accepted, one sentence; undefined where it is gone.
 * @param answer of the cluster to the deletion: a `Status`, or the object as it is from then on
 */
export function pendingDeletion(answer: unknown): string | undefined {
  if (!isPlain(answer)) return undefined;
  const object = objectIn(answer);
  const held = heldDeletion(object);
  if (held !== undefined) return cleanText(held.title);
  const { deletionTimestamp, deletionGracePeriodSeconds: grace = 0 } = object.metadata ?? {};
  return deletionTimestamp !== undefined && grace > 0
    ? `Its processes have up to ${grace} s to stop.`
    : undefined;
}
