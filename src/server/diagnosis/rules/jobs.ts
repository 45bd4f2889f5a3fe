import { type CronJob, type Job, jobHealth } from '../../../kube/batch.ts';
import { nextRun } from '../../../kube/schedule.ts';
import { condition, field, rule, trail } from '../rule.ts';
import { allOf } from '../world.ts';
import { isControlledBy, podsOf } from './workload.ts';

const jobRules = [
  rule<Job>({
    id: 'job.deadline',
    kind: 'Job.batch',
    tone: 'bad',
    sort: 'cause',
    find(job) {
      const { state, reason } = jobHealth(job);
      if (state !== 'failed' || reason !== 'DeadlineExceeded') return undefined;
      return {
        sentence: `The job took longer than the ${job.spec?.activeDeadlineSeconds ?? '?'} s that it may take, so it was ended.`,
        evidence: [condition(job, 'Failed'), field(job, 'spec.activeDeadlineSeconds')],
      };
    },
  }),
  rule<Job>({
    id: 'job.failed',
    kind: 'Job.batch',
    tone: 'bad',
    sort: 'symptom',
    find(job) {
      const { state, failed } = jobHealth(job);
      if (state !== 'failed') return undefined;
      return {
        sentence: `The job has failed after ${failed} failed ${failed === 1 ? 'pod' : 'pods'}, which are gone with their logs.`,
        evidence: [condition(job, 'Failed'), field(job, 'spec.backoffLimit')],
      };
    },
  }),
  rule<Job>({
    id: 'job.suspended',
    kind: 'Job.batch',
    tone: 'warn',
    sort: 'advice',
    find(job) {
      if (job.spec?.suspend !== true) return undefined;
      return {
        sentence: 'The job is suspended: it starts no pods until somebody resumes it.',
        evidence: [field(job, 'spec.suspend')],
      };
    },
  }),
];

const cronJobRules = [
  rule<CronJob>({
    id: 'cronjob.schedule',
    kind: 'CronJob.batch',
    tone: 'bad',
    sort: 'cause',
    isSwept: true,
    find(object) {
      const { schedule, suspend } = object.spec ?? {};
      if (schedule === undefined || suspend === true) return undefined;
      if (object.metadata?.creationTimestamp === undefined || nextRun(object) !== null) return undefined;
      return {
        sentence: `The cron job starts nothing: its schedule “${schedule}” is not valid.`,
        evidence: [field(object, 'spec.schedule')],
      };
    },
  }),
  rule<CronJob>({
    id: 'cronjob.deadline',
    kind: 'CronJob.batch',
    tone: 'bad',
    sort: 'cause',
    isSwept: true,
    find(object, world) {
      const { startingDeadlineSeconds: deadline, suspend } = object.spec ?? {};
      const created = Date.parse(object.metadata?.creationTimestamp ?? '') / 1000;
      const last = Date.parse(object.status?.lastScheduleTime ?? '') / 1000;
      // The controller looks every ten seconds: less than that is missed.
      if (deadline === undefined || deadline >= 10 || suspend === true) return undefined;
      if ((Number.isNaN(last) ? created : last) > world.now - 600) return undefined;
      return {
        sentence: `The cron job may start a run up to ${deadline} s late, but its controller looks only every 10 s, so runs are skipped.`,
        evidence: [field(object, 'spec.startingDeadlineSeconds'), field(object, 'status.lastScheduleTime')],
      };
    },
  }),
  rule<CronJob>({
    id: 'cronjob.suspended',
    kind: 'CronJob.batch',
    tone: 'warn',
    sort: 'advice',
    find(object) {
      if (object.spec?.suspend !== true) return undefined;
      return {
        sentence: 'The cron job is suspended: it starts nothing until somebody resumes it.',
        evidence: [field(object, 'spec.suspend')],
      };
    },
  }),
];

/** Rules about jobs and cron jobs. */
export const batchRules = [...jobRules, ...cronJobRules];

/** From a cron job to the job of its last run that came to something, and from a job to its pods. */
export const batchTrails = [
  trail<CronJob>({
    kind: 'CronJob.batch',
    next(object, world) {
      const where = { namespace: object.metadata?.namespace, isPartEnough: true } as const;
      const [latest] = (allOf(world, 'Job', where) ?? [])
        // One that has just begun says nothing yet.
        .filter((job) => isControlledBy(job, object) && /complete|failed|retrying/.test(jobHealth(job).state))
        .toSorted((a, b) =>
          (b.metadata?.creationTimestamp ?? '').localeCompare(a.metadata?.creationTimestamp ?? ''),
        );
      return latest === undefined ? [] : [latest];
    },
  }),
  trail<Job>({
    kind: 'Job.batch',
    // Pods of a job that was done in the end, after some tries, are no trouble.
    next: (job, world) => (jobHealth(job).state === 'complete' ? [] : podsOf(job, world, job.spec?.selector)),
  }),
];
