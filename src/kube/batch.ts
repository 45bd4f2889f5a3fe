import type { PodTemplate } from './apps.ts';
import type { Condition, KubeObject, ObjectMeta } from './object.ts';
import type { LabelSelector } from './selector.ts';

/** The parts of batch/v1 that the console reads. */
export interface JobSpec {
  parallelism?: number;
  completions?: number;
  completionMode?: string;
  backoffLimit?: number;
  activeDeadlineSeconds?: number;
  ttlSecondsAfterFinished?: number;
  suspend?: boolean;
  manualSelector?: boolean;
  selector?: LabelSelector;
  template?: PodTemplate;
}

export interface Job extends KubeObject {
  spec?: JobSpec;
  status?: {
    active?: number;
    ready?: number;
    succeeded?: number;
    failed?: number;
    completedIndexes?: string;
    startTime?: string;
    completionTime?: string;
    conditions?: Condition[];
  };
}

export interface CronJob extends KubeObject {
  spec?: {
    schedule?: string;
    timeZone?: string;
    suspend?: boolean;
    concurrencyPolicy?: string;
    startingDeadlineSeconds?: number;
    successfulJobsHistoryLimit?: number;
    failedJobsHistoryLimit?: number;
    jobTemplate?: { metadata?: ObjectMeta; spec?: JobSpec };
  };
  status?: {
    active?: { apiVersion?: string; kind?: string; namespace?: string; name?: string }[];
    lastScheduleTime?: string;
    lastSuccessfulTime?: string;
  };
}

/** How far a job is. */
export interface JobHealth {
  readonly state: 'complete' | 'failed' | 'suspended' | 'retrying' | 'running' | 'waiting';
  readonly succeeded: number;
  readonly failed: number;
  readonly active: number;
  /** Pods that must succeed; undefined: one is enough, however many run beside it. */
  readonly completions: number | undefined;
  /** Of the condition that ended it. */
  readonly reason: string | undefined;
  readonly message: string | undefined;
  /** When it ended, ISO. */
  readonly since: string | undefined;
}

/** Reads a job by its conditions, which are what its controller has decided, then by its counts. */
export function jobHealth({ spec = {}, status = {} }: Job): JobHealth {
  const { succeeded = 0, failed = 0, active = 0, conditions = [] } = status;
  const holds = (type: string) => conditions.find((one) => one.type === type && one.status === 'True');
  const of = (state: JobHealth['state'], by?: Condition): JobHealth => ({
    state,
    succeeded,
    failed,
    active,
    completions: spec.completions,
    reason: by?.reason,
    message: by?.message,
    since: by?.lastTransitionTime,
  });
  const [complete, broken] = [holds('Complete'), holds('Failed')];
  if (complete !== undefined) return of('complete', complete);
  if (broken !== undefined) return of('failed', broken);
  if (spec.suspend === true) return of('suspended', holds('Suspended'));
  if (failed > 0) return of('retrying');
  return of(active > 0 ? 'running' : 'waiting');
}

/** Succeeded pods of those that must: `2/5`, as kubectl counts them; `0/1 of 3` is written `0/1`. */
export function jobCompletions({ spec = {}, status = {} }: Job): string {
  const { succeeded = 0 } = status;
  return `${succeeded}/${spec.completions ?? 1}`;
}

/** How long a job has run or ran: from and until, ISO; undefined before it began. */
export function jobRun({ status = {} }: Job): { readonly from: string; readonly until?: string } | undefined {
  const { startTime, completionTime, conditions = [] } = status;
  if (startTime === undefined) return undefined;
  const until =
    completionTime ??
    conditions.find((one) => one.type === 'Failed' && one.status === 'True')?.lastTransitionTime;
  return { from: startTime, ...(until === undefined ? {} : { until }) };
}

/** Labels and annotations that controllers give a job or its pods; a copy must not bring them along. */
const ownLabels = [
  'controller-uid',
  'job-name',
  'batch.kubernetes.io/controller-uid',
  'batch.kubernetes.io/job-name',
];
/** Annotation with which kubectl marks a job that somebody started from a cron job. */
export const instantiateAnnotation = 'cronjob.kubernetes.io/instantiate';
const passing = ['kubectl.kubernetes.io/last-applied-configuration', 'batch.kubernetes.io/job-tracking'];

const without = (entries: Record<string, string> | undefined, keys: readonly string[]) =>
  Object.fromEntries(Object.entries(entries ?? {}).filter(([key]) => !keys.includes(key)));

/** A name for a copy that nobody else takes: the first one shortened, and the second it was made in. */
export function copyName(name: string, verb: string, now: string): string {
  const stamp = Math.floor(Date.parse(now) / 1000).toString(36);
  const stem = name.slice(0, 63 - stamp.length - verb.length - 2).replace(/[^a-z0-9]+$/, '');
  return `${stem}-${verb}-${stamp}`;
}

/** A job like another one, to run it again: nothing that its controller added, never suspended. */
export function jobCopy(job: Job, name: string): Job {
  const { metadata = {}, spec = {} } = job;
  const { selector, manualSelector, suspend: _suspend, template = {}, ...rest } = spec;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      labels: without(metadata.labels, ownLabels),
      annotations: without(metadata.annotations, passing),
    },
    spec: {
      ...rest,
      // One that was written by hand is meant; any other is made anew.
      ...(manualSelector === true && selector !== undefined ? { manualSelector, selector } : {}),
      template: {
        ...template,
        metadata: { ...template.metadata, labels: without(template.metadata?.labels, ownLabels) },
      },
    },
  };
}

/** The job that a cron job would start now, as `kubectl create job --from=cronjob/…` writes it. */
export function jobFrom(cron: CronJob, name: string): Job {
  const { metadata = {}, spec = {} } = cron;
  const { metadata: template = {}, spec: jobSpec = {} } = spec.jobTemplate ?? {};
  const { namespace, name: owner, uid } = metadata;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...template.labels },
      annotations: { ...template.annotations, [instantiateAnnotation]: 'manual' },
      ...(owner === undefined || uid === undefined
        ? {}
        : {
            ownerReferences: [
              { apiVersion: 'batch/v1', kind: 'CronJob', name: owner, uid, controller: true },
            ],
          }),
    },
    spec: jobSpec,
  };
}
