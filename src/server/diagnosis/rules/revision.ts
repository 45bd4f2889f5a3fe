import type { StatefulSet } from '../../../kube/apps.ts';
import type { Pod } from '../../../kube/core.ts';
import type { World } from '../world.ts';
import { troubleOf } from './pod-parts.ts';

/** The label of a StatefulSet's pod with the revision that it was made from. */
export const revisionLabel = 'controller-revision-hash';

/** The number at the end of the name of a StatefulSet's pod. */
const ordinalOf = ({ metadata }: Pod): number => Number(/-(\d+)$/.exec(metadata?.name ?? '')?.[1] ?? -1);

/**
 * Whether a StatefulSet never replaces a broken pod of an earlier revision by itself: it makes and changes its pods one
 * after the other, and waits for this one to be ready.
 */
export function isLeftBehind(pod: Pod, set: StatefulSet, world: World): boolean {
  const { podManagementPolicy, updateStrategy } = set.spec ?? {};
  const { updateRevision, observedGeneration } = set.status ?? {};
  if (podManagementPolicy === 'Parallel' || updateStrategy?.type === 'OnDelete') return false;
  if (updateRevision === undefined || observedGeneration !== set.metadata?.generation) return false;
  const { labels = {}, deletionTimestamp } = pod.metadata ?? {};
  const revision = labels[revisionLabel];
  return (
    revision !== undefined &&
    revision !== updateRevision &&
    deletionTimestamp === undefined &&
    // A failed pod is replaced.
    pod.status?.phase !== 'Failed' &&
    // Below the partition a pod is made again as it was.
    ordinalOf(pod) >= (updateStrategy?.rollingUpdate?.partition ?? 0) &&
    troubleOf(pod, world) !== undefined
  );
}
