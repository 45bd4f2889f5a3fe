import type { PodTemplate } from './apps.ts';
import type { Condition, KubeObject, ObjectMeta } from './object.ts';
import type { LabelSelector } from './selector.ts';

/** The parts of batch/v1 that the console reads. */
export interface JobSpec {
  parallelism?: number;
  completions?: number;
  completionMode?: string;
  backoffLimit?: number;
  backoffLimitPerIndex?: number;
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

/** The progress of a job. */
export interface JobHealth {
  readonly state:
    | 'complete'
    | 'failed'
    /** Decided to fail or to succeed; its pods are ending. */
    | 'failing'
    | 'completing'
    | 'suspended'
    | 'retrying'
    | 'running'
    | 'waiting';
  readonly succeeded: number;
  readonly failed: number;
  readonly active: number;
  /** Pods that must succeed; undefined if one success is enough, whatever the parallelism. */
  readonly completions: number | undefined;
  /** Reason of the condition that ended, or is ending, the job. */
  readonly reason: string | undefined;
  readonly message: string | undefined;
  /** End time, ISO. */
  readonly since: string | undefined;
}

/** The progress of a job by its conditions, in which the controller states its decision, then by its counts. */
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
  const [target, success] = [holds('FailureTarget'), holds('SuccessCriteriaMet')];
  if (target !== undefined) return of('failing', target);
  if (success !== undefined) return of('completing', success);
  if (spec.suspend === true) return of('suspended', holds('Suspended'));
  if (failed > 0) return of('retrying');
  return of(active > 0 ? 'running' : 'waiting');
}

/** Succeeded pods of the required ones as kubectl counts them: `2/5`; kubectl's `0/1 of 3` becomes `0/1`. */
export function jobCompletions({ spec = {}, status = {} }: Job): string {
  const { succeeded = 0 } = status;
  return `${succeeded}/${spec.completions ?? 1}`;
}

/** When a job started and ended, ISO; undefined before it started. */
export function jobRun({ status = {} }: Job): { readonly from: string; readonly until?: string } | undefined {
  const { startTime, completionTime, conditions = [] } = status;
  if (startTime === undefined) return undefined;
  const until =
    completionTime ??
    conditions.find((one) => one.type === 'Failed' && one.status === 'True')?.lastTransitionTime;
  return { from: startTime, ...(until === undefined ? {} : { until }) };
}

/** Labels and annotations that controllers add to a job or its pods; a copy must not have them. */
const ownLabels = [
  'controller-uid',
  'job-name',
  'batch.kubernetes.io/controller-uid',
  'batch.kubernetes.io/job-name',
];
/** Annotation by which kubectl marks a job that was created from a cron job by hand. */
export const instantiateAnnotation = 'cronjob.kubernetes.io/instantiate';
const passing = ['kubectl.kubernetes.io/last-applied-configuration', 'batch.kubernetes.io/job-tracking'];

const without = (entries: Record<string, string> | undefined, keys: readonly string[]) =>
  Object.fromEntries(Object.entries(entries ?? {}).filter(([key]) => !keys.includes(key)));

/** A unique name for a copy: the shortened original name and a suffix from the current second. */
export function copyName(name: string, verb: string, now: string): string {
  const stamp = Math.floor(Date.parse(now) / 1000).toString(36);
  const stem = name.slice(0, 63 - stamp.length - verb.length - 2).replace(/[^a-z0-9]+$/, '');
  return `${stem}-${verb}-${stamp}`;
}

/** A copy of a job to run it again, without what its controller added, and never suspended. */
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
      // A selector written by hand is kept; the controller generates any other anew.
      ...(manualSelector === true && selector !== undefined ? { manualSelector, selector } : {}),
      template: {
        ...template,
        metadata: { ...template.metadata, labels: without(template.metadata?.labels, ownLabels) },
      },
    },
  };
}

/** The job that a cron job would start now, as `kubectl create job --from=cronjob/…` creates it. */
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
