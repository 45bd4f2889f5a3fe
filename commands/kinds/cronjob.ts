import { imagesOf } from '../../src/kube/apps.ts';
import { epochSeconds } from '../../src/kube/age.ts';
import { copyName, type CronJob, jobFrom } from '../../src/kube/batch.ts';
import { collectionPath } from '../../src/kube/change.ts';
import { shellWord } from '../../src/kube/kubectl.ts';
import { lastEdit } from '../../src/kube/last-change.ts';
import { nextRun } from '../../src/kube/schedule.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';
import { kindAction } from '../../src/registry/kinds/kind-action.ts';
import { podSpecUses } from './parts/pod-spec.ts';
import { suspendActions } from './parts/suspend-actions.ts';
import { imagesColumn } from './parts/workload.ts';

const activeOf = ({ status }: CronJob) => status?.active?.length ?? 0;
const templateOf = ({ spec }: CronJob) => spec?.jobTemplate?.spec?.template;

/** The result of the last run; undefined while one runs, or before the first. */
function lastResult(object: CronJob): 'succeeded' | 'failed' | undefined {
  const { lastScheduleTime, lastSuccessfulTime } = object.status ?? {};
  const started = epochSeconds(lastScheduleTime);
  if (started === null || activeOf(object) > 0) return undefined;
  const succeeded = epochSeconds(lastSuccessfulTime);
  return succeeded !== null && succeeded >= started ? 'succeeded' : 'failed';
}

const results = { succeeded: ['Succeeded', 'ok'], failed: ['Did not succeed', 'warn'] } as const;

const run = kindAction<CronJob>({
  id: 'cronjob.run',
  title: 'Run now',
  description: 'Starts a job from it at once, besides its schedule.',
  done: 'started',
  icon: 'run',
  keywords: ['trigger', 'start', 'run', 'execute'],
  prominent: true,
  creates: true,
  endsPods: false,
  requests: (object, _args, { address, now }) => [
    {
      method: 'POST',
      path: collectionPath({ ...address, plural: 'jobs' }, address.namespace),
      body: jobFrom(object, copyName(address.name, 'manual', now)),
    },
  ],
  kubectl: ({ name, namespace = 'default' }) =>
    `kubectl create job --from=${shellWord(`cronjob/${name}`)} ${shellWord(`${name.slice(0, 56)}-manual`)} -n ${shellWord(namespace)}`,
});

export const cronjob = defineKind<CronJob>({
  id: 'cronjob',
  kind: 'CronJob',
  group: 'batch',
  version: 'v1',
  plural: 'cronjobs',
  scope: 'Namespaced',
  aliases: ['cj', 'cronjobs'],
  title: 'CronJobs',
  icon: 'cronjob',
  permissions: { view: 'namespaces.view', manage: 'cronjobs.manage' },
  paths: {
    list: '/clusters/:clusterId/cronjobs',
    detail: ['/clusters/:clusterId/namespaces/:namespaceName/cronjobs/:cronJobName'],
  },
  sidebar: { section: 'Resources', order: 40, keys: 'g c' },
  status: (object) => {
    if (object.spec?.suspend === true) return { tone: 'idle', label: 'Suspended' };
    if (activeOf(object) > 0) return { tone: 'info', label: 'Running' };
    return lastResult(object) === 'failed'
      ? { tone: 'warn', label: 'Last run failed' }
      : { tone: 'ok', label: 'Scheduled' };
  },
  attention: (object) => {
    if (object.spec?.suspend === true || lastResult(object) !== 'failed') return undefined;
    const since = epochSeconds(object.status?.lastScheduleTime);
    return {
      rule: 'cronjob.failing',
      tone: 'warn',
      isHard: true,
      title: 'The last run did not succeed.',
      detail:
        object.status?.lastSuccessfulTime === undefined
          ? 'No run has succeeded yet. Its jobs below say why.'
          : 'Its jobs below say why.',
      action: 'cronjob.run',
      ...(since === null ? {} : { since }),
    };
  },
  rules: ['cronjob.failing'],
  changed: lastEdit,
  columns: [
    'namespace',
    'name',
    'status',
    { id: 'schedule', label: 'Schedule', format: 'mono', value: ({ spec }) => spec?.schedule ?? null },
    {
      id: 'time-zone',
      label: 'Time zone',
      format: 'text',
      wide: true,
      dropAt: 6,
      value: ({ spec }) => spec?.timeZone ?? null,
    },
    { id: 'active', label: 'Active', format: 'number', dropAt: 3, value: activeOf },
    {
      id: 'last-run',
      label: 'Last run',
      format: 'age',
      dropAt: 2,
      value: ({ status }) => epochSeconds(status?.lastScheduleTime),
    },
    {
      id: 'last-result',
      label: 'Last result',
      format: 'text',
      dropAt: 5,
      value: (object) => {
        const result = lastResult(object);
        return result === undefined ? null : results[result][0];
      },
    },
    { id: 'next-run', label: 'Next run', format: 'age', dropAt: 4, value: nextRun },
    { ...imagesColumn, value: (object) => imagesOf(templateOf(object)), wide: true },
    'labels',
    'age',
  ],
  logs: 'jobs',
  facts: (object) => ({
    isSuspended: object.spec?.suspend === true,
    images: imagesOf(templateOf(object)),
  }),
  refs: (object) => podSpecUses(templateOf(object)?.spec, object.metadata?.namespace),
  owns: ['job'],
  sections: [
    {
      title: 'Spec',
      fields: [
        { label: 'Schedule', format: 'mono', value: ({ spec }) => spec?.schedule ?? null },
        {
          label: 'Time zone',
          format: 'text',
          value: ({ spec }) => spec?.timeZone ?? 'that of the controller, usually UTC',
        },
        { label: 'Next run', format: 'age', value: nextRun },
        { label: 'Last run', format: 'age', value: ({ status }) => epochSeconds(status?.lastScheduleTime) },
        {
          label: 'Last success',
          format: 'age',
          value: ({ status }) => epochSeconds(status?.lastSuccessfulTime),
        },
        {
          label: 'Active',
          format: 'mono',
          value: ({ status }) => (status?.active ?? []).flatMap(({ name }) => name ?? []),
        },
        { label: 'Concurrency', format: 'text', value: ({ spec }) => spec?.concurrencyPolicy ?? 'Allow' },
        {
          label: 'Starting deadline',
          format: 'text',
          value: ({ spec }) =>
            spec?.startingDeadlineSeconds === undefined ? null : `${spec.startingDeadlineSeconds} s`,
        },
        {
          label: 'History',
          format: 'text',
          value: ({ spec }) =>
            `${spec?.successfulJobsHistoryLimit ?? 3} succeeded, ${spec?.failedJobsHistoryLimit ?? 1} failed`,
        },
        {
          label: 'Images',
          format: 'mono',
          value: (object) => imagesOf(templateOf(object)),
          links: { to: 'image' },
        },
        {
          label: 'Account',
          format: 'text',
          value: (object) => templateOf(object)?.spec?.serviceAccountName ?? 'default',
          links: { to: 'named', kind: 'serviceaccount' },
        },
      ],
    },
    'owned',
    'related',
    'metadata',
    'events',
    'yaml',
  ],
  actions: [
    run,
    ...suspendActions({
      kindId: 'cronjob',
      suspend: 'Starts no more jobs until it is resumed; running ones go on.',
      resume: 'Starts jobs by its schedule again.',
      endsPods: false,
    }),
  ],
});
