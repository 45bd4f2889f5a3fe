import { imagesOf } from '../../src/kube/apps.ts';
import { copyName, type Job, jobCompletions, jobCopy, jobHealth, jobRun } from '../../src/kube/batch.ts';
import { epochSeconds, formatAge } from '../../src/kube/age.ts';
import { collectionPath } from '../../src/kube/change.ts';
import { formatSelector } from '../../src/kube/format-selector.ts';
import { defineKind, type KindStatus } from '../../src/registry/kind.ts';
import { type KindAction, kindAction } from '../../src/registry/kind-action.ts';
import { podSpecUses } from './parts/pod-spec.ts';
import { suspendActions } from './parts/suspend-actions.ts';
import { blockedAttention } from './parts/warnings.ts';
import { imagesColumn, ownerColumn } from './parts/workload.ts';

const states: Readonly<Record<ReturnType<typeof jobHealth>['state'], KindStatus>> = {
  complete: { tone: 'idle', label: 'Complete' },
  failed: { tone: 'bad', label: 'Failed' },
  suspended: { tone: 'idle', label: 'Suspended' },
  retrying: { tone: 'warn', label: 'Retrying' },
  running: { tone: 'info', label: 'Running' },
  waiting: { tone: 'info', label: 'Waiting' },
};

/** Sentences for the reasons of a failed job. */
const endings: Readonly<Record<string, string>> = {
  BackoffLimitExceeded: 'The job failed: its pods failed more often than it may try again.',
  DeadlineExceeded: 'The job failed: it ran longer than its deadline.',
  PodFailurePolicy: 'The job failed: a pod ended in a way that its policy counts as final.',
  MaxFailedIndexesExceeded: 'The job failed: more of its indexes failed than may.',
};

/** The duration of an ended job as text; null for one that has not ended. */
function durationText(object: Job): string | null {
  const run = jobRun(object);
  if (run?.until === undefined) return null;
  return formatAge((Date.parse(run.until) - Date.parse(run.from)) / 1000);
}

const isOver = (object: Job) => ['complete', 'failed'].includes(jobHealth(object).state);

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
        title: endings[reason ?? ''] ?? 'The job failed.',
        action: 'job.rerun',
        ...(message === undefined ? {} : { detail: message }),
        ...(at === null ? {} : { since: at }),
      };
    }
    if (state === 'waiting') return blockedAttention('job', around, true);
    if (state !== 'retrying') return undefined;
    return {
      rule: 'job.retrying',
      tone: 'warn',
      title: `${failed} of its pods failed so far; it tries again up to ${object.spec?.backoffLimit ?? 6} times.`,
      action: 'job.suspend',
    };
  },
  around: ['warnings'],
  rules: ['job.blocked', 'job.failed', 'job.retrying'],
  columns: [
    'namespace',
    'name',
    { id: 'completions', label: 'Done', format: 'ratio', value: jobCompletions },
    'status',
    { id: 'duration', label: 'Duration', format: 'text', dropAt: 3, value: durationText },
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
        { label: 'Duration', format: 'text', value: durationText },
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
