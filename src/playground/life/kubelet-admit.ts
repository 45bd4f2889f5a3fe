import { at, type Obj, rec, recs, str } from '../kit/values.ts';
import { conditionOf } from './conditions.ts';
import type { Life } from './engine.ts';
import { affinityAllows } from './node-affinity.ts';
import { minCriticalPriority, priorityOf } from './preemption.ts';
import { demandOf, roomWith } from './scheduler-fit.ts';
import { portTaken } from './scheduler-filters.ts';
import { toleratesTaint, tolerationsOf, untolerated } from './taints.ts';

/** The reason and message of a pod's rejection by a kubelet. */
export interface Rejection {
  readonly reason: string;
  readonly message: string;
}

const failed = (predicate: string, why: string): Rejection => ({
  reason: predicate,
  message: `Predicate ${predicate} failed: ${why}`,
});

/**
 * The rejection of a pod by a node under pressure, with the message of the kubelet's eviction manager; undefined
 * when it tolerates that.
 */
function underPressure(pod: Obj, node: Obj): Rejection | undefined {
  const hasCondition = (type: string) =>
    conditionOf(recs(at(node, 'status', 'conditions')), type)?.['status'] === 'True';
  const conditions = ['MemoryPressure', 'DiskPressure', 'PIDPressure'].filter(hasCondition);
  if (conditions.length === 0 || priorityOf(pod) >= minCriticalPriority) return undefined;
  const toleratesPressure = tolerationsOf(pod).some((item) => toleratesTaint(item, memoryTaint));
  const isBestEffort = at(pod, 'status', 'qosClass') === 'BestEffort';
  if (conditions.join() === 'MemoryPressure' && (!isBestEffort || toleratesPressure)) return undefined;
  return { reason: 'Evicted', message: `The node had condition: [${conditions.join(' ')}]. ` };
}

const memoryTaint = { key: 'node.kubernetes.io/memory-pressure', effect: 'NoSchedule' };

/**
 * The rejection of a pod by its node, which may have been set without the scheduler; undefined when it is
 * admitted.
 */
export function rejection(pod: Obj, life: Life): Rejection | undefined {
  const name = str(at(pod, 'spec', 'nodeName'));
  const node = life.world.store.get('/nodes', name);
  if (node === undefined) return undefined;
  const pressure = underPressure(pod, node);
  if (pressure !== undefined) return pressure;
  const others = life.children.podsOn(name).filter((other) => {
    const phase = at(other, 'status', 'phase');
    return other.metadata.uid !== pod.metadata.uid && phase !== 'Succeeded' && phase !== 'Failed';
  });
  const nodeRoom = roomWith(node, others, undefined);
  const maxPods = nodeRoom.allocatable.get('pods') ?? 110;
  const outOf = (resource: string, requested: number, used: number, all: number): Rejection => ({
    reason: `OutOf${resource}`,
    message: `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${all}`,
  });
  if (others.length + 1 > maxPods) return outOf('pods', 1, others.length, maxPods);
  for (const [resource, requested] of demandOf(pod)) {
    const [used, all] = [nodeRoom.used.get(resource) ?? 0, nodeRoom.allocatable.get(resource) ?? 0];
    if (requested === 0 || requested <= all - used + 1e-9) continue;
    const unit = (amount: number) => Math.round(resource === 'cpu' ? amount * 1000 : amount);
    return outOf(resource, unit(requested), unit(used), unit(all));
  }
  if (!affinityAllows(rec(pod['spec']), node)) {
    return failed('NodeAffinity', "node(s) didn't match Pod's node affinity/selector");
  }
  if (portTaken(pod, nodeRoom)) {
    return failed('NodePorts', "node(s) didn't have free ports for the requested pod ports");
  }
  if (untolerated(node, tolerationsOf(pod), 'NoExecute') !== undefined) {
    return failed('TaintToleration', "node(s) had taints that the pod didn't tolerate");
  }
  return undefined;
}
