import { timestamp } from '../kit/clock.ts';
import { type LabelSelector, matchesSelector } from '../../kube/selector.ts';
import { at, type Obj, rec, recs } from '../kit/values.ts';
import { adopt, ownerKeys } from './adopt.ts';
import { conditionOf, moveCondition, withoutCondition } from './conditions.ts';
import type { Controller, Life } from './engine.ts';
import { createPod, byDeletionOrder } from './pods.ts';
import { isActive, isReady, lastRefusal, putStatus, readySince, remove, report } from './write.ts';

const storage = 'apps/replicasets';
const component = 'replicaset-controller';

/** Maintains the number of pods of a ReplicaSet. */
export const replicaSetController: Controller = {
  name: component,
  interested: ({ storage: changedStorage, key, before, after }, life) => {
    if (changedStorage === storage) return [key];
    if (changedStorage !== '/pods') return [];
    const keys = ownerKeys(life, after ?? before, 'ReplicaSet', storage);
    const ownerChanged = before?.metadata.ownerReferences !== after?.metadata.ownerReferences;
    return ownerChanged && after !== undefined
      ? [...keys, ...ownerKeys(life, before, 'ReplicaSet', storage)]
      : keys;
  },
  reconcile: (key, life) => {
    const set = life.world.store.get(storage, key);
    if (set === undefined) return;
    adopt(life, set, '/pods', isActive);
    const failure = set.metadata.deletionTimestamp === undefined ? manage(set, key, life) : undefined;
    summarise(set, key, failure, life);
  },
};

/** Creates or deletes pods. Returns the API's message if it refuses. */
function manage(set: Obj, key: string, life: Life): string | undefined {
  const { world } = life;
  const pods = life.children.of(set.metadata.uid, '/pods').filter(isActive);
  const wanted = Number(at(set, 'spec', 'replicas') ?? 1);
  for (let missing = wanted - pods.length; missing > 0; missing--) {
    const pod = createPod(life, set, {});
    if (pod === undefined) {
      const refusal = lastRefusal(world);
      const message = `Error creating: ${refusal}`;
      report(world, set, { type: 'Warning', reason: 'FailedCreate', message, component });
      life.look(replicaSetController, key, 15_000);
      return refusal;
    }
    const message = `Created pod: ${pod.metadata.name}`;
    report(world, set, { type: 'Normal', reason: 'SuccessfulCreate', message, component });
  }
  for (const pod of byDeletionOrder(pods, world.clock.now()).slice(0, Math.max(0, pods.length - wanted))) {
    remove(world, '/pods', pod);
    const message = `Deleted pod: ${pod.metadata.name}`;
    report(world, set, { type: 'Normal', reason: 'SuccessfulDelete', message, component });
  }
  return undefined;
}

function summarise(set: Obj, key: string, failure: string | undefined, life: Life): void {
  const { world } = life;
  const pods = life.children.of(set.metadata.uid, '/pods');
  const active = pods.filter(isActive);
  const now = world.clock.now();
  const wait = Number(at(set, 'spec', 'minReadySeconds') ?? 0) * 1000;
  const ready = active.filter(isReady);
  const ages = ready.map((pod) => now - (readySince(pod) ?? now));
  const available = ages.filter((age) => age >= wait);
  const untilNext = Math.min(...ages.filter((age) => age < wait).map((age) => wait - age));
  if (Number.isFinite(untilNext)) life.look(replicaSetController, key, untilNext + 20);
  const template = { matchLabels: rec(at(set, 'spec', 'template', 'metadata', 'labels')) } as LabelSelector;
  const labelled = active.filter((pod) => matchesSelector(template, pod.metadata.labels));
  const terminating = pods.filter(
    (pod) =>
      pod.metadata.deletionTimestamp !== undefined &&
      at(pod, 'status', 'phase') !== 'Succeeded' &&
      at(pod, 'status', 'phase') !== 'Failed',
  ).length;
  const before = recs(at(set, 'status', 'conditions'));
  const condition = conditionOf(before, 'ReplicaFailure');
  const conditions =
    failure === undefined
      ? withoutCondition(before, 'ReplicaFailure')
      : condition !== undefined
        ? before
        : moveCondition(
            before,
            { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: failure },
            timestamp(now),
          );
  putStatus(world, storage, set, {
    replicas: active.length,
    ...(labelled.length === 0 ? {} : { fullyLabeledReplicas: labelled.length }),
    ...(ready.length === 0 ? {} : { readyReplicas: ready.length }),
    ...(available.length === 0 ? {} : { availableReplicas: available.length }),
    terminatingReplicas: terminating,
    observedGeneration: set.metadata.generation ?? 1,
    ...(conditions.length === 0 ? {} : { conditions }),
  });
}
