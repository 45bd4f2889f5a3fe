import { at, type Obj, type Rec, rec, recs, str } from '../values.ts';
import type { Life } from './engine.ts';
import { dropFinalizer } from './garbage.ts';
import { createPod } from './pods.ts';
import { isActive } from './write.ts';

/** Keeps a job's pod until the job has counted it. */
export const tracking = 'batch.kubernetes.io/job-tracking';
export const indexNote = 'batch.kubernetes.io/job-completion-index';

export const phaseOf = (pod: Obj): unknown => at(pod, 'status', 'phase');
export const isIndexed = (job: Obj): boolean => at(job, 'spec', 'completionMode') === 'Indexed';

/** The index a pod of an indexed job works at; -1 without one. */
export function indexOf(pod: Obj): number {
  const noted = pod.metadata.annotations?.[indexNote];
  return noted === undefined ? -1 : Number(noted);
}

/** Whether a pod will do no more work: it ended, or was deleted and has stopped. */
export const isDone = (pod: Obj, now: number): boolean =>
  !isActive(pod) &&
  (phaseOf(pod) === 'Succeeded' ||
    phaseOf(pod) === 'Failed' ||
    (pod.metadata.deletionGracePeriodSeconds === 0 &&
      Date.parse(pod.metadata.deletionTimestamp ?? '') <= now));

/** When a pod's last container ended, ms; when nothing says so, when the pod was made. */
export function endedAt(pod: Obj): number {
  const ends = recs(at(pod, 'status', 'containerStatuses')).map((item) =>
    Date.parse(str(at(item, 'state', 'terminated', 'finishedAt'))),
  );
  const known = ends.filter((time) => !Number.isNaN(time));
  return known.length > 0 ? Math.max(...known) : Date.parse(pod.metadata.creationTimestamp ?? '');
}

/** Lets go of a pod that has been counted. */
export function letGo(life: Life, pod: Obj): void {
  if ((pod.metadata.finalizers ?? []).includes(tracking)) dropFinalizer(life, '/pods', pod, tracking);
}

/** Makes a pod of a job, at an index where it is an indexed one. */
export function makeJobPod(life: Life, job: Obj, index: number | undefined): Obj | undefined {
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
    annotations: { [indexNote]: String(index) },
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
