import { controllerOf } from '../../kube/owners.ts';
import { at, type Obj, type Rec, rec, recs, str } from '../kit/values.ts';
import type { Life } from './engine.ts';
import { dropFinalizer } from './garbage.ts';
import { createPod } from './pods.ts';

/** Finalizer that keeps a job's pod until it has been counted. */
export const tracking = 'batch.kubernetes.io/job-tracking';
export const indexNote = 'batch.kubernetes.io/job-completion-index';

export const phaseOf = (pod: Obj): unknown => at(pod, 'status', 'phase');
export const isIndexed = (job: Obj): boolean => at(job, 'spec', 'completionMode') === 'Indexed';

/** The index of an indexed job's pod; -1 without one. */
export function indexOf(pod: Obj): number {
  const noted = pod.metadata.annotations?.[indexNote] ?? '';
  return /^\d+$/.test(noted) ? Number(noted) : -1;
}

const hasEnded = (pod: Obj) => phaseOf(pod) === 'Succeeded' || phaseOf(pod) === 'Failed';

/** Whether a pod is being deleted and has not ended yet. */
export const isStopping = (pod: Obj): boolean =>
  pod.metadata.deletionTimestamp !== undefined && !hasEnded(pod);

/** Whether a job replaces a pod only after it failed, not when its deletion begins. */
export const replacesFailedOnly = (job: Obj): boolean =>
  at(job, 'spec', 'podReplacementPolicy') === 'Failed' || at(job, 'spec', 'podFailurePolicy') !== undefined;

/** Whether a job counts a pod as failed. One that is being deleted may never reach the phase. */
export const hasFailed = (pod: Obj, job: Obj): boolean =>
  phaseOf(pod) === 'Failed' ||
  (!replacesFailedOnly(job) && pod.metadata.deletionTimestamp !== undefined && phaseOf(pod) !== 'Succeeded');

/** Whether a pod has not been counted yet. */
export const isTracked = (pod: Obj): boolean => (pod.metadata.finalizers ?? []).includes(tracking);

/**
 * Time at which a pod ended, ms: that of its last container, else of its last readiness change, else of its
 * deletion, else of its creation.
 */
export function endedAt(pod: Obj): number {
  const ends = recs(at(pod, 'status', 'containerStatuses')).map((item) =>
    Date.parse(str(at(item, 'state', 'terminated', 'finishedAt'))),
  );
  if (ends.length > 0 && ends.every((time) => !Number.isNaN(time))) return Math.max(...ends);
  const ready = recs(at(pod, 'status', 'conditions')).find(
    (item) => item['type'] === 'Ready' && item['status'] === 'False',
  );
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp = '' } = pod.metadata;
  if (ready !== undefined) return Date.parse(str(ready['lastTransitionTime']));
  if (deletionTimestamp !== undefined)
    return Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
  return Date.parse(creationTimestamp);
}

/**
 * Earlier failures at a pod's index, from its annotations: counted ones, and those that the failure policy
 * ignores.
 */
export interface Failures {
  readonly counted: number;
  readonly ignored: number;
}
const failuresNote = 'batch.kubernetes.io/job-index-failure-count';
const ignoredNote = 'batch.kubernetes.io/job-index-ignored-failure-count';
const numberIn = (text: string | undefined) => (/^\d+$/.test(text ?? '') ? Number(text) : 0);

/** The failures at a pod's index before it. */
export const failuresBefore = (pod: Obj): Failures => ({
  counted: numberIn(pod.metadata.annotations?.[failuresNote]),
  ignored: numberIn(pod.metadata.annotations?.[ignoredNote]),
});

/** Removes the tracking finalizer of a counted pod. */
export function releasePod(life: Life, pod: Obj): void {
  if (isTracked(pod)) dropFinalizer(life, '/pods', pod, tracking);
}

/**
 * Removes the tracking finalizer of pods that no job will count: those of an earlier job of this key
 * ("namespace/name") that was deleted in the background, and, when there is no job, those without a controller.
 */
export function releaseLeftPods(life: Life, key: string, job: Obj | undefined): void {
  const slash = key.indexOf('/');
  for (const pod of life.world.store.list('/pods', key.slice(0, slash + 1))) {
    if (!isTracked(pod)) continue;
    const owner = controllerOf(pod);
    const isLeftBehind =
      owner === undefined
        ? job === undefined
        : owner.kind === 'Job' && owner.name === key.slice(slash + 1) && owner.uid !== job?.metadata.uid;
    if (isLeftBehind) releasePod(life, pod);
  }
}

/** Creates a pod of a job; for an indexed job at an index, with the earlier failures there. */
export function makeJobPod(
  life: Life,
  job: Obj,
  index: number | undefined,
  failures?: Failures,
): Obj | undefined {
  if (index === undefined) return createPod(life, job, { finalizers: [tracking] });
  const spec = rec(at(job, 'spec', 'template', 'spec'));
  const name = 'JOB_COMPLETION_INDEX';
  const variable = { name, valueFrom: { fieldRef: { fieldPath: `metadata.labels['${indexNote}']` } } };
  const withIndexVariable = (container: Rec): Rec => {
    const env = recs(container['env']);
    return env.some((item) => item['name'] === name) ? container : { ...container, env: [...env, variable] };
  };
  const inits = recs(spec['initContainers']);
  return createPod(life, job, {
    finalizers: [tracking],
    prefix: `${job.metadata.name ?? ''}-${index}-`,
    labels: { [indexNote]: String(index) },
    annotations: {
      [indexNote]: String(index),
      ...(failures === undefined ? {} : { [failuresNote]: String(failures.counted) }),
      ...(failures === undefined || failures.ignored === 0
        ? {}
        : { [ignoredNote]: String(failures.ignored) }),
    },
    spec: {
      containers: recs(spec['containers']).map(withIndexVariable),
      ...(inits.length === 0 ? {} : { initContainers: inits.map(withIndexVariable) }),
      hostname: str(spec['hostname']) || `${job.metadata.name ?? ''}-${index}`,
    },
  });
}

/** Formats indexes as a job's status does: "0-2,4". */
export function writeIndexes(indexes: ReadonlySet<number>): string {
  const parts: string[] = [];
  const sorted = Array.from(indexes).sort((a, b) => a - b);
  for (let start = 0; start < sorted.length; ) {
    let end = start;
    while (sorted[end + 1] === (sorted[end] ?? 0) + 1) end += 1;
    const [first, last] = [sorted[start] ?? 0, sorted[end] ?? 0];
    parts.push(first === last ? String(first) : last === first + 1 ? `${first},${last}` : `${first}-${last}`);
    start = end + 1;
  }
  return parts.join(',');
}

/** Parses the indexes in a job's status. */
export function readIndexes(text: unknown): Set<number> {
  const found = new Set<number>();
  for (const part of str(text).split(',').filter(Boolean)) {
    const [first = '', last = first] = part.split('-');
    for (let index = Number(first); index <= Number(last); index++) found.add(index);
  }
  return found;
}
