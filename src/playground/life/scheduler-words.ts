import type { Change } from '../store.ts';
import { at } from '../values.ts';

/** Why one node does not take a pod. */
export interface Refusal {
  readonly reasons: readonly string[];
  /** Whether removing other pods from the node could not help. */
  readonly final: boolean;
  /** Which of the scheduler's plugins refused. */
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

/** Why no node takes a pod, in the scheduler's own words. `early`: what refused the pod before any node was looked at. */
export function unschedulable(nodes: number, refusals: readonly Refusal[], early?: string): string {
  const head = `0/${nodes} nodes are available:`;
  // The scheduler then has nothing noted about claims to free, and says so.
  if (early !== undefined) return `${head} ${early}. not found`;
  const help = refusals.map(({ final }) =>
    final ? 'Preemption is not helpful for scheduling' : 'No preemption victims found for incoming pod',
  );
  const reasons = listed(refusals.flatMap((refusal) => refusal.reasons));
  return `${head} ${reasons}. no new claims to deallocate, preemption: 0/${nodes} nodes are available: ${listed(help)}.`;
}

const ended = (phase: unknown) => phase === 'Succeeded' || phase === 'Failed';

/** Whether a change can make a pod that was refused so fit somewhere. */
export function worthRetrying({ storage, before, after }: Change, refusals: readonly Refusal[]): boolean {
  const by = (...filters: string[]) => refusals.some(({ filter }) => filters.includes(filter));
  if (storage === '/nodes') {
    if (after === undefined || by('VolumeBinding')) return before === undefined && after !== undefined;
    return (
      before === undefined ||
      before['spec'] !== after['spec'] ||
      before.metadata.labels !== after.metadata.labels ||
      at(before, 'status', 'allocatable') !== at(after, 'status', 'allocatable')
    );
  }
  if (storage === '/pods') {
    const placed = typeof at(before, 'spec', 'nodeName') === 'string';
    const left =
      placed &&
      (after === undefined || (!ended(at(before, 'status', 'phase')) && ended(at(after, 'status', 'phase'))));
    if (left) return by('NodeResourcesFit', 'NodePorts', 'PodTopologySpread', 'InterPodAffinity');
    const came = at(before, 'spec', 'nodeName') === undefined && at(after, 'spec', 'nodeName') !== undefined;
    return came && by('PodTopologySpread', 'InterPodAffinity');
  }
  return (
    by('VolumeBinding') &&
    (storage === '/persistentvolumeclaims' ||
      storage === '/persistentvolumes' ||
      storage === 'storage.k8s.io/storageclasses')
  );
}
