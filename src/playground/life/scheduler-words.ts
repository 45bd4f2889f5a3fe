import type { Change } from '../store/store.ts';
import { at } from '../kit/values.ts';

/** The reason for which a node does not fit a pod. */
export interface Refusal {
  readonly reasons: readonly string[];
  /** Whether removing pods from the node could not help. */
  readonly final: boolean;
  /** The scheduler plugin that refused. */
  readonly filter: string;
}

function listed(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const why of reasons) counts.set(why, (counts.get(why) ?? 0) + 1);
  return [...counts]
    .map(([why, count]) => `${count} ${why}`)
    .sort()
    .join(', ');
}

/** The scheduler's message for a pod that fits no node. */
export function unschedulable(nodes: number, refusals: readonly Refusal[], preemption?: string): string {
  const reasons = listed(refusals.flatMap((refusal) => refusal.reasons));
  const why = `0/${nodes} nodes are available: ${reasons}.`;
  return preemption === undefined ? why : `${why} no new claims to deallocate, preemption: ${preemption}`;
}

/**
 * The scheduler's message for a pod that was refused before any node was tried. It then says nothing of claims to
 * release.
 */
export const refusedEarly = (nodes: number, why: string): string =>
  `0/${nodes} nodes are available: ${why}. not found`;

/** The scheduler's message for a failed preemption: a reason for each node. */
export const noRoomToMake = (nodes: number, reasons: readonly string[]): string =>
  `0/${nodes} nodes are available: ${listed(reasons)}.`;

const ended = (phase: unknown) => phase === 'Succeeded' || phase === 'Failed';

/** Whether a change can make a refused pod schedulable. */
export function worthRetrying({ storage, before, after }: Change, refusals: readonly Refusal[]): boolean {
  const wasRefusedBy = (...filters: string[]) => refusals.some(({ filter }) => filters.includes(filter));
  if (storage === '/nodes') {
    if (after === undefined || wasRefusedBy('VolumeBinding'))
      return before === undefined && after !== undefined;
    return (
      before === undefined ||
      before['spec'] !== after['spec'] ||
      before.metadata.labels !== after.metadata.labels ||
      at(before, 'status', 'allocatable') !== at(after, 'status', 'allocatable')
    );
  }
  if (storage === '/pods') {
    const placed = typeof at(before, 'spec', 'nodeName') === 'string';
    const freedRoom =
      placed &&
      (after === undefined || (!ended(at(before, 'status', 'phase')) && ended(at(after, 'status', 'phase'))));
    if (freedRoom)
      return wasRefusedBy('NodeResourcesFit', 'NodePorts', 'PodTopologySpread', 'InterPodAffinity');
    const wasPlaced =
      at(before, 'spec', 'nodeName') === undefined && at(after, 'spec', 'nodeName') !== undefined;
    return wasPlaced && wasRefusedBy('PodTopologySpread', 'InterPodAffinity');
  }
  return (
    wasRefusedBy('VolumeBinding') &&
    (storage === '/persistentvolumeclaims' ||
      storage === '/persistentvolumes' ||
      storage === 'storage.k8s.io/storageclasses')
  );
}
