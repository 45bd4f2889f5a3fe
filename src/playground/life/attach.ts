import { keyOf } from '../store/store.ts';
import type { World } from '../store/world.ts';
import { at, type Obj, str } from '../kit/values.ts';
import { claimsOf } from './volume.ts';

const canBeShared = new Set(['ReadWriteMany', 'ReadOnlyMany']);

/** Whether a pod has a volume attached, or was placed before another one that asks for it. */
function comesBefore(pod: Obj, other: Obj): boolean {
  const hasStarted = (one: Obj) => str(at(one, 'status', 'podIP')) !== '';
  if (hasStarted(pod) !== hasStarted(other)) return hasStarted(pod);
  const placed = ({ metadata }: Obj) => `${str(metadata.creationTimestamp)} ${metadata.name ?? ''}`;
  return placed(pod) < placed(other);
}

/**
 * The attach-detach controller's error about a pod that waits for a volume: pods on another node hold it, and it can
 * be attached to one node only. Undefined when all volumes can be attached.
 */
export function attachProblem({ store }: World, pod: Obj): string | undefined {
  const { namespace = '', name } = pod.metadata;
  const node = at(pod, 'spec', 'nodeName');
  for (const key of claimsOf(pod)) {
    const volumeName = str(at(store.get('/persistentvolumeclaims', key), 'spec', 'volumeName'));
    const volume = store.get('/persistentvolumes', volumeName);
    const modes = at(volume, 'spec', 'accessModes');
    if (at(volume, 'spec', 'csi') === undefined || !Array.isArray(modes)) continue;
    if (modes.some((mode) => canBeShared.has(str(mode)))) continue;
    const holders = store.list('/pods', keyOf(namespace, '')).filter((other) => {
      const phase = at(other, 'status', 'phase');
      const otherNode = at(other, 'spec', 'nodeName');
      if (other.metadata.name === name || otherNode === undefined || otherNode === node) return false;
      if (phase === 'Succeeded' || phase === 'Failed') return false;
      return claimsOf(other).includes(key) && comesBefore(other, pod);
    });
    if (holders.length === 0) continue;
    const names = holders.map((holder) => holder.metadata.name ?? '').join(', ');
    return `Multi-Attach error for volume "${volumeName}" Volume is already used by pod(s) ${names}`;
  }
  return undefined;
}
