import type { Pod } from './core.ts';
import { controllerOf } from './owners.ts';

/** What a drain does with a pod of the node, and why. Source: kubectl pkg/drain/filters.go. */
export type DrainClass =
  /** Evicted by the Eviction API, which respects disruption budgets. */
  | 'evict'
  /** Evicted; its data on the node is lost. */
  | 'data'
  /** Evicted; nothing recreates it. */
  | 'unmanaged'
  /** Stays, because its DaemonSet would recreate it at once. */
  | 'daemon'
  /** Stays, because the node's kubelet runs it from a file. */
  | 'mirror'
  /** Already being deleted. */
  | 'leaving';

const mirrorAnnotation = 'kubernetes.io/config.mirror';

/** What a drain does with a pod. */
export function drainClass(pod: Pod): DrainClass {
  if (pod.metadata?.annotations?.[mirrorAnnotation] !== undefined) return 'mirror';
  if (pod.metadata?.deletionTimestamp !== undefined) return 'leaving';
  const isOver = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
  const controller = controllerOf(pod);
  // A static pod belongs to its node, whether it has the annotation or not.
  if (controller?.kind === 'Node') return 'mirror';
  if (controller?.kind === 'DaemonSet' && !isOver) return 'daemon';
  if (isOver) return 'evict';
  if (controller === undefined) return 'unmanaged';
  const hasData = (pod.spec?.volumes ?? []).some((volume) => 'emptyDir' in volume);
  return hasData ? 'data' : 'evict';
}
