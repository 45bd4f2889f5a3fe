import { controllerOf } from '../../kube/owners.ts';
import { at, type Obj, type Rec, rec, recs, str } from '../kit/values.ts';
import type { Life } from './engine.ts';
import { dropFinalizer } from './garbage.ts';
import { createPod } from './pods.ts';

/** Keeps a job's pod until the job has counted it. */
export const tracking = 'batch.kubernetes.io/job-tracking';
export const indexNote = 'batch.kubernetes.io/job-completion-index';

export const phaseOf = (pod: Obj): unknown => at(pod, 'status', 'phase');
export const isIndexed = (job: Obj): boolean => at(job, 'spec', 'completionMode') === 'Indexed';

/** The index a pod of an indexed job works at; -1 without one. */
export function indexOf(pod: Obj): number {
  const noted = pod.metadata.annotations?.[indexNote] ?? '';
  return /^\d+$/.test(noted) ? Number(noted) : -1;
}

const hasEnded = (pod: Obj) => phaseOf(pod) === 'Succeeded' || phaseOf(pod) === 'Failed';

/** Whether a pod was asked to go and has not ended yet. */
export const isStopping = (pod: Obj): boolean =>
  pod.metadata.deletionTimestamp !== undefined && !hasEnded(pod);

/** Whether a job makes another pod only once the one before has failed, not as soon as it was asked to go. */
export const replacesFailedOnly = (job: Obj): boolean =>
  at(job, 'spec', 'podReplacementPolicy') === 'Failed' || at(job, 'spec', 'podFailurePolicy') !== undefined;

/** Whether a job takes a pod for failed. One that was asked to go may never say so itself. */
export const hasFailed = (pod: Obj, job: Obj): boolean =>
  phaseOf(pod) === 'Failed' ||
  (!replacesFailedOnly(job) && pod.metadata.deletionTimestamp !== undefined && phaseOf(pod) !== 'Succeeded');

/** Whether a pod still waits to be counted. */
export const isTracked = (pod: Obj): boolean => (pod.metadata.finalizers ?? []).includes(tracking);

/**
 * When a pod ended, ms: when its last container did, else when it was ready no more, else when it was asked to go, else
 * when it was made.
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

/** How often the pods at one index have failed before a pod, by its notes: counted, and ignored by the policy. */
export interface Failures {
  readonly counted: number;
  readonly ignored: number;
}
const failuresNote = 'batch.kubernetes.io/job-index-failure-count';
const ignoredNote = 'batch.kubernetes.io/job-index-ignored-failure-count';
const numberIn = (text: string | undefined) => (/^\d+$/.test(text ?? '') ? Number(text) : 0);

/** What a pod notes of those at its index before it. */
export const failuresBefore = (pod: Obj): Failures => ({
  counted: numberIn(pod.metadata.annotations?.[failuresNote]),
  ignored: numberIn(pod.metadata.annotations?.[ignoredNote]),
});

/** Lets go of a pod that has been counted. */
export function letGo(life: Life, pod: Obj): void {
  if (isTracked(pod)) dropFinalizer(life, '/pods', pod, tracking);
}

/**
 * Lets go of the pods that wait for nobody's count: those of an earlier job of this key ("namespace/name"), which still
 * name it as their controller after a deletion in the background, and once there is no job those nobody controls.
 */
export function letGoOfLeft(life: Life, key: string, job: Obj | undefined): void {
  const slash = key.indexOf('/');
  for (const pod of life.world.store.list('/pods', key.slice(0, slash + 1))) {
    if (!isTracked(pod)) continue;
    const owner = controllerOf(pod);
    const isLeft =
      owner === undefined
        ? job === undefined
        : owner.kind === 'Job' && owner.name === key.slice(slash + 1) && owner.uid !== job?.metadata.uid;
    if (isLeft) letGo(life, pod);
  }
}

/** Makes a pod of a job, at an index where it is an indexed one, with what is to be noted of failures there. */
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
  const told = (container: Rec): Rec => {
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
      containers: recs(spec['containers']).map(told),
      ...(inits.length === 0 ? {} : { initContainers: inits.map(told) }),
      hostname: str(spec['hostname']) || `${job.metadata.name ?? ''}-${index}`,
    },
  });
}

/** Indexes as a job's status writes them: "0-2,4". */
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

/** Reads indexes back from a job's status. */
export function readIndexes(text: unknown): Set<number> {
  const found = new Set<number>();
  for (const part of str(text).split(',').filter(Boolean)) {
    const [first = '', last = first] = part.split('-');
    for (let index = Number(first); index <= Number(last); index++) found.add(index);
  }
  return found;
}
