import { controllerOf } from '../../kube/owners.ts';
import type { ContainerStatus } from '../../kube/core.ts';
import { parseQuantity } from '../../kube/quantity.ts';
import { timestamp } from '../kit/clock.ts';
import { at, type Obj, recs, str } from '../kit/values.ts';
import { requestedBehaviour, steady } from '../kit/behaviour.ts';
import { conditionOf } from './conditions.ts';
import type { Life } from './engine.ts';
import { type EndCause, disruption, endedStatus } from './pod-end.ts';
import { reportPodEvent } from './pod-event.ts';
import { putStatus } from './write.ts';

/** A resource that a node runs short of. */
export interface Shortage {
  readonly resource: 'memory' | 'ephemeral-storage';
  /** The eviction threshold and the free amount: quantities. */
  readonly threshold: string;
  readonly available: string;
}

/** A shortage of memory at the kubelet's default threshold. */
export const lowMemory: Shortage = { resource: 'memory', threshold: '100Mi', available: '71284Ki' };

/** Time between evictions of one workload's pods, ms, and their maximum number. */
const [evictionInterval, maxEvictions] = [30 * 60_000, 10];

/**
 * The ms until a pod with the behaviour `evicted` is evicted; infinite for all others. Pods of one workload are
 * evicted one after the other.
 */
export function untilEviction(pod: Obj, startTime: string, life: Life): number {
  if (requestedBehaviour(pod.metadata.annotations).word !== 'evicted') return Number.POSITIVE_INFINITY;
  const due = Date.parse(startTime) + (3 + steady(pod.metadata.uid ?? '', 'when') * 5) * 60_000;
  const evictionTimes = life.children
    .of(controllerOf(pod)?.uid, '/pods')
    .filter((other) => at(other, 'status', 'reason') === 'Evicted')
    .map((other) => conditionOf(recs(at(other, 'status', 'conditions')), 'DisruptionTarget'))
    .map((condition) => Date.parse(str(condition?.['lastTransitionTime'])) || 0);
  if (evictionTimes.length >= maxEvictions) return Number.POSITIVE_INFINITY;
  return Math.max(due, ...evictionTimes.map((time) => time + evictionInterval)) - life.world.clock.now();
}

/** A container's request of a resource, bytes; 0 without one. */
export const requestOf = (container: object, resource: string): number =>
  parseQuantity(str(at(container, 'resources', 'requests', resource))) ?? 0;

/** Reported memory usage of a pod that asks to be evicted, bytes: above its request. */
const reportedUsage = (container: object) => Math.max(912_644 * 1024, requestOf(container, 'memory') * 1.3);

/**
 * Evicts a pod as the kubelet does when its node runs short of a resource. `usedBy`: usage of a container, bytes;
 * the message names those above their request.
 */
export function evict(
  pod: Obj,
  life: Life,
  { resource, threshold, available }: Shortage = lowMemory,
  usedBy: (container: object) => number = reportedUsage,
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
  reportPodEvent(pod, life, 'Warning', 'Evicted', message);
  const condition = {
    ...disruption(pod, 'TerminationByKubelet', message),
    lastTransitionTime: timestamp(life.world.clock.now()),
  };
  endPod(pod, { reason: 'Evicted', message, condition, failed: true, exitCode: 137 }, life);
}

/** Stops all containers of a pod permanently, by a decision of the kubelet. */
export function endPod(pod: Obj, cause: EndCause, life: Life): void {
  const now = life.world.clock.now();
  for (const status of recs(at(pod, 'status', 'containerStatuses')) as ContainerStatus[]) {
    if (status.state?.running !== undefined)
      reportPodEvent(pod, life, 'Normal', 'Killing', `Stopping container ${status.name}`, status.name);
  }
  const startTime = str(at(pod, 'status', 'startTime')) || timestamp(now);
  putStatus(life.world, '/pods', pod, { ...endedStatus(pod, now, cause), startTime });
}
