import { podUsage, memoryFactorOf } from './usage.ts';
import { at, type Obj, str } from '../kit/values.ts';
import { steady } from '../kit/behaviour.ts';
import type { Controller, Life } from './engine.ts';
import { evict, lowMemory, requestOf, type Shortage } from './eviction.ts';
import { nodeBehaviourOf } from './node-conditions.ts';
import { minCriticalPriority, priorityOf } from './preemption.ts';
import { report } from './write.ts';

/** Delay before the first eviction, and between further ones while the node is still short, ms. */
const [firstEvictionDelay, evictionInterval] = [10_000, 5 * 60_000];

/**
 * Simulates the kubelet's evictions on a node short of memory or disk: one pod at a time, the most wasteful
 * first.
 */
export const nodePressure: Controller = {
  name: 'eviction-manager',
  interested: ({ storage, key, before, after }) =>
    storage === '/nodes' && nodeBehaviourOf(before) !== nodeBehaviourOf(after) ? [key] : [],
  reconcile: (key, life) => {
    const node = life.world.store.get('/nodes', key);
    const plans = plansOf(life);
    const shortage = node === undefined ? undefined : shortageOf(node);
    if (node === undefined || shortage === undefined) {
      plans.delete(key);
      return;
    }
    const now = life.world.clock.now();
    const due = plans.get(key) ?? now + firstEvictionDelay;
    if (due > now) plans.set(key, due);
    else {
      evictFirst(node, shortage, life);
      plans.set(key, now + evictionInterval);
    }
    life.look(nodePressure, key, (plans.get(key) ?? now) - now + 20);
  },
};

/** Time of the next eviction of each node under pressure, ms. */
const plansOf = (life: Life) => life.memory.of('evictions from nodes', () => new Map<string, number>());

/** The shortage that a node's behaviour asks for; undefined without one. */
function shortageOf(node: Obj): Shortage | undefined {
  const behaviour = nodeBehaviourOf(node);
  if (behaviour === 'memory-pressure') return lowMemory;
  if (behaviour !== 'disk-pressure') return undefined;
  const all = Number.parseInt(str(at(node, 'status', 'capacity', 'ephemeral-storage')), 10) || 0;
  return {
    resource: 'ephemeral-storage',
    threshold: String(Math.round(all * 1024 * 0.1)),
    available: `${Math.round(all * 0.094)}Ki`,
  };
}

/** The usage of a pod's containers, bytes: a random amount of disk, or the measured memory. */
function containerUsageOf(pod: Obj, { resource }: Shortage, life: Life): (container: object) => number {
  if (resource === 'ephemeral-storage') {
    return (container) =>
      (0.05 + steady(pod.metadata.uid ?? '', 'disk', str(at(container, 'name'))) * 6) * 2 ** 30;
  }
  const usage = podUsage(pod, life.world.clock.now(), 1, memoryFactorOf(life.world, pod)) ?? [];
  return (container) => usage.find(({ name }) => name === at(container, 'name'))?.memory ?? 0;
}

/** Evicts the first pod in the kubelet's order: above its request, lowest priority, largest excess. */
function evictFirst(node: Obj, shortage: Shortage, life: Life): void {
  const { name = '' } = node.metadata;
  report(life.world, node, {
    type: 'Warning',
    reason: 'EvictionThresholdMet',
    message: `Attempting to reclaim ${shortage.resource}`,
    component: 'kubelet',
    host: name,
  });
  const candidates = life.children
    .podsOn(name)
    .filter(
      (pod) =>
        at(pod, 'status', 'phase') === 'Running' &&
        pod.metadata.deletionTimestamp === undefined &&
        priorityOf(pod) < minCriticalPriority,
    )
    .map((pod) => {
      const usedBy = containerUsageOf(pod, shortage, life);
      const containers = at(pod, 'spec', 'containers');
      const excess = (Array.isArray(containers) ? (containers as object[]) : []).reduce(
        (sum, container) => sum + usedBy(container) - requestOf(container, shortage.resource),
        0,
      );
      return { pod, usedBy, excess };
    })
    .sort(
      (a, b) =>
        Number(b.excess > 0) - Number(a.excess > 0) ||
        priorityOf(a.pod) - priorityOf(b.pod) ||
        b.excess - a.excess,
    );
  const [first] = candidates;
  if (first !== undefined) evict(first.pod, life, shortage, first.usedBy);
}
