import { controllerOf } from '../../kube/owners.ts';
import { bindPod } from '../objects/binding.ts';
import { timestamp } from '../kit/clock.ts';
import { at, type Obj, rec, recs, str } from '../kit/values.ts';
import type { Controller, Life } from './engine.ts';
import { roomOn } from './scheduler-fit.ts';
import { type Placement, prefilter, refusalOf } from './scheduler-filters.ts';
import { nominationOf, preempt, priorityOf } from './preemption.ts';
import { type Refusal, refusedEarly, unschedulable, worthRetrying } from './scheduler-words.ts';
import { scoreNodes } from './scheduler-score.ts';
import { putStatus, report, withCondition } from './write.ts';

/** Minimum delay before a failed pod is retried, doubled each time, ms. */
const firstPause = 1_000;
const maxPause = 10_000;
/** Interval at which an unschedulable pod is retried without any change, ms. */
const retryInterval = 300_000;

/**
 * Assigns pods to nodes by taints, selectors, requests, ports, volumes and topology. Reports failures with the
 * scheduler's messages.
 */
export const scheduler: Controller = {
  name: 'default-scheduler',
  interested: (change, life) => {
    const { storage, key, before, after } = change;
    const keys: string[] = [];
    if (storage === '/pods' && after !== undefined && unplaced(after)) {
      const fresh = before === undefined || !unplaced(before);
      // A change of the pod itself may make it schedulable.
      if (fresh || before['spec'] !== after['spec'] || before.metadata.labels !== after.metadata.labels)
        keys.push(key);
    }
    for (const [waiting, { refusals, tries, at: since }] of waitingOf(life)) {
      if (waiting === key || !worthRetrying(change, refusals)) continue;
      const pause = Math.min(maxPause, firstPause * 2 ** (tries - 1));
      life.look(scheduler, waiting, Math.max(20, since + pause - life.world.clock.now()));
    }
    return keys;
  },
  reconcile: (key, life) => {
    const pod = life.world.store.get('/pods', key);
    if (pod === undefined || !unplaced(pod)) waitingOf(life).delete(key);
    else if (recs(at(pod, 'spec', 'schedulingGates')).length === 0) schedule(pod, key, life);
  },
};

interface Waiting {
  readonly refusals: readonly Refusal[];
  readonly tries: number;
  /** Time of the last attempt, ms. */
  readonly at: number;
}
const waitingOf = (life: Life) => life.memory.of('waiting pods', () => new Map<string, Waiting>());

const unplaced = (pod: Obj) =>
  str(at(pod, 'spec', 'nodeName')) === '' &&
  pod.metadata.deletionTimestamp === undefined &&
  at(pod, 'spec', 'schedulerName') === scheduler.name &&
  at(pod, 'status', 'phase') !== 'Succeeded' &&
  at(pod, 'status', 'phase') !== 'Failed';

function schedule(pod: Obj, key: string, life: Life): void {
  const { world } = life;
  const nodes = world.store.list('/nodes');
  if (nodes.length === 0) {
    fail(
      pod,
      key,
      'no nodes available to schedule pods',
      [{ reasons: [], final: true, filter: 'Node' }],
      life,
    );
    return;
  }
  const early = prefilter(pod, life);
  if (typeof early !== 'object') {
    const message = refusedEarly(nodes.length, early);
    fail(pod, key, message, [{ reasons: [early], final: true, filter: 'VolumeBinding' }], life);
    return;
  }
  const placements: Placement[] = [];
  const refusals: Refusal[] = [];
  const nominated = nominatedBy(pod, life);
  for (const node of nodes) {
    const expected = nominated.filter((other) => nominationOf(other) === node.metadata.name);
    const room = roomOn(node, life, controllerOf(pod)?.uid, expected);
    const refusal = refusalOf(early, node, room, life);
    if (refusal === undefined) placements.push({ node, room });
    else refusals.push(refusal);
  }
  const best = scoreNodes(early, placements, life);
  if (best === undefined) {
    const preemption = preempt(early, nodes, refusals, life);
    const message = unschedulable(nodes.length, refusals, preemption.why);
    fail(pod, key, message, refusals, life, preemption.node);
    return;
  }
  waitingOf(life).delete(key);
  const name = best.metadata.name ?? '';
  const bound = bindPod(world, pod, name);
  report(world, bound, {
    type: 'Normal',
    reason: 'Scheduled',
    message: `Successfully assigned ${pod.metadata.namespace}/${pod.metadata.name} to ${name}`,
    component: scheduler.name,
    action: 'Binding',
  });
}

/** Pods nominated to a node that take precedence over this pod. */
function nominatedBy(pod: Obj, life: Life): Obj[] {
  return Array.from(waitingOf(life).keys())
    .map((key) => life.world.store.get('/pods', key))
    .filter((other) => other !== undefined)
    .filter(
      (other) =>
        other.metadata.uid !== pod.metadata.uid &&
        unplaced(other) &&
        nominationOf(other) !== '' &&
        priorityOf(other) >= priorityOf(pod),
    );
}

function fail(
  pod: Obj,
  key: string,
  message: string,
  refusals: readonly Refusal[],
  life: Life,
  nominated?: string,
): void {
  const { world } = life;
  const tries = (waitingOf(life).get(key)?.tries ?? 0) + 1;
  report(world, pod, {
    type: 'Warning',
    reason: 'FailedScheduling',
    message,
    component: scheduler.name,
    action: 'Scheduling',
  });
  const status = rec(pod['status']);
  const condition = {
    type: 'PodScheduled',
    observedGeneration: pod.metadata.generation ?? 1,
    status: 'False',
    lastProbeTime: null,
    reason: 'Unschedulable',
    message,
  };
  const conditions = withCondition(recs(status['conditions']), condition, timestamp(world.clock.now()));
  waitingOf(life).set(key, { refusals, tries, at: world.clock.now() });
  putStatus(world, '/pods', pod, {
    ...status,
    conditions,
    ...(nominated === undefined ? {} : { nominatedNodeName: nominated }),
  });
  life.look(scheduler, key, retryInterval);
}
