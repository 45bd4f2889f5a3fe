import { controllerOf } from '../../kube/owners.ts';
import { timestamp } from '../kit/clock.ts';
import { at, type Obj, type Rec, rec, recs, str } from '../kit/values.ts';
import type { Controller, Life } from './engine.ts';
import { jobEnd, isJobOver } from './job-end.ts';
import { dueBetween, parseSchedule } from './schedule.ts';
import { create, lastRefusal, ownedBy, putStatus, remove, report } from './write.ts';

const storage = 'batch/cronjobs';
const jobs = 'batch/jobs';
const minute = 60_000;
const component = 'cronjob-controller';
/** Delay of the controller's sync after a due time, ms, which tolerates clock skew. */
const syncDelay = 100;
/** Number of missed start times from which a warning is reported. */
const manyMissed = 100;

/** Creates the jobs of cron jobs when they are due, and deletes those beyond the history limits. */
export const cronJobController: Controller = {
  name: component,
  interested: ({ storage: changedStorage, key, before, after }) => {
    if (changedStorage === storage) return [key];
    if (changedStorage !== jobs) return [];
    const owner = controllerOf(after ?? before);
    return owner?.kind === 'CronJob' ? [`${(after ?? before)?.metadata.namespace ?? ''}/${owner.name}`] : [];
  },
  reconcile: (key, life) => {
    const cron = life.world.store.get(storage, key);
    if (cron === undefined) return;
    const work: Work = {
      cron,
      key,
      life,
      owned: life.children.of(cron.metadata.uid, jobs).sort((a, b) => born(a) - born(b)),
      status: rec(cron['status']),
    };
    deleteOld(work);
    const status = reportJobs(work);
    if (cron.metadata.deletionTimestamp === undefined) run({ ...work, status });
    else putStatus(life.world, storage, cron, status);
  },
};

interface Work {
  readonly cron: Obj;
  readonly key: string;
  readonly life: Life;
  /** Its jobs, the oldest first. */
  readonly owned: readonly Obj[];
  readonly status: Rec;
}

const born = (job: Obj) => Date.parse(job.metadata.creationTimestamp ?? '');
const uidOf = (reference: Rec) => str(reference['uid']);

function reportEvent(
  { cron, life }: Work,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
): void {
  report(life.world, cron, { type, reason, message, component });
}

const reference = (job: Obj): Rec => ({
  kind: 'Job',
  namespace: job.metadata.namespace,
  name: job.metadata.name,
  uid: job.metadata.uid,
  apiVersion: job.apiVersion,
  resourceVersion: job.metadata.resourceVersion,
});

/** Deletes finished jobs beyond the history limits, oldest first. */
function deleteOld(work: Work): void {
  const spec = rec(work.cron['spec']);
  const ended = (type: string) =>
    work.owned.filter(
      (job) => jobEnd(job)?.['type'] === type && job.metadata.deletionTimestamp === undefined,
    );
  const surplus = (list: readonly Obj[], keep: unknown) =>
    typeof keep === 'number' ? list.slice(0, Math.max(0, list.length - keep)) : [];
  for (const job of [
    ...surplus(ended('Complete'), spec['successfulJobsHistoryLimit']),
    ...surplus(ended('Failed'), spec['failedJobsHistoryLimit']),
  ]) {
    drop(work, job);
  }
}

function drop(work: Work, job: Obj): void {
  remove(work.life.world, jobs, job);
  reportEvent(work, 'Normal', 'SuccessfulDelete', `Deleted job ${job.metadata.name ?? ''}`);
}

/** Reports jobs that finished, appeared unexpectedly or are gone. Returns the updated status. */
function reportJobs(work: Work): Rec {
  const { owned, status } = work;
  let active = recs(status['active']);
  let lastSuccess = str(status['lastSuccessfulTime']);
  for (const job of owned) {
    const listed = active.some((item) => uidOf(item) === job.metadata.uid);
    const end = jobEnd(job);
    if (end === undefined) {
      if (listed || job.metadata.deletionTimestamp !== undefined) continue;
      reportEvent(
        work,
        'Warning',
        'UnexpectedJob',
        `Saw a job that the controller did not create or forgot: ${job.metadata.name ?? ''}`,
      );
    } else {
      if (listed) {
        active = active.filter((item) => uidOf(item) !== job.metadata.uid);
        const message = `Saw completed job: ${job.metadata.name ?? ''}, condition: ${str(end['type'])}`;
        reportEvent(work, 'Normal', 'SawCompletedJob', message);
      }
      const completionTime = str(at(job, 'status', 'completionTime'));
      if (end['type'] === 'Complete' && completionTime > lastSuccess) lastSuccess = completionTime;
    }
  }
  active = active.filter((item) => {
    const exists = owned.some((job) => job.metadata.uid === uidOf(item));
    if (!exists) reportEvent(work, 'Normal', 'MissingJob', `Active job went missing: ${str(item['name'])}`);
    return exists;
  });
  const { active: _active, lastSuccessfulTime: _last, ...rest } = status;
  return {
    ...rest,
    ...(active.length === 0 ? {} : { active }),
    ...(lastSuccess === '' ? {} : { lastSuccessfulTime: lastSuccess }),
  };
}

function run(work: Work): void {
  const { cron, key, life, owned } = work;
  const { world } = life;
  const spec = rec(cron['spec']);
  const now = world.clock.now();
  const store = (status: Rec) => putStatus(world, storage, cron, status);
  const text = str(spec['schedule']);
  const zone = str(spec['timeZone']);
  const schedule = parseSchedule(text, zone);
  if (schedule === undefined) {
    const isValidZone = zone === '' || parseSchedule('0 0 * * *', zone) !== undefined;
    if (isValidZone) reportEvent(work, 'Warning', 'UnparseableSchedule', `unparseable schedule: "${text}"`);
    else
      reportEvent(
        work,
        'Warning',
        'UnknownTimeZone',
        `invalid timeZone: "${zone}": unknown time zone ${zone}`,
      );
    store(work.status);
    return;
  }
  if (spec['suspend'] === true) {
    store(work.status);
    return;
  }
  const started = Date.parse(str(work.status['lastScheduleTime'])) || born(cron);
  const deadline = spec['startingDeadlineSeconds'];
  const earliest = typeof deadline === 'number' ? Math.max(started, now - deadline * 1000) : started;
  const { last, next, count } = dueBetween(schedule, earliest, now);
  if (count > manyMissed) {
    const message =
      'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';
    reportEvent(work, 'Warning', 'TooManyMissedTimes', message);
  }
  if (next !== undefined) life.look(cronJobController, key, next - now + syncDelay);
  if (last === undefined) {
    store(work.status);
    return;
  }
  let active = recs(work.status['active']);
  if (active.length > 0 && spec['concurrencyPolicy'] === 'Forbid') {
    const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
    reportEvent(work, 'Normal', 'JobAlreadyActive', message);
    store(work.status);
    return;
  }
  if (spec['concurrencyPolicy'] === 'Replace') {
    for (const item of active) {
      const job = owned.find(({ metadata }) => metadata.uid === uidOf(item));
      if (job !== undefined) drop(work, job);
    }
    active = [];
  }
  const job = start(work, last);
  if (job !== undefined) active = [...active, reference(job)];
  const { active: _active, ...rest } = work.status;
  store({
    ...rest,
    ...(active.length === 0 ? {} : { active }),
    ...(job === undefined ? {} : { lastScheduleTime: timestamp(last) }),
  });
}

/** Creates the job of one due time; undefined when the API refuses it. */
function start(work: Work, time: number): Obj | undefined {
  const { cron, life } = work;
  const { name = '', namespace = '' } = cron.metadata;
  const template = rec(at(cron, 'spec', 'jobTemplate'));
  const metadata = rec(template['metadata']);
  const jobName = `${name}-${Math.floor(time / minute)}`;
  const existing = life.world.store.get(jobs, `${namespace}/${jobName}`);
  if (existing !== undefined) {
    // The job exists already: an earlier sync created it without recording it.
    return controllerOf(existing)?.uid === cron.metadata.uid && !isJobOver(existing) ? existing : undefined;
  }
  const job = create(life.world, jobs, namespace, {
    metadata: {
      name: jobName,
      ...(metadata['labels'] === undefined ? {} : { labels: metadata['labels'] }),
      annotations: {
        ...rec(metadata['annotations']),
        'batch.kubernetes.io/cronjob-scheduled-timestamp': timestamp(time),
      },
      ownerReferences: [ownedBy(cron)],
    },
    spec: structuredClone(rec(template['spec'])),
  });
  if (job === undefined)
    reportEvent(work, 'Warning', 'FailedCreate', `Error creating job: ${lastRefusal(life.world)}`);
  else reportEvent(work, 'Normal', 'SuccessfulCreate', `Created job ${jobName}`);
  return job;
}
