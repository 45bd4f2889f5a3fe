import { type LabelSelector, matchesSelector } from '../../kube/selector.ts';
import { timestamp } from '../clock.ts';
import { at, type Obj, rec, recs, strings } from '../values.ts';
import { type Controller, controllerOf, type Life } from './engine.ts';
import { isActive, isReady, putStatus, withCondition } from './write.ts';

const storage = 'policy/poddisruptionbudgets';
/** An eviction that has not shown within this time is forgotten, ms. */
const patience = 120_000;

/** Counts how many pods of each disruption budget may go. */
export const budgetController: Controller = {
  name: 'disruption-controller',
  interested: ({ storage: place, key, before, after }, life) => {
    if (place === storage) return [key];
    if (place !== '/pods') return [];
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

/** How many of a number an amount or a share is; shares are rounded up. */
function portion(value: unknown, of: number): number {
  if (typeof value === 'number') return value;
  return Math.ceil((of * Number.parseFloat(String(value))) / 100);
}

/** How many pods there should be: what the controllers of the pods want, or the pods themselves. */
function expected(life: Life, pods: readonly Obj[]): number {
  const owners = new Map<string, number>();
  let alone = 0;
  for (const pod of pods) {
    const owner = controllerOf(pod);
    const place = owner === undefined ? undefined : places[owner.kind];
    if (owner === undefined || place === undefined) alone += 1;
    else {
      const object = life.world.store.get(place, `${pod.metadata.namespace ?? ''}/${owner.name}`);
      owners.set(owner.uid, Number(at(object, 'spec', 'replicas') ?? 0));
    }
  }
  return alone + Array.from(owners.values()).reduce((sum, replicas) => sum + replicas, 0);
}

const places: Readonly<Record<string, string>> = {
  ReplicaSet: 'apps/replicasets',
  StatefulSet: 'apps/statefulsets',
};

function count(budget: Obj, key: string, life: Life): void {
  const { world } = life;
  const namespace = budget.metadata.namespace ?? '';
  const pods = world.store
    .list('/pods', `${namespace}/`)
    .filter((pod) => matchesSelector(selectorOf(budget), pod.metadata.labels) && isActive(pod));
  const now = world.clock.now();
  const evicted = Object.entries(strings(at(budget, 'status', 'disruptedPods'))).filter(
    ([name, time]) =>
      now - Date.parse(time) < patience && pods.some((pod) => pod.metadata.name === name && isReady(pod)),
  );
  if (evicted.length > 0) life.look(budgetController, key, patience);
  const gone = new Set(evicted.map(([name]) => name));
  const healthy = pods.filter((pod) => isReady(pod) && !gone.has(pod.metadata.name ?? '')).length;
  const { minAvailable, maxUnavailable } = rec(budget['spec']);
  const expectedPods =
    minAvailable === undefined || typeof minAvailable === 'string' ? expected(life, pods) : pods.length;
  const desiredHealthy =
    minAvailable === undefined
      ? Math.max(0, expectedPods - portion(maxUnavailable ?? 1, expectedPods))
      : portion(minAvailable, expectedPods);
  const disruptionsAllowed = expectedPods > 0 ? Math.max(0, healthy - desiredHealthy) : 0;
  const enough = disruptionsAllowed > 0;
  const condition = {
    type: 'DisruptionAllowed',
    status: enough ? 'True' : 'False',
    observedGeneration: budget.metadata.generation ?? 1,
    reason: enough ? 'SufficientPods' : 'InsufficientPods',
    message: '',
  };
  putStatus(world, storage, budget, {
    observedGeneration: budget.metadata.generation ?? 1,
    ...(evicted.length === 0 ? {} : { disruptedPods: Object.fromEntries(evicted) }),
    disruptionsAllowed,
    currentHealthy: healthy,
    desiredHealthy,
    expectedPods,
    conditions: withCondition(recs(at(budget, 'status', 'conditions')), condition, timestamp(now)),
  });
}
