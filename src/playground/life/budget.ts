import type { OwnerReference } from '../../kube/object.ts';
import { controllerOf } from '../../kube/owners.ts';
import { type LabelSelector, matchesSelector } from '../../kube/selector.ts';
import { timestamp } from '../kit/clock.ts';
import { at, type Obj, rec, recs, strings } from '../kit/values.ts';
import type { Controller, Life } from './engine.ts';
import { isReady, putStatus, report, withCondition } from './write.ts';

const storage = 'policy/poddisruptionbudgets';
const controllerManager = 'controllermanager';
/** Time in which a granted eviction must have deleted its pod, ms. */
const evictionTimeout = 120_000;

/** Computes how many disruptions each budget allows. */
export const budgetController: Controller = {
  name: 'disruption-controller',
  interested: ({ storage: changedStorage, key, before, after }, life) => {
    if (changedStorage === storage) return [key];
    if (changedStorage !== '/pods') return [];
    const { namespace = '', labels } = (after ?? before)?.metadata ?? {};
    const found: string[] = [];
    for (const [name, budget] of life.world.store.entries(storage, `${namespace}/`)) {
      if (matchesSelector(selectorOf(budget), labels)) found.push(name);
    }
    return found;
  },
  reconcile: (key, life) => {
    const budget = life.world.store.get(storage, key);
    if (budget !== undefined && budget.metadata.deletionTimestamp === undefined) count(budget, key, life);
  },
};

const selectorOf = (budget: Obj) => at(budget, 'spec', 'selector') as LabelSelector | undefined;

/** A number, or a percentage of `of` rounded up. */
function portion(value: unknown, of: number): number {
  if (typeof value === 'number') return value;
  return Math.ceil((of * Number.parseFloat(String(value))) / 100);
}

const sets = 'apps/replicasets';
const storages: Readonly<Record<string, string>> = {
  Deployment: 'apps/deployments',
  ReplicaSet: sets,
  ReplicationController: '/replicationcontrollers',
  StatefulSet: 'apps/statefulsets',
};

/** The workload that scales a pod: its controller, or the Deployment of its ReplicaSet. */
function scalingOwner(life: Life, pod: Obj): OwnerReference | undefined {
  const owner = controllerOf(pod);
  if (owner?.kind !== 'ReplicaSet') return owner;
  const deployment = controllerOf(
    life.world.store.get(sets, `${pod.metadata.namespace ?? ''}/${owner.name}`),
  );
  return deployment?.kind === 'Deployment' ? deployment : owner;
}

/**
 * The expected number of pods: the sum of their controllers' replicas, without pods that have none. Otherwise the
 * reason why it is unknown.
 */
function expectedCount(life: Life, pods: readonly Obj[]): number | string {
  const owners = new Map<string, number>();
  for (const pod of pods) {
    const owner = scalingOwner(life, pod);
    if (owner === undefined) continue;
    const storagePath = storages[owner.kind];
    if (storagePath === undefined) {
      const resource = life.world.registry.ofKind(owner.apiVersion, owner.kind);
      if (resource === undefined) return `found no controllers for pod "${pod.metadata.name ?? ''}"`;
      return `${resource.plural}.${resource.group} does not implement the scale subresource`;
    }
    const object = life.world.store.get(storagePath, `${pod.metadata.namespace ?? ''}/${owner.name}`);
    owners.set(owner.uid, Number(at(object, 'spec', 'replicas') ?? 0));
  }
  return Array.from(owners.values()).reduce((sum, replicas) => sum + replicas, 0);
}

/** Granted evictions whose pod still exists: time of the grant by pod name. Reports those that timed out. */
function pendingEvictions(budget: Obj, key: string, pods: readonly Obj[], life: Life): Map<string, string> {
  const { namespace = '', name = '' } = budget.metadata;
  const now = life.world.clock.now();
  const found = new Map<string, string>();
  for (const [pod, time] of Object.entries(strings(at(budget, 'status', 'disruptedPods')))) {
    const object = pods.find((item) => item.metadata.name === pod);
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) continue;
    const untilTimeout = Date.parse(time) + evictionTimeout - now;
    if (untilTimeout > 0) {
      found.set(pod, time);
      life.look(budgetController, key, untilTimeout + 20);
      continue;
    }
    const message = `Pod was expected by PDB ${namespace}/${name} to be deleted but it wasn't`;
    report(life.world, object, {
      type: 'Warning',
      reason: 'NotDeleted',
      message,
      component: controllerManager,
    });
  }
  return found;
}

function count(budget: Obj, key: string, life: Life): void {
  const { world } = life;
  const namespace = budget.metadata.namespace ?? '';
  const generation = budget.metadata.generation ?? 1;
  const now = timestamp(world.clock.now());
  const conditions = recs(at(budget, 'status', 'conditions'));
  const reportEvent = (type: 'Normal' | 'Warning', reason: string, message: string) =>
    report(world, budget, { type, reason, message, component: controllerManager });
  const pods = world.store
    .list('/pods', `${namespace}/`)
    .filter((pod) => matchesSelector(selectorOf(budget), pod.metadata.labels));
  if (pods.length === 0) reportEvent('Normal', 'NoPods', 'No matching pods found');
  const { minAvailable, maxUnavailable } = rec(budget['spec']);
  const isShare = minAvailable === undefined || typeof minAvailable === 'string';
  const expectedPods = isShare ? expectedCount(life, pods) : pods.length;
  if (typeof expectedPods === 'string') {
    const why = `Failed to calculate the number of expected pods: ${expectedPods}`;
    reportEvent('Warning', 'CalculateExpectedPodCountFailed', why);
    const failed = {
      type: 'DisruptionAllowed',
      status: 'False',
      reason: 'SyncFailed',
      message: expectedPods,
    };
    const next = { ...failed, observedGeneration: generation };
    putStatus(world, storage, budget, {
      ...rec(budget['status']),
      disruptionsAllowed: 0,
      conditions: withCondition(conditions, next, now),
    });
    return;
  }
  const evicted = pendingEvictions(budget, key, pods, life);
  const healthy = pods.filter(
    (pod) =>
      pod.metadata.deletionTimestamp === undefined && isReady(pod) && !evicted.has(pod.metadata.name ?? ''),
  ).length;
  const desiredHealthy =
    minAvailable === undefined
      ? Math.max(0, expectedPods - portion(maxUnavailable ?? 1, expectedPods))
      : portion(minAvailable, expectedPods);
  const disruptionsAllowed = expectedPods > 0 ? Math.max(0, healthy - desiredHealthy) : 0;
  const enough = disruptionsAllowed > 0;
  const condition = {
    type: 'DisruptionAllowed',
    status: enough ? 'True' : 'False',
    observedGeneration: generation,
    reason: enough ? 'SufficientPods' : 'InsufficientPods',
    message: '',
  };
  putStatus(world, storage, budget, {
    observedGeneration: generation,
    ...(evicted.size === 0 ? {} : { disruptedPods: Object.fromEntries(evicted) }),
    disruptionsAllowed,
    currentHealthy: healthy,
    desiredHealthy,
    expectedPods,
    conditions: withCondition(conditions, condition, now),
  });
}
