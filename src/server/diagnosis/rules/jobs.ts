import { epochSeconds, formatAge } from '../../../kube/age.ts';
import { type CronJob, type Job, jobHealth } from '../../../kube/batch.ts';
import { isSchedule, nextRun } from '../../../kube/schedule.ts';
import { condition as conditionOf } from '../../../kube/workload-status.ts';
import { tellingWarning } from '../own-words.ts';
import { condition, event, field, logLine, type Proof, rule, trail } from '../rule.ts';
import { shortened } from '../shortened.ts';
import { allOf, nameOf, oneOf, seenAt, warningsOf, type World } from '../world.ts';
import { quoted } from './log.ts';
import { troubleOf } from './pod-parts.ts';
import { isControlledBy, podsOf } from './workload.ts';

/** How long a job may take to start its first pod, s. */
const podPatience = 120;

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
        sentence: `The job ran longer than its deadline of ${job.spec?.activeDeadlineSeconds ?? '?'} s, so it was stopped.`,
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
      const { state, failed, reason } = jobHealth(job);
      if (state !== 'failed') return undefined;
      const said = conditionOf(job.status?.conditions, 'Failed')?.message?.trim().replace(/\.$/, '');
      // Of the other reasons the condition says which rule or index decided.
      const words = reason === 'BackoffLimitExceeded' || said === undefined ? undefined : said;
      return {
        sentence: `The job failed after ${failed} failed ${failed === 1 ? 'pod' : 'pods'}${words === undefined ? '' : `: ${shortened(words, 110)}`}. No pod or log of it is left.`,
        evidence: [condition(job, 'Failed'), field(job, 'spec.backoffLimit')],
      };
    },
  }),
  rule<Job>({
    id: 'job.no-pods',
    kind: 'Job.batch',
    tone: 'bad',
    sort: 'symptom',
    find(job, world) {
      const { active = 0, succeeded = 0, failed = 0, conditions = [] } = job.status ?? {};
      const began = epochSeconds(job.metadata?.creationTimestamp);
      if (active + succeeded + failed > 0 || conditions.length > 0 || job.spec?.suspend === true)
        return undefined;
      if (began === null || began > world.now - podPatience) return undefined;
      const said = tellingWarning(job, world);
      if (said?.message === undefined) return undefined;
      return {
        sentence: `The job has started no pod for ${formatAge(world.now - began)}, and its newest warning is: ${shortened(said.message.replace(/\.$/, ''), 110)}.`,
        evidence: [event(job, said), field(job, 'status.active')],
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
        actions: [{ id: 'job.resume', on: nameOf(job) }],
      };
    },
  }),
];

/** Runs that are left out, and for how long the one before goes on, s: less is a run that takes a little long. */
const heldRuns = 3;
const heldTime = 30 * 60;

/** The job that keeps a cron job which runs one at a time from its next runs; undefined where none does. */
function holdingJob(object: CronJob, world: World): Job | undefined {
  const { spec, status, metadata } = object;
  const last = epochSeconds(status?.lastScheduleTime);
  const [active] = status?.active ?? [];
  if (spec?.concurrencyPolicy !== 'Forbid' || active?.name === undefined) return undefined;
  if (last === null || last > world.now - heldTime) return undefined;
  let due: number | null = last;
  for (let run = 0; run < heldRuns && due !== null; run += 1) {
    const lastScheduleTime = new Date(due * 1000).toISOString();
    due = nextRun({ ...object, status: { lastScheduleTime } });
  }
  if (due === null || due > world.now) return undefined;
  const job = oneOf(world, 'Job', active.name, metadata?.namespace);
  return job && !/complete|failed/.test(jobHealth(job).state) ? job : undefined;
}

/** Why a job does not end: what its pod cannot do, or the last line that it wrote. */
function hangOf(
  job: Job,
  world: World,
): { readonly why: string; readonly evidence: readonly Proof[] } | undefined {
  const [pod] = podsOf(job, world, job.spec?.selector).filter(
    ({ status }) => !/Succeeded|Failed/.test(status?.phase ?? ''),
  );
  if (pod === undefined) return undefined;
  const name = pod.metadata?.name ?? '';
  if (troubleOf(pod, world)?.cause === 'unschedulable')
    return { why: `no node takes its pod ${name}`, evidence: [condition(pod, 'PodScheduled')] };
  const running = pod.status?.containerStatuses?.find(({ state }) => state?.running !== undefined)?.name;
  if (running === undefined)
    return { why: `its pod ${name} has not started`, evidence: [field(pod, 'status.phase')] };
  const place = { container: running, previous: false };
  const last = world.log({ pod: nameOf(pod), ...place })?.findLast(({ text }) => text.trim() !== '');
  return last === undefined
    ? undefined
    : { why: `its last line is “${quoted(last.text)}”`, evidence: [logLine(pod, { ...place, ...last })] };
}

/** Events by which the controller says that it starts no job. */
const startFailures =
  /^(?:FailedCreate|FailedNeedsStart|FailedGet|UnknownTimeZone|UnparseableSchedule|UnParseableCronJobSchedule|InvalidSchedule|TooManyMissedTimes)$/;

/** How long a run may be late, s. */
const runPatience = 120;

/** The newest warning that a cron job could not start its job, since it started the last one. */
function startFailure(object: CronJob, world: World) {
  const due = nextRun(object);
  if (object.spec?.suspend === true || (due !== null && due > world.now - runPatience)) return undefined;
  const [said] = warningsOf(world, object).filter(({ reason = '' }) => startFailures.test(reason));
  const at = said === undefined ? null : seenAt(said);
  const last = epochSeconds(object.status?.lastScheduleTime);
  return at !== null && (last === null || last <= at) ? said : undefined;
}

const cronJobRules = [
  rule<CronJob>({
    id: 'cronjob.waits',
    kind: 'CronJob.batch',
    tone: 'bad',
    sort: 'cause',
    goesFirst: true,
    isSwept: true,
    find(object, world) {
      const job = holdingJob(object, world);
      if (job === undefined) return undefined;
      const began = epochSeconds(job.status?.startTime ?? object.status?.lastScheduleTime);
      const hang = hangOf(job, world);
      return {
        sentence: `The cron job skips its runs: it allows one job at a time, and job ${job.metadata?.name ?? ''} has been running for ${formatAge(world.now - (began ?? world.now))}${hang === undefined ? '' : `: ${hang.why}`}.`,
        evidence: [
          field(object, 'spec.concurrencyPolicy'),
          field(object, 'status.lastScheduleTime'),
          field(job, 'status.startTime'),
          ...(hang?.evidence ?? []),
        ],
      };
    },
  }),
  rule<CronJob>({
    id: 'cronjob.not-started',
    kind: 'CronJob.batch',
    tone: 'bad',
    sort: 'cause',
    find(object, world) {
      const said = startFailure(object, world);
      if (said?.message === undefined) return undefined;
      const words = said.message
        .trim()
        .replace(/^Error creating job: /, '')
        .replace(/\.$/, '');
      return {
        sentence: `The cron job starts no job: ${words}.`,
        evidence: [
          event(object, said),
          field(object, 'spec.schedule'),
          field(object, 'status.lastScheduleTime'),
        ],
      };
    },
  }),
  rule<CronJob>({
    id: 'cronjob.schedule',
    kind: 'CronJob.batch',
    tone: 'bad',
    sort: 'cause',
    isSwept: true,
    find(object, world) {
      const { schedule, suspend } = object.spec ?? {};
      if (schedule === undefined || suspend === true) return undefined;
      if (object.metadata?.creationTimestamp === undefined || nextRun(object) !== null) return undefined;
      // A time zone that nobody knows has no dates either.
      if (startFailure(object, world) !== undefined) return undefined;
      return {
        sentence: isSchedule(schedule)
          ? `The cron job starts nothing: its schedule “${schedule}” names a date that never comes.`
          : `The cron job starts nothing: its schedule “${schedule}” is not valid.`,
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
      const last = epochSeconds(object.status?.lastScheduleTime ?? object.metadata?.creationTimestamp);
      // The controller looks every ten seconds: less than that is missed.
      if (deadline === undefined || deadline >= 10 || suspend === true) return undefined;
      if (last !== null && last > world.now - 600) return undefined;
      return {
        sentence: `Runs are skipped: startingDeadlineSeconds of the cron job is ${deadline}, but its controller checks only every 10 s. Set it to 10 or more.`,
        evidence: [field(object, 'spec.startingDeadlineSeconds'), field(object, 'status.lastScheduleTime')],
      };
    },
  }),
  rule<CronJob>({
    id: 'cronjob.suspended',
    kind: 'CronJob.batch',
    tone: 'info',
    sort: 'advice',
    find(object) {
      // One that has never run was made to wait.
      if (object.spec?.suspend !== true || object.status?.lastScheduleTime === undefined) return undefined;
      return {
        sentence: 'The cron job is suspended: it starts nothing until somebody resumes it.',
        evidence: [field(object, 'spec.suspend'), field(object, 'status.lastScheduleTime')],
        actions: [{ id: 'cronjob.resume', on: nameOf(object) }],
      };
    },
  }),
];

/** Rules about jobs and cron jobs. */
export const batchRules = [...jobRules, ...cronJobRules];

/** From a cron job to the job of its last run that came to something and to the one that holds others up; from a job to its pods. */
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
      return [latest, holdingJob(object, world)].filter((job) => job !== undefined);
    },
  }),
  trail<Job>({
    kind: 'Job.batch',
    // Pods of a job that was done in the end, after some tries, are no trouble.
    next: (job, world) => (jobHealth(job).state === 'complete' ? [] : podsOf(job, world, job.spec?.selector)),
  }),
];
