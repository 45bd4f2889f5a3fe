import type { Pod } from './core.ts';
import { controllerOf } from './owners.ts';

/** What a drain does with a pod of its node, and why. Source: kubectl pkg/drain/filters.go. */
export type DrainClass =
  /** Evicted by the Eviction API, which honours disruption budgets. */
  | 'evict'
  /** Evicted, and the data that it keeps on the node is lost. */
  | 'data'
  /** Evicted, and nothing makes it anew. */
  | 'unmanaged'
  /** Stays: its DaemonSet would put it back at once. */
  | 'daemon'
  /** Stays: the node's own kubelet runs it from a file. */
  | 'mirror'
  /** Goes already. */
  | 'leaving';

const mirrorAnnotation = 'kubernetes.io/config.mirror';

/** What a drain does with a pod. */
export function drainClass(pod: Pod): DrainClass {
  if (pod.metadata?.annotations?.[mirrorAnnotation] !== undefined) return 'mirror';
  if (pod.metadata?.deletionTimestamp !== undefined) return 'leaving';
  const isOver = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
  const controller = controllerOf(pod);
  // What a node runs from a file belongs to the node, whether the annotation is there or not.
  if (controller?.kind === 'Node') return 'mirror';
  if (controller?.kind === 'DaemonSet' && !isOver) return 'daemon';
  if (isOver) return 'evict';
  if (controller === undefined) return 'unmanaged';
  const hasData = (pod.spec?.volumes ?? []).some((volume) => 'emptyDir' in volume);
  return hasData ? 'data' : 'evict';
}
