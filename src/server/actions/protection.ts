import { readOnlyReason } from '../../contract/clusters.ts';
import { Problem } from '../../contract/problem.ts';
import { pausedReplicasAnnotation } from '../../kube/autoscaling.ts';
import type { AnyKind } from '../../registry/kind.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';

/** Throws Problem 403 for a change on a read-only cluster. */
export function requireWritable(cluster: Pick<ClusterRow, 'name' | 'isReadOnly'>): void {
  const reason = readOnlyReason(cluster);
  if (reason !== undefined) throw new Problem({ status: 403, title: reason });
}

/** Fields of metadata by which an object, or what waits for its clean-up, goes away without being deleted by anybody. */
const fatalMetadata = ['finalizers', 'ownerReferences'] as const;

/**
 * Whether a merge patch destroys something: without replicas no pod is left; without its finalizers an object that
 * waits for a clean-up goes without it; one that is given an owner that is gone is deleted by the garbage collector, a
 * finished Job by its time to live; a taint that pods do not tolerate ends those of a node; a released volume that is
 * not retained takes its data along; suspending a Job ends its pods, and pausing an autoscaler at none those of its
 * target. Actions say it of themselves; this is the same for edits.
 * @param kind what is patched
 */
export function isDestructive(
  patch: Readonly<Record<string, unknown>>,
  kind: Pick<AnyKind, 'group' | 'kind'>,
): boolean {
  const { spec, metadata } = patch;
  const isOf = (group: string, name: string) => kind.group === group && kind.kind === name;
  return (
    (isOf('batch', 'Job') && partOf(spec, 'suspend') === true) ||
    (isOf('keda.sh', 'ScaledObject') &&
      partOf(partOf(metadata, 'annotations'), pausedReplicasAnnotation) === '0') ||
    partOf(spec, 'replicas') === 0 ||
    (partOf(spec, 'ttlSecondsAfterFinished') ?? undefined) !== undefined ||
    endsPods(partOf(spec, 'taints')) ||
    partOf(spec, 'persistentVolumeReclaimPolicy') === 'Delete' ||
    fatalMetadata.some((name) => partOf(metadata, name) !== undefined)
  );
}

/** Whether taints, as a patch gives them, end pods that run. */
const endsPods = (taints: unknown) =>
  Array.isArray(taints) && taints.some((taint: unknown) => partOf(taint, 'effect') === 'NoExecute');

const partOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

/**
 * Throws Problem 428 when something dangerous on a protected cluster came without the cluster's name, 409 when it came
 * with another one.
 */
export function requireConfirmation(
  cluster: Pick<ClusterRow, 'name' | 'isProtected'>,
  typed: string | undefined,
): void {
  if (!cluster.isProtected || typed === cluster.name) return;
  throw typed === undefined
    ? new Problem({ status: 428, title: `${cluster.name} is protected: type its name to confirm.` })
    : new Problem({
        status: 409,
        title: `${cluster.name} is protected, and the name you typed does not match. Nothing was changed.`,
      });
}
