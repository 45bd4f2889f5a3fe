import { imagesOf } from '../../src/kube/apps.ts';
import {
  copyName,
  type Job,
  jobCompletions,
  jobCopy,
  jobHealth,
  jobRun,
  type JobSpec,
} from '../../src/kube/batch.ts';
import { epochSeconds } from '../../src/kube/age.ts';
import { collectionPath } from '../../src/kube/change.ts';
import { formatSelector } from '../../src/kube/format-selector.ts';
import { isSetAnew } from '../../src/registry/kinds/destructive-change.ts';
import { defineKind, type KindStatus } from '../../src/registry/kinds/kind.ts';
import { type KindAction, kindAction, lowers } from '../../src/registry/kinds/kind-action.ts';
import { podSpecUses } from './parts/pod-spec.ts';
import { suspendActions } from './parts/suspend-actions.ts';
import { blockedAttention } from './parts/warnings.ts';
import { imagesColumn, ownerColumn } from './parts/workload.ts';

const states: Readonly<Record<ReturnType<typeof jobHealth>['state'], KindStatus>> = {
  complete: { tone: 'idle', label: 'Complete' },
  failed: { tone: 'bad', label: 'Failed' },
  failing: { tone: 'bad', label: 'FailureTarget' },
  completing: { tone: 'info', label: 'SuccessCriteriaMet' },
  suspended: { tone: 'idle', label: 'Suspended' },
  retrying: { tone: 'warn', label: 'Retrying' },
  running: { tone: 'info', label: 'Running' },
  waiting: { tone: 'info', label: 'Waiting' },
};

/** The reasons of a failed job in words. */
const endings: Readonly<Record<string, string>> = {
  BackoffLimitExceeded: 'its pods failed more often than it may try again',
  DeadlineExceeded: 'it ran longer than its deadline',
  PodFailurePolicy: 'a pod ended in a way that its policy counts as final',
  FailedIndexes: 'some of its indexes failed',
  MaxFailedIndexesExceeded: 'more of its indexes failed than may',
};

/** The sentence for a job that failed, or is about to: its pods are ended first. */
function failureTitle(reason: string | undefined, isOver: boolean): string {
  const why = Object.hasOwn(endings, reason ?? '') ? `: ${endings[reason ?? '']}` : '';
  return isOver ? `The job failed${why}.` : `The job is failing${why}. Its pods are ending.`;
}

/** The sentence for a job of which pods failed, and which goes on. */
function retryTitle(failed: number, { backoffLimit = 6, backoffLimitPerIndex }: JobSpec): string {
  const most = backoffLimitPerIndex ?? backoffLimit;
  const each = backoffLimitPerIndex === undefined ? '' : ' for each index';
  return most === 0
    ? `${failed} of its pods failed so far; it does not try again${each}.`
    : `${failed} of its pods failed so far; it tries again up to ${most} ${most === 1 ? 'time' : 'times'}${each}.`;
}

/** When a job started and ended; null before it started. */
function durationOf(object: Job): readonly [number, number | null] | null {
  const run = jobRun(object);
  const from = epochSeconds(run?.from);
  return from === null ? null : [from, epochSeconds(run?.until)];
}

/** Whether the outcome of a job is decided. */
const isOver = (object: Job) =>
  ['complete', 'failed', 'failing', 'completing'].includes(jobHealth(object).state);

const rerun: KindAction = kindAction<Job>({
  id: 'job.rerun',
  title: 'Run again',
  description: 'Starts a copy of the job under a new name.',
  done: 'started once more',
  icon: 'run',
  keywords: ['trigger', 'rerun', 'start'],
  prominent: true,
  creates: true,
  endsPods: false,
  requests: (object, _args, { address, now }) => [
    {
      method: 'POST',
      path: collectionPath(address, address.namespace),
      body: jobCopy(object, copyName(address.name, 'again', now)),
    },
  ],
  // kubectl has no equivalent.
  kubectl: () => undefined,
});

export const job = defineKind<Job>({
  id: 'job',
  kind: 'Job',
  group: 'batch',
  version: 'v1',
  plural: 'jobs',
  scope: 'Namespaced',
  aliases: ['jo', 'jobs'],
  title: 'Jobs',
  icon: 'job',
  permissions: { view: 'namespaces.view', manage: 'cronjobs.manage' },
  paths: {
    list: '/clusters/:clusterId/jobs',
    // The specification has a path for the list of jobs, but none for a job.
    detail: ['/clusters/:clusterId/namespaces/:namespaceName/objects/batch/jobs/:jobName'],
  },
  sidebar: { section: 'Resources', order: 50, keys: 'g j' },
  status: (object) => states[jobHealth(object).state],
  statuses: [{ label: 'Failed' }, { label: 'Suspended' }],
  attention: (object, around) => {
    const { state, failed, reason, message, since } = jobHealth(object);
    if (state === 'failed') {
      const at = epochSeconds(since);
      return {
        rule: 'job.failed',
        tone: 'bad',
        isHard: true,
        isEvent: true,
        title: failureTitle(reason, true),
        action: 'job.rerun',
        ...(message === undefined ? {} : { detail: message }),
        ...(at === null ? {} : { since: at }),
      };
    }
    if (state === 'failing') {
      const at = epochSeconds(since);
      return {
        rule: 'job.failing',
        tone: 'bad',
        isHard: true,
        title: failureTitle(reason, false),
        ...(message === undefined ? {} : { detail: message }),
        ...(at === null ? {} : { since: at }),
      };
    }
    if (state === 'waiting') return blockedAttention('job', around, true);
    if (state !== 'retrying') return undefined;
    return {
      rule: 'job.retrying',
      tone: 'warn',
      title: retryTitle(failed, object.spec ?? {}),
      action: 'job.suspend',
    };
  },
  around: ['warnings'],
  rules: ['job.blocked', 'job.failed', 'job.failing', 'job.retrying'],
  columns: [
    'namespace',
    'name',
    { id: 'completions', label: 'Done', format: 'ratio', value: jobCompletions },
    'status',
    { id: 'duration', label: 'Duration', format: 'duration', dropAt: 3, value: durationOf },
    { ...ownerColumn, label: 'Started by', dropAt: 4 },
    { ...imagesColumn, value: ({ spec }) => imagesOf(spec?.template), wide: true },
    'labels',
    'age',
  ],
  facts: (object) => ({
    isSuspended: object.spec?.suspend === true,
    isOver: isOver(object),
    images: imagesOf(object.spec?.template),
  }),
  refs: (object) => podSpecUses(object.spec?.template?.spec, object.metadata?.namespace),
  owns: ['pod'],
  logs: 'pods',
  pods: (object) => object.spec?.selector,
  podNames: ['index', 'chance'],
  sections: [
    {
      title: 'Spec',
      fields: [
        {
          label: 'Images',
          format: 'mono',
          value: ({ spec }) => imagesOf(spec?.template),
          links: { to: 'image' },
        },
        {
          label: 'Pods',
          format: 'text',
          value: ({ status = {} }) =>
            `${status.active ?? 0} active, ${status.succeeded ?? 0} succeeded, ${status.failed ?? 0} failed`,
        },
        { label: 'Started', format: 'age', value: (object) => epochSeconds(jobRun(object)?.from) },
        { label: 'Ended', format: 'age', value: (object) => epochSeconds(jobRun(object)?.until) },
        { label: 'Duration', format: 'duration', value: durationOf },
        { label: 'Completions', format: 'number', value: ({ spec }) => spec?.completions ?? null },
        { label: 'Parallelism', format: 'number', value: ({ spec }) => spec?.parallelism ?? 1 },
        {
          label: 'Completion mode',
          format: 'text',
          value: ({ spec }) => spec?.completionMode ?? 'NonIndexed',
        },
        {
          label: 'Completed indexes',
          format: 'mono',
          value: ({ status }) => status?.completedIndexes ?? null,
        },
        {
          label: 'Tries',
          format: 'text',
          value: ({ spec }) => `${spec?.backoffLimit ?? 6} more after a failure`,
        },
        {
          label: 'Deadline',
          format: 'text',
          value: ({ spec }) =>
            spec?.activeDeadlineSeconds === undefined ? null : `${spec.activeDeadlineSeconds} s`,
        },
        {
          label: 'Kept',
          format: 'text',
          value: ({ spec }) =>
            spec?.ttlSecondsAfterFinished === undefined
              ? null
              : `${spec.ttlSecondsAfterFinished} s after its end`,
        },
        { label: 'Selector', format: 'mono', value: ({ spec }) => formatSelector(spec?.selector) || null },
        {
          label: 'Account',
          format: 'text',
          value: ({ spec }) => spec?.template?.spec?.serviceAccountName ?? 'default',
          links: { to: 'named', kind: 'serviceaccount' },
        },
      ],
    },
    'conditions',
    'containers',
    'pods',
    'related',
    'metadata',
    'events',
    'yaml',
  ],
  endsBy: ({ spec: before }, { spec: after }) =>
    (after?.suspend === true && before?.suspend !== true) ||
    lowers(after?.parallelism ?? 1, before?.parallelism ?? 1) ||
    isSetAnew(before, after, 'ttlSecondsAfterFinished') ||
    isSetAnew(before, after, 'activeDeadlineSeconds'),
  actions: [
    rerun,
    ...suspendActions({
      kindId: 'job',
      suspend: 'Ends the pods of the job and starts none until it is resumed.',
      resume: 'Lets the job start pods again.',
      endsPods: true,
      applies: ({ facts }) => facts['isOver'] !== true,
    }),
  ],
});
