import { all, but, condition, object, type RuleCase } from './rule-case.ts';

const job = (spec: string, status: string) =>
  object('batch/v1', 'Job', 'import', `spec: { ${spec} }\nstatus: { ${status} }`);
const late = job(
  'activeDeadlineSeconds: 30',
  condition('Failed', 'True', 'DeadlineExceeded', 'Job was active longer than specified deadline'),
);
const failed = job(
  'backoffLimit: 1',
  `failed: 2, ${condition('Failed', 'True', 'BackoffLimitExceeded', 'Job has reached the specified backoff limit')}`,
);
const cronJob = (spec: string, status = 'status: {}') =>
  object('batch/v1', 'CronJob', 'report', `spec: { ${spec} }\n${status}`);
const unreadable = cronJob('schedule: every day');
const rushed = cronJob("schedule: '* * * * *', startingDeadlineSeconds: 5");

const held = cronJob(
  "schedule: '*/5 * * * *', concurrencyPolicy: Forbid",
  "status: { lastScheduleTime: '2026-03-01T07:05:00Z', active: [{ kind: Job, name: report-1, namespace: shop }] }",
);
const hanging = object(
  'batch/v1',
  'Job',
  'report-1',
  "spec: {}\nstatus: { active: 1, startTime: '2026-03-01T07:05:00Z' }",
);

/** Cases of the rules about jobs and cron jobs. */
export const jobCases: readonly RuleCase[] = [
  {
    rule: 'job.deadline',
    broken: late,
    names: /30 s/,
    near: {
      'it failed too often': failed,
      'it has a deadline': job('activeDeadlineSeconds: 30', 'active: 1'),
      'it was done in time': job(
        'activeDeadlineSeconds: 30',
        `succeeded: 1, ${condition('Complete', 'True')}`,
      ),
    },
  },
  {
    rule: 'job.failed',
    broken: failed,
    names: /2 failed pods/,
    near: {
      'it is tried again': job('backoffLimit: 6', 'failed: 1, active: 1'),
      'it was done at the second try': job(
        'backoffLimit: 6',
        `failed: 1, succeeded: 1, ${condition('Complete', 'True')}`,
      ),
    },
  },
  {
    rule: 'job.suspended',
    broken: job('suspend: true', ''),
    names: /suspended/,
    near: { 'it was resumed': job('suspend: false', 'active: 1') },
  },
  {
    rule: 'cronjob.schedule',
    broken: unreadable,
    names: /every day/,
    near: {
      'it is read': cronJob("schedule: '0 4 * * *'"),
      'it has a name': cronJob("schedule: '@daily'"),
      'it has a time zone': cronJob("schedule: '0 4 * * *', timeZone: Europe/Berlin"),
      'nobody wants it': but(unreadable, 'schedule:', 'suspend: true, schedule:'),
    },
  },
  {
    rule: 'cronjob.deadline',
    broken: rushed,
    names: /startingDeadlineSeconds of the cron job is 5/,
    near: {
      'there is time enough': but(rushed, 'Seconds: 5', 'Seconds: 30'),
      'it started a minute ago': but(
        rushed,
        'status: {}',
        "status: { lastScheduleTime: '2026-03-01T07:59:00Z' }",
      ),
      'it is suspended': but(rushed, 'schedule:', 'suspend: true, schedule:'),
    },
  },
  {
    rule: 'cronjob.waits',
    broken: all(held, hanging),
    names: /job report-1 has been running for 55m/,
    near: {
      'it lets runs overlap': all(but(held, 'Forbid', 'Allow'), hanging),
      'the next run is not due yet': all(but(held, '*/5 * * * *', '0 * * * *'), hanging),
      'it has left out two runs so far': all(but(held, '*/5 * * * *', '*/30 * * * *'), hanging),
      'its job takes a little long': all(but(held, '07:05:00', '07:40:00'), hanging),
      'the job has just ended': all(
        held,
        but(hanging, 'active: 1', `succeeded: 1, ${condition('Complete', 'True')}`),
      ),
      'it is suspended': all(but(held, 'schedule:', 'suspend: true, schedule:'), hanging),
    },
  },
  {
    rule: 'cronjob.suspended',
    broken: cronJob(
      "schedule: '0 4 * * *', suspend: true",
      "status: { lastScheduleTime: '2026-02-27T04:00:00Z' }",
    ),
    names: /suspended/,
    near: {
      'it was made to wait': cronJob("schedule: '0 4 * * *', suspend: true"),
      'it is not': cronJob("schedule: '0 4 * * *', suspend: false"),
    },
  },
];
