import { controllerOf } from '../../kube/owners.ts';
import type { ContainerStatus } from '../../kube/core.ts';
import { parseQuantity } from '../../kube/quantity.ts';
import { timestamp } from '../kit/clock.ts';
import { at, type Obj, recs, str } from '../kit/values.ts';
import { requestedBehaviour, steady } from '../kit/behaviour.ts';
import { conditionOf } from './conditions.ts';
import type { Life } from './engine.ts';
import { type Cause, disruption, endedStatus } from './pod-end.ts';
import { tell } from './pod-event.ts';
import { putStatus } from './write.ts';

/** What a node has too little of. */
export interface Shortage {
  readonly resource: 'memory' | 'ephemeral-storage';
  /** What was to stay free, and what is: quantities. */
  readonly threshold: string;
  readonly available: string;
}

/** Memory as a kubelet finds it too little by its usual threshold. */
export const lowMemory: Shortage = { resource: 'memory', threshold: '100Mi', available: '71284Ki' };

/** How long a node has memory again after it evicted a pod of a workload, ms, and the maximum number of evictions. */
const [relief, mostEvicted] = [30 * 60_000, 10];

/** After how many ms a pod is evicted; endless for all but those that are asked to be, one of a workload after the other. */
export function untilEviction(pod: Obj, startTime: string, life: Life): number {
  if (requestedBehaviour(pod.metadata.annotations).word !== 'evicted') return Number.POSITIVE_INFINITY;
  const due = Date.parse(startTime) + (3 + steady(pod.metadata.uid ?? '', 'when') * 5) * 60_000;
  const before = life.children
    .of(controllerOf(pod)?.uid, '/pods')
    .filter((other) => at(other, 'status', 'reason') === 'Evicted')
    .map((other) => conditionOf(recs(at(other, 'status', 'conditions')), 'DisruptionTarget'))
    .map((condition) => Date.parse(str(condition?.['lastTransitionTime'])) || 0);
  if (before.length >= mostEvicted) return Number.POSITIVE_INFINITY;
  return Math.max(due, ...before.map((time) => time + relief)) - life.world.clock.now();
}

/** What a container asked for of a resource, bytes; 0 where it asked for none. */
export const requestOf = (container: object, resource: string): number =>
  parseQuantity(str(at(container, 'resources', 'requests', resource))) ?? 0;

/** What a pod that is asked to be evicted is said to use of memory: more than it asked for, bytes. */
const tooMuch = (container: object) => Math.max(912_644 * 1024, requestOf(container, 'memory') * 1.3);

/**
 * Ends a pod for the sake of its node, as the kubelet does when something runs short. `usedBy`: what a container uses
 * of it, bytes; those that use more than they asked for are named.
 */
export function evict(
  pod: Obj,
  life: Life,
  { resource, threshold, available }: Shortage = lowMemory,
  usedBy: (container: object) => number = tooMuch,
): void {
  const large = recs(at(pod, 'spec', 'containers')).flatMap((container) => {
    const used = usedBy(container);
    if (used <= requestOf(container, resource)) return [];
    const request = str(at(container, 'resources', 'requests', resource)) || '0';
    return [
      `Container ${str(container['name'])} was using ${Math.round(used / 1024)}Ki, request is ${request}, has larger consumption of ${resource}. `,
    ];
  });
  const message = `The node was low on resource: ${resource}. Threshold quantity: ${threshold}, available: ${available}. ${large.join('')}`;
  tell(pod, life, 'Warning', 'Evicted', message);
  const condition = {
    ...disruption(pod, 'TerminationByKubelet', message),
    lastTransitionTime: timestamp(life.world.clock.now()),
  };
  endPod(pod, { reason: 'Evicted', message, condition, failed: true, exitCode: 137 }, life);
}

/** Stops all containers of a pod for good, for a cause of the kubelet's. */
export function endPod(pod: Obj, cause: Cause, life: Life): void {
  const now = life.world.clock.now();
  for (const status of recs(at(pod, 'status', 'containerStatuses')) as ContainerStatus[]) {
    if (status.state?.running !== undefined)
      tell(pod, life, 'Normal', 'Killing', `Stopping container ${status.name}`, status.name);
  }
  const startTime = str(at(pod, 'status', 'startTime')) || timestamp(now);
  putStatus(life.world, '/pods', pod, { ...endedStatus(pod, now, cause), startTime });
}
