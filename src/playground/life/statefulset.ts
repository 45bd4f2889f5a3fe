import { at, type Obj, rec, str } from '../kit/values.ts';
import { adopt, ownerKeys } from './adopt.ts';
import { claimVolumes, makeClaims, tieClaims } from './claims.ts';
import type { Controller, Life } from './engine.ts';
import {
  forgetRevisions,
  liveRevisions,
  currentRevision,
  revisionLabel,
  revisionsOf,
  templateOf,
} from './history.ts';
import { createPod } from './pods.ts';
import { fractionOf } from './rollout.ts';
import { isReady, lastRefusal, putStatus, readySince, remove, report } from './write.ts';

const storage = 'apps/statefulsets';
const component = 'statefulset-controller';

/** Maintains a StatefulSet's numbered pods with their claims, in order. */
export const statefulSetController: Controller = {
  name: component,
  interested: ({ storage: changedStorage, key, before, after }, life) => {
    if (changedStorage === storage) return [key];
    return changedStorage === '/pods' ? ownerKeys(life, after ?? before, 'StatefulSet', storage) : [];
  },
  reconcile: (key, life) => {
    const set = life.world.store.get(storage, key);
    if (set === undefined) return;
    adopt(life, set, '/pods', (pod) => ordinalOf(pod, set) >= 0);
    const update = currentRevision(set, 'StatefulSet', life);
    if (update === undefined) return;
    const currentName = str(at(set, 'status', 'currentRevision'));
    const current = revisionsOf(set, life).find((item) => item.metadata.name === currentName) ?? update;
    const work: Work = { set, key, life, current, update };
    if (set.metadata.deletionTimestamp === undefined) {
      if (manage(work)) roll(work);
      const live = [...liveRevisions(podsOf(set, life)), nameOf(current), nameOf(update)];
      forgetRevisions(set, new Set(live), life);
    }
    summarise(work);
  },
};

interface Work {
  readonly set: Obj;
  readonly key: string;
  readonly life: Life;
  /** Revisions of the pods: the current one, and the one of the update. */
  readonly current: Obj;
  readonly update: Obj;
}

const nameOf = (object: Obj) => object.metadata.name ?? '';
const isStopping = (pod: Obj) => pod.metadata.deletionTimestamp !== undefined;
const phaseOf = (pod: Obj) => at(pod, 'status', 'phase');
const revisionOf = (pod: Obj) => pod.metadata.labels?.[revisionLabel];
const isOrdered = (set: Obj) => at(set, 'spec', 'podManagementPolicy') !== 'Parallel';
const wantedOf = (set: Obj) => Number(at(set, 'spec', 'replicas') ?? 1);
const startOf = (set: Obj) => Number(at(set, 'spec', 'ordinals', 'start') ?? 0);
const partitionOf = (set: Obj) =>
  Number(at(set, 'spec', 'updateStrategy', 'rollingUpdate', 'partition') ?? 0);

function ordinalOf(pod: Obj, set: Obj): number {
  const name = nameOf(pod);
  const rest = name.startsWith(`${nameOf(set)}-`) ? name.slice(nameOf(set).length + 1) : '';
  return /^\d+$/.test(rest) ? Number(rest) : -1;
}

const podsOf = (set: Obj, life: Life): Obj[] =>
  life.children.of(set.metadata.uid, '/pods').sort((a, b) => ordinalOf(a, set) - ordinalOf(b, set));

function reportEvent({ set, life }: Work, type: 'Normal' | 'Warning', reason: string, message: string): void {
  report(life.world, set, { type, reason, message, component });
}

/** Milliseconds until a ready pod counts as available; 0 when it does, infinite when it is not ready. */
function untilAvailable(pod: Obj, { set, life }: Work): number {
  const since = readySince(pod);
  if (since === undefined) return Number.POSITIVE_INFINITY;
  const wait = Number(at(set, 'spec', 'minReadySeconds') ?? 0) * 1000;
  return Math.max(0, since + wait - life.world.clock.now());
}

const isHealthy = (pod: Obj, work: Work) =>
  phaseOf(pod) === 'Running' && !isStopping(pod) && untilAvailable(pod, work) === 0;

/** Creates missing pods and deletes surplus ones. Returns whether an update may proceed. */
function manage(work: Work): boolean {
  const { set, life } = work;
  const [start, ordered] = [startOf(set), isOrdered(set)];
  const end = start + wantedOf(set);
  const pods = podsOf(set, life);
  for (let ordinal = start; ordinal < end; ordinal++) {
    const pod = pods.find((item) => ordinalOf(item, set) === ordinal);
    if (pod === undefined) {
      makePod(work, ordinal);
      if (ordered) return false;
      continue;
    }
    if (phaseOf(pod) === 'Failed' || phaseOf(pod) === 'Succeeded') {
      if (!isStopping(pod)) replaceEnded(work, pod);
      if (ordered) return false;
      continue;
    }
    if (phaseOf(pod) === 'Pending') makeClaims(set, nameOf(pod), life);
    tieClaims(set, pod, false, life);
    if (ordered && !isHealthy(pod, work)) return false;
  }
  const surplus = pods.filter((pod) => ordinalOf(pod, set) < start || ordinalOf(pod, set) >= end).reverse();
  for (const pod of surplus) tieClaims(set, pod, true, life);
  for (const pod of surplus) {
    if (isStopping(pod)) {
      if (ordered) return false;
      continue;
    }
    dismiss(work, pod);
    if (ordered) return false;
  }
  return true;
}

function replaceEnded(work: Work, pod: Obj): void {
  const { namespace = '' } = work.set.metadata;
  const failed = phaseOf(pod) === 'Failed';
  const message = `StatefulSet ${namespace}/${nameOf(work.set)} is recreating ${failed ? 'failed' : 'terminated'} Pod ${nameOf(pod)}`;
  if (failed) reportEvent(work, 'Warning', 'RecreatingFailedPod', message);
  else reportEvent(work, 'Normal', 'RecreatingTerminatedPod', message);
  dismiss(work, pod);
}

function dismiss(work: Work, pod: Obj): void {
  remove(work.life.world, '/pods', pod);
  const message = `Delete Pod ${nameOf(pod)} in StatefulSet ${nameOf(work.set)} successful`;
  reportEvent(work, 'Normal', 'SuccessfulDelete', message);
}

function makePod(work: Work, ordinal: number): void {
  const { set, key, life, current, update } = work;
  // Pods below the partition keep the current revision, even when they are recreated.
  const rolls = at(set, 'spec', 'updateStrategy', 'type') !== 'OnDelete';
  const revision = rolls && ordinal < startOf(set) + partitionOf(set) ? current : update;
  const name = `${nameOf(set)}-${ordinal}`;
  const volumes = claimVolumes(set, name);
  const serviceName = str(at(set, 'spec', 'serviceName'));
  const created =
    makeClaims(set, name, life) &&
    createPod(life, set, {
      name,
      template: templateOf(revision),
      labels: {
        'apps.kubernetes.io/pod-index': String(ordinal),
        [revisionLabel]: nameOf(revision),
        'statefulset.kubernetes.io/pod-name': name,
      },
      spec: {
        hostname: name,
        ...(serviceName === '' ? {} : { subdomain: serviceName }),
        ...(volumes.length === 0 ? {} : { volumes }),
      },
    }) !== undefined;
  const podText = `Create Pod ${name} in StatefulSet ${nameOf(set)}`;
  if (created) {
    reportEvent(work, 'Normal', 'SuccessfulCreate', `${podText} successful`);
    return;
  }
  reportEvent(work, 'Warning', 'FailedCreate', `${podText} failed error: ${lastRefusal(life.world)}`);
  life.look(statefulSetController, key, 15_000);
}

/** Replaces pods of the other revision from last to first, waiting for each to become available. */
function roll(work: Work): void {
  const { set, life, update } = work;
  if (at(set, 'spec', 'updateStrategy', 'type') === 'OnDelete') return;
  const firstOrdinal = startOf(set) + partitionOf(set);
  const maxUnavailable = at(set, 'spec', 'updateStrategy', 'rollingUpdate', 'maxUnavailable') ?? 1;
  let missing = Math.max(1, fractionOf(maxUnavailable, wantedOf(set), true));
  for (const pod of podsOf(set, life).reverse()) {
    if (ordinalOf(pod, set) < firstOrdinal || missing === 0) return;
    if (revisionOf(pod) !== nameOf(update) && !isStopping(pod)) {
      dismiss(work, pod);
      missing -= 1;
    } else if (!isHealthy(pod, work)) missing -= 1;
  }
}

function summarise(work: Work): void {
  const { set, key, life, current, update } = work;
  const pods = podsOf(set, life).filter((pod) => phaseOf(pod) !== 'Failed' && phaseOf(pod) !== 'Succeeded');
  const staying = pods.filter((pod) => !isStopping(pod));
  const ready = staying.filter(isReady);
  const waits = ready.map((pod) => untilAvailable(pod, work));
  const nextCheck = Math.min(...waits.filter((wait) => wait > 0));
  if (Number.isFinite(nextCheck)) life.look(statefulSetController, key, nextCheck + 20);
  const of = (revision: Obj) => staying.filter((pod) => revisionOf(pod) === nameOf(revision)).length;
  const wanted = wantedOf(set);
  const complete =
    at(set, 'spec', 'updateStrategy', 'type') !== 'OnDelete' &&
    of(update) === wanted &&
    ready.length === wanted &&
    pods.length === wanted;
  const now = complete ? update : current;
  const onCurrent = of(now);
  putStatus(life.world, storage, set, {
    observedGeneration: set.metadata.generation ?? 1,
    replicas: pods.length,
    ...(ready.length === 0 ? {} : { readyReplicas: ready.length }),
    ...(onCurrent === 0 ? {} : { currentReplicas: onCurrent }),
    ...(of(update) === 0 ? {} : { updatedReplicas: of(update) }),
    currentRevision: nameOf(now),
    updateRevision: nameOf(update),
    collisionCount: Number(rec(set['status'])['collisionCount'] ?? 0),
    availableReplicas: waits.filter((wait) => wait === 0).length,
  });
}
