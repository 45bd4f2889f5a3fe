import { at, type Obj, type Rec, rec, recs, str } from '../kit/values.ts';
import { adopt, ownerKeys } from './adopt.ts';
import type { Controller, Life } from './engine.ts';
import { forgetRevisions, hashOf, liveRevisions, currentRevision, revisionLabel } from './history.ts';
import { affinityAllows } from './node-affinity.ts';
import { createPod } from './pods.ts';
import { fractionOf } from './rollout.ts';
import { untolerated } from './taints.ts';
import { isReady, lastRefusal, putStatus, readySince, remove, report } from './write.ts';

const storage = 'apps/daemonsets';
const component = 'daemonset-controller';
const generationNote = 'deprecated.daemonset.template.generation';

/** Runs one pod of a DaemonSet on every eligible node. */
export const daemonSetController: Controller = {
  name: component,
  interested: ({ storage: changedStorage, key, before, after }, life) => {
    if (changedStorage === storage) return [key];
    if (changedStorage === '/nodes') {
      const same =
        before !== undefined &&
        after !== undefined &&
        before['spec'] === after['spec'] &&
        before.metadata.labels === after.metadata.labels;
      return same ? [] : Array.from(life.world.store.entries(storage), ([name]) => name);
    }
    return changedStorage === '/pods' ? ownerKeys(life, after ?? before, 'DaemonSet', storage) : [];
  },
  reconcile: (key, life) => {
    const set = life.world.store.get(storage, key);
    if (set === undefined) return;
    adopt(life, set, '/pods');
    const revision = currentRevision(set, 'DaemonSet', life);
    if (revision === undefined) return;
    const work: Work = { set, key, life, hash: hashOf(set, revision) };
    if (set.metadata.deletionTimestamp === undefined) {
      manage(work);
      if (at(set, 'spec', 'updateStrategy', 'type') !== 'OnDelete') roll(work);
      forgetRevisions(set, new Set([...liveRevisions(podsOf(work)), work.hash]), life);
    }
    summarise(work);
  },
};

interface Work {
  readonly set: Obj;
  readonly key: string;
  readonly life: Life;
  /** The hash of the current template's revision. */
  readonly hash: string;
}

/** Tolerations of every daemon pod, so that it runs on nodes that are not ready yet. */
const daemonTolerations: readonly Rec[] = [
  ...['not-ready', 'unreachable'].map((name) => ({ name, effect: 'NoExecute' })),
  ...['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map((name) => ({
    name,
    effect: 'NoSchedule',
  })),
].map(({ name, effect }) => ({ key: `node.kubernetes.io/${name}`, operator: 'Exists', effect }));

function tolerations(set: Obj): Rec[] {
  const spec = rec(at(set, 'spec', 'template', 'spec'));
  const templateTolerations = recs(spec['tolerations']);
  const host = { key: 'node.kubernetes.io/network-unavailable', operator: 'Exists', effect: 'NoSchedule' };
  const all = spec['hostNetwork'] === true ? [...daemonTolerations, host] : daemonTolerations;
  const isOwnKey = (item: Rec) =>
    templateTolerations.some(
      (toleration) => toleration['key'] === item['key'] && toleration['effect'] === item['effect'],
    );
  return [...templateTolerations, ...all.filter((item) => !isOwnKey(item))];
}

/** Whether a node should run the daemon, and whether a running one may stay. */
function shouldRun(node: Obj, set: Obj): { run: boolean; stay: boolean } {
  if (!affinityAllows(rec(at(set, 'spec', 'template', 'spec')), node)) return { run: false, stay: false };
  const all = tolerations(set);
  const stay = untolerated(node, all, 'NoExecute') === undefined;
  return { run: stay && untolerated(node, all, 'NoSchedule') === undefined, stay };
}

/** The node of a daemon's pod, or the one that its affinity names before it is scheduled. */
function nodeFor(pod: Obj): string {
  const placed = str(at(pod, 'spec', 'nodeName'));
  if (placed !== '') return placed;
  const affinity = at(
    pod,
    'spec',
    'affinity',
    'nodeAffinity',
    'requiredDuringSchedulingIgnoredDuringExecution',
  );
  const field = recs(recs(rec(affinity)['nodeSelectorTerms'])[0]?.['matchFields'])[0];
  return Array.isArray(field?.['values']) ? str(field['values'][0]) : '';
}

const podsOf = ({ set, life }: Work) => life.children.of(set.metadata.uid, '/pods');
const isStopping = (pod: Obj) => pod.metadata.deletionTimestamp !== undefined;
const isCurrent = (pod: Obj, { hash }: Work) => pod.metadata.labels?.[revisionLabel] === hash;
const nodesOf = ({ life }: Work) => life.world.store.list('/nodes');

function untilAvailable(pod: Obj, { set, life }: Work): number {
  const since = readySince(pod);
  if (since === undefined) return Number.POSITIVE_INFINITY;
  const wait = Number(at(set, 'spec', 'minReadySeconds') ?? 0) * 1000;
  return Math.max(0, since + wait - life.world.clock.now());
}

function reportEvent({ set, life }: Work, type: 'Normal' | 'Warning', reason: string, message: string): void {
  report(life.world, set, { type, reason, message, component });
}

function dismiss(work: Work, pod: Obj): void {
  remove(work.life.world, '/pods', pod);
  reportEvent(work, 'Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name ?? ''}`);
}

function launch(work: Work, node: string): boolean {
  const { set, key, life, hash } = work;
  const term = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] };
  const templateAffinity = rec(at(set, 'spec', 'template', 'spec', 'affinity'));
  const terms = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } };
  const created = createPod(life, set, {
    labels: {
      [revisionLabel]: hash,
      'pod-template-generation':
        set.metadata.annotations?.[generationNote] ?? String(set.metadata.generation ?? 1),
    },
    spec: {
      affinity: { ...templateAffinity, nodeAffinity: { ...rec(templateAffinity['nodeAffinity']), ...terms } },
      tolerations: tolerations(set),
    },
  });
  if (created !== undefined) {
    reportEvent(work, 'Normal', 'SuccessfulCreate', `Created pod: ${created.metadata.name ?? ''}`);
    return true;
  }
  reportEvent(work, 'Warning', 'FailedCreate', `Error creating: ${lastRefusal(life.world)}`);
  life.look(daemonSetController, key, 15_000);
  return false;
}

/** Creates missing daemons, and deletes surplus and finished ones and those that may not stay. */
function manage(work: Work): void {
  const { life, set } = work;
  const byNode = new Map<string, Obj[]>();
  for (const pod of podsOf(work)) byNode.set(nodeFor(pod), [...(byNode.get(nodeFor(pod)) ?? []), pod]);
  for (const node of nodesOf(work)) {
    const name = node.metadata.name ?? '';
    const pods = byNode.get(name) ?? [];
    byNode.delete(name);
    const { run, stay } = shouldRun(node, set);
    const staying = pods.filter((pod) => !isStopping(pod));
    const ended = staying.filter((pod) => ['Failed', 'Succeeded'].includes(str(at(pod, 'status', 'phase'))));
    for (const pod of ended) {
      const failed = at(pod, 'status', 'phase') === 'Failed';
      const message = `Found ${failed ? 'failed' : 'succeeded'} daemon pod ${set.metadata.namespace ?? ''}/${pod.metadata.name ?? ''} on node ${name}, will try to ${failed ? 'kill' : 'delete'} it`;
      if (failed) reportEvent(work, 'Warning', 'FailedDaemonPod', message);
      else reportEvent(work, 'Normal', 'SucceededDaemonPod', message);
      dismiss(work, pod);
    }
    const running = staying.filter((pod) => !ended.includes(pod));
    if (!stay) for (const pod of running) dismiss(work, pod);
    else if (run && pods.length === 0 && !launch(work, name)) return;
    else if (run) {
      // Two pods may exist only while one replaces the other.
      const same = (current: boolean) => running.filter((pod) => isCurrent(pod, work) === current);
      for (const pod of [...same(true).slice(1), ...same(false).slice(1)]) dismiss(work, pod);
    }
  }
  // Deletes the daemons of deleted nodes.
  for (const pods of byNode.values())
    for (const pod of pods) if (!isStopping(pod)) remove(life.world, '/pods', pod, 0);
}

/**
 * Replaces daemons of an earlier revision: deletes first within `maxUnavailable`, or creates first within
 * `maxSurge`.
 */
function roll(work: Work): void {
  const { set } = work;
  const rolling = rec(at(set, 'spec', 'updateStrategy', 'rollingUpdate'));
  const nodes = nodesOf(work).filter((node) => shouldRun(node, set).run);
  const surge = fractionOf(rolling['maxSurge'], nodes.length, true);
  const unavailable = fractionOf(rolling['maxUnavailable'] ?? 1, nodes.length, true);
  const pods = podsOf(work);
  const on = (node: Obj) => pods.filter((pod) => nodeFor(pod) === node.metadata.name);
  const isThere = (pod: Obj) => !isStopping(pod) && untilAvailable(pod, work) === 0;
  if (surge > 0) {
    let room = surge - nodes.filter((node) => on(node).length > 1).length;
    for (const node of nodes) {
      const old = on(node).find((pod) => !isCurrent(pod, work) && !isStopping(pod));
      const fresh = on(node).find((pod) => isCurrent(pod, work));
      if (old === undefined) continue;
      if (fresh !== undefined) {
        if (isThere(fresh)) dismiss(work, old);
      } else if (!isReady(old)) dismiss(work, old);
      else if (room > 0 && launch(work, node.metadata.name ?? '')) room -= 1;
    }
    return;
  }
  let room = Math.max(1, unavailable) - nodes.filter((node) => !on(node).some(isThere)).length;
  for (const node of nodes) {
    const old = on(node).find((pod) => !isCurrent(pod, work) && !isStopping(pod));
    if (old === undefined) continue;
    // An unavailable pod does not use up the budget.
    if (!isThere(old)) dismiss(work, old);
    else if (room > 0) {
      dismiss(work, old);
      room -= 1;
    }
  }
}

function summarise(work: Work): void {
  const { set, key, life } = work;
  const pods = podsOf(work);
  const numbers = { current: 0, misscheduled: 0, desired: 0, ready: 0, updated: 0, available: 0 };
  let nextCheck = Number.POSITIVE_INFINITY;
  for (const node of nodesOf(work)) {
    const nodePods = pods.filter((pod) => nodeFor(pod) === node.metadata.name);
    if (!shouldRun(node, set).run) {
      if (nodePods.length > 0) numbers.misscheduled += 1;
      continue;
    }
    numbers.desired += 1;
    if (nodePods.length === 0) continue;
    numbers.current += 1;
    const newest = nodePods.find((pod) => isCurrent(pod, work));
    if (newest !== undefined) numbers.updated += 1;
    const ready = nodePods.filter((pod) => isReady(pod) && !isStopping(pod));
    if (ready.length === 0) continue;
    numbers.ready += 1;
    const wait = Math.min(...ready.map((pod) => untilAvailable(pod, work)));
    if (wait === 0) numbers.available += 1;
    else nextCheck = Math.min(nextCheck, wait);
  }
  if (Number.isFinite(nextCheck)) life.look(daemonSetController, key, nextCheck + 20);
  const missing = numbers.desired - numbers.available;
  putStatus(life.world, storage, set, {
    currentNumberScheduled: numbers.current,
    numberMisscheduled: numbers.misscheduled,
    desiredNumberScheduled: numbers.desired,
    numberReady: numbers.ready,
    observedGeneration: set.metadata.generation ?? 1,
    ...(numbers.updated === 0 ? {} : { updatedNumberScheduled: numbers.updated }),
    ...(numbers.available === 0 ? {} : { numberAvailable: numbers.available }),
    ...(missing <= 0 ? {} : { numberUnavailable: missing }),
  });
}
