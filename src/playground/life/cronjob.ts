import { timestamp } from '../clock.ts';
import { at, type Obj, type Rec, rec, recs, str } from '../values.ts';
import { type Controller, controllerOf, type Life } from './engine.ts';
import { lastDue, parseSchedule } from './schedule.ts';
import { create, ownedBy, putStatus, remove, report } from './write.ts';

const storage = 'batch/cronjobs';
const minute = 60_000;
const component = 'cronjob-controller';

/** Makes the jobs of cron jobs when they are due, and clears away the old ones. */
export const cronJobController: Controller = {
  name: component,
  interested: ({ storage: place, key, before, after }) => {
    if (place === storage) return [key];
    if (place !== 'batch/jobs') return [];
    const owner = controllerOf(after ?? before);
    return owner?.kind === 'CronJob' ? [`${(after ?? before)?.metadata.namespace ?? ''}/${owner.name}`] : [];
  },
  reconcile: (key, life) => {
    const cron = life.world.store.get(storage, key);
    if (cron === undefined || cron.metadata.deletionTimestamp !== undefined) return;
    run(cron, life);
    life.look(cronJobController, key, minute - (life.world.clock.now() % minute) + 500);
  },
};

const ended = (job: Obj, type: string) =>
  recs(at(job, 'status', 'conditions')).find((item) => item['type'] === type && item['status'] === 'True');
const isOver = (job: Obj) => ended(job, 'Complete') !== undefined || ended(job, 'Failed') !== undefined;
const born = (job: Obj) => Date.parse(job.metadata.creationTimestamp ?? '');

function run(cron: Obj, life: Life): void {
  const { world } = life;
  const spec = rec(cron['spec']);
  const status = rec(cron['status']);
  const now = world.clock.now();
  const jobs = life.children.of(cron.metadata.uid, 'batch/jobs').sort((a, b) => born(a) - born(b));
  let active = jobs.filter((job) => !isOver(job) && job.metadata.deletionTimestamp === undefined);
  let lastSchedule = status['lastScheduleTime'];
  const schedule = parseSchedule(str(spec['schedule']));
  if (schedule === undefined) {
    report(world, cron, {
      type: 'Warning',
      reason: 'UnparseableSchedule',
      message: `unparseable schedule: ${JSON.stringify(str(spec['schedule']))}`,
      component,
    });
  } else if (spec['suspend'] !== true) {
    const after = Date.parse(str(lastSchedule)) || born(cron);
    const time = lastDue(schedule, after, now, str(spec['timeZone']));
    const deadline = spec['startingDeadlineSeconds'];
    const late = typeof deadline === 'number' && time !== undefined && now - time > deadline * 1000;
    if (time !== undefined && !late) {
      const busy = active.length > 0;
      if (busy && spec['concurrencyPolicy'] === 'Forbid') {
        report(world, cron, {
          type: 'Normal',
          reason: 'JobAlreadyActive',
          message: 'Not starting job because prior execution is running and concurrency policy is Forbid',
          component,
        });
      } else {
        if (busy && spec['concurrencyPolicy'] === 'Replace') {
          for (const job of active) remove(world, 'batch/jobs', job);
          active = [];
        }
        const job = start(cron, time, life);
        if (job !== undefined) {
          active.push(job);
          lastSchedule = timestamp(time);
        }
      }
    }
  }
  const done = jobs.filter(isOver);
  const succeeded = done.filter((job) => ended(job, 'Complete') !== undefined);
  const failed = done.filter((job) => ended(job, 'Failed') !== undefined);
  const surplus = (list: readonly Obj[], keep: number) => list.slice(0, Math.max(0, list.length - keep));
  for (const job of [
    ...surplus(succeeded, Number(spec['successfulJobsHistoryLimit'] ?? 3)),
    ...surplus(failed, Number(spec['failedJobsHistoryLimit'] ?? 1)),
  ]) {
    remove(world, 'batch/jobs', job);
  }
  const lastSuccess = succeeded.at(-1);
  putStatus(world, storage, cron, {
    ...(active.length === 0 ? {} : { active: active.map(reference) }),
    ...(lastSchedule === undefined ? {} : { lastScheduleTime: lastSchedule }),
    ...(lastSuccess === undefined
      ? { ...pick(status, 'lastSuccessfulTime') }
      : { lastSuccessfulTime: at(lastSuccess, 'status', 'completionTime') }),
  });
}

const pick = (value: Rec, field: string): Rec =>
  value[field] === undefined ? {} : { [field]: value[field] };

const reference = (job: Obj): Rec => ({
  kind: 'Job',
  namespace: job.metadata.namespace,
  name: job.metadata.name,
  uid: job.metadata.uid,
  apiVersion: job.apiVersion,
  resourceVersion: job.metadata.resourceVersion,
});

/** Makes the job of one due time; undefined when it is there already. */
function start(cron: Obj, time: number, life: Life): Obj | undefined {
  const { name = '', namespace = '' } = cron.metadata;
  const template = rec(at(cron, 'spec', 'jobTemplate'));
  const metadata = rec(template['metadata']);
  const job = create(life.world, 'batch/jobs', namespace, {
    metadata: {
      name: `${name}-${Math.floor(time / minute)}`,
      ...pick(metadata, 'labels'),
      annotations: {
        ...rec(metadata['annotations']),
        'batch.kubernetes.io/cronjob-scheduled-timestamp': timestamp(time),
      },
      ownerReferences: [ownedBy(cron)],
    },
    spec: structuredClone(rec(template['spec'])),
  });
  if (job !== undefined) {
    report(life.world, cron, {
      type: 'Normal',
      reason: 'SuccessfulCreate',
      message: `Created job ${job.metadata.name ?? ''}`,
      component,
    });
  }
  return job;
}
