import { describe, expect, test } from 'vitest';
import { deleteObject } from '../../src/playground/objects/deletion.ts';
import { create, resourceAt } from '../../src/playground/life/write.ts';
import { dueBetween, parseSchedule } from '../../src/playground/life/schedule.ts';
import { at, type Obj, type Rec, rec } from '../../src/playground/kit/values.ts';
import { Lab } from './lab.ts';

function job(lab: Lab, spec: Rec, behaviour = 'exit-0', policy = 'Never'): void {
  create(lab.world, 'batch/jobs', 'default', {
    metadata: { name: 'work' },
    spec: {
      template: {
        metadata: { labels: { app: 'work' }, annotations: { 'playground/behaviour': behaviour } },
        spec: { restartPolicy: policy, containers: [{ name: 'main', image: 'example/work:1' }] },
      },
      ...spec,
    },
  });
}
const status = (lab: Lab) => rec(lab.get('batch/jobs', 'work')['status']);
const respec = (lab: Lab, fields: Rec) => {
  const object = lab.get('batch/jobs', 'work');
  lab.change('batch/jobs', { ...object, spec: { ...rec(object['spec']), ...fields } });
};

describe('a Job', () => {
  test('runs up to parallelism pods at once until its completions are reached', () => {
    const lab = new Lab();
    job(lab, { completions: 5, parallelism: 2 });
    for (let step = 0; step < 120; step++) {
      lab.advance(1);
      const running = lab
        .pods('work')
        .filter((pod) => ['Running', 'Pending'].includes(String(at(pod, 'status', 'phase'))));
      expect(running.length).toBeLessThanOrEqual(2);
    }
    expect(status(lab)).toMatchObject({ succeeded: 5, ready: 0, terminating: 0 });
    expect(lab.pods('work').every((pod) => pod.metadata.finalizers === undefined)).toBe(true);
    expect(lab.events('work').filter((event) => event.includes('Completed'))).toEqual([
      'Normal Completed: Job completed',
    ]);
  });

  test('that is indexed succeeds once at each index', () => {
    const lab = new Lab();
    job(lab, { completions: 4, parallelism: 4, completionMode: 'Indexed' });
    lab.advance(1);
    const indexes = lab
      .pods('work')
      .map((pod) => pod.metadata.annotations?.['batch.kubernetes.io/job-completion-index']);
    expect(new Set(indexes)).toEqual(new Set(['0', '1', '2', '3']));
    expect(new Set(lab.pods('work').map((pod) => at(pod, 'spec', 'hostname')))).toEqual(
      new Set(['work-0', 'work-1', 'work-2', 'work-3']),
    );
    lab.advance(60);
    expect(status(lab)).toMatchObject({ succeeded: 4, completedIndexes: '0-3' });
  });

  test('that is suspended stops its pods, and continues when it is resumed', () => {
    const lab = new Lab();
    job(lab, { parallelism: 2, completions: 2 });
    lab.advance(1);
    respec(lab, { suspend: true });
    lab.advance(10);
    expect(lab.pods('work').filter((pod) => pod.metadata.deletionTimestamp === undefined)).toEqual([]);
    expect(lab.condition(lab.get('batch/jobs', 'work'), 'Suspended')).toMatchObject({
      status: 'True',
      reason: 'JobSuspended',
    });
    expect(status(lab)['startTime']).toBeUndefined();
    // What it stopped itself has not failed.
    expect(status(lab)).not.toHaveProperty('failed');
    expect(status(lab)).not.toHaveProperty('active');
    respec(lab, { suspend: false });
    lab.advance(60);
    expect(lab.condition(lab.get('batch/jobs', 'work'), 'Suspended')).toMatchObject({
      status: 'False',
      reason: 'JobResumed',
    });
    expect(status(lab)).toMatchObject({ succeeded: 2 });
    expect(lab.events('work').filter((event) => /Suspended|Resumed/.test(event))).toHaveLength(2);
  });

  test('completes with its last success even while it is suspended', () => {
    const lab = new Lab();
    job(lab, { suspend: true, completions: 1 });
    lab.advance(2);
    const held = lab.get('batch/jobs', 'work');
    lab.change('batch/jobs', { ...held, status: { ...rec(held['status']), succeeded: 1 } });
    lab.advance(2);
    expect(lab.condition(lab.get('batch/jobs', 'work'), 'Complete')).toMatchObject({
      reason: 'CompletionsReached',
    });
  });

  test('fails at its deadline, and when too many indexes have failed', () => {
    const late = new Lab();
    job(late, { activeDeadlineSeconds: 30 }, 'ok');
    late.advance(40);
    expect(late.condition(late.get('batch/jobs', 'work'), 'Failed')).toMatchObject({
      reason: 'DeadlineExceeded',
      message: 'Job was active longer than specified deadline',
    });
    const lost = new Lab();
    const spec = {
      completions: 3,
      parallelism: 3,
      completionMode: 'Indexed',
      backoffLimitPerIndex: 0,
      maxFailedIndexes: 1,
    };
    job(lost, spec, 'exit-1');
    lost.advance(60);
    expect(lost.condition(lost.get('batch/jobs', 'work'), 'Failed')).toMatchObject({
      reason: 'MaxFailedIndexesExceeded',
    });
  });

  test('waits longer after each failure, and is deleted some time after its end', () => {
    const lab = new Lab();
    job(lab, { backoffLimit: 2, ttlSecondsAfterFinished: 60 }, 'exit-1');
    let failedAt = 0;
    for (let second = 0; second < 300 && failedAt === 0; second++) {
      lab.advance(1);
      if (lab.condition(lab.get('batch/jobs', 'work'), 'Failed')['status'] === 'True') failedAt = second;
    }
    expect(status(lab)).toMatchObject({ failed: 3 });
    // Two pauses of 10 s and 20 s lie between three runs.
    expect(failedAt).toBeGreaterThan(45);
    lab.advance(58);
    expect(lab.world.store.get('batch/jobs', 'default/work')).toBeDefined();
    lab.advance(5);
    expect(lab.world.store.get('batch/jobs', 'default/work')).toBeUndefined();
    lab.advance(30);
    expect(lab.pods('work')).toEqual([]);
  });

  test('follows its failure policy', () => {
    const lab = new Lab();
    const rules = [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [1] } }];
    job(lab, { podFailurePolicy: { rules } }, 'exit-1');
    lab.advance(60);
    const [pod] = lab.pods('work');
    expect(lab.condition(lab.get('batch/jobs', 'work'), 'Failed')).toMatchObject({
      reason: 'PodFailurePolicy',
      message: `Container main for pod default/${pod?.metadata.name} failed with exit code 1 matching FailJob rule at index 0`,
    });
  });

  test('succeeds as soon as its success policy is met, and stops the remaining pods', () => {
    const lab = new Lab();
    const indexes = { completionMode: 'Indexed', completions: 4, parallelism: 2 };
    job(lab, { ...indexes, successPolicy: { rules: [{ succeededIndexes: '1-2', succeededCount: 1 }] } });
    lab.advance(300);
    expect(status(lab)).not.toHaveProperty('failed');
    const made = lab.get('batch/jobs', 'work');
    expect(lab.condition(made, 'SuccessCriteriaMet')).toMatchObject({
      reason: 'SuccessPolicy',
      message: 'Matched rules at index 0',
    });
    expect(lab.condition(made, 'Complete')).toMatchObject({ status: 'True', reason: 'SuccessPolicy' });
    expect(at(status(lab), 'completedIndexes')).toMatch(/^(0,)?1$/);
    expect(status(lab)).not.toHaveProperty('active');
  });

  test('that failed counts the pods that it stopped as failed, and ends once the last has stopped', () => {
    const lab = new Lab();
    job(lab, { parallelism: 3, completions: 3, activeDeadlineSeconds: 20 }, 'deaf');
    lab.advance(22);
    expect(lab.condition(lab.get('batch/jobs', 'work'), 'FailureTarget')).toMatchObject({
      reason: 'DeadlineExceeded',
    });
    expect(lab.condition(lab.get('batch/jobs', 'work'), 'Failed')).toEqual({});
    expect(status(lab)).toMatchObject({ failed: 3, terminating: 3, ready: 0 });
    expect(lab.events('work').join()).not.toContain('Warning DeadlineExceeded');
    lab.advance(40);
    expect(lab.condition(lab.get('batch/jobs', 'work'), 'Failed')).toMatchObject({
      reason: 'DeadlineExceeded',
    });
    expect(status(lab)).toMatchObject({ failed: 3, terminating: 0 });
    expect(lab.events('work').join()).toContain('Warning DeadlineExceeded');
  });

  test('records failures of an index on its pods, and delays only that index', () => {
    const lab = new Lab();
    const each = { completionMode: 'Indexed', completions: 2, parallelism: 2, backoffLimitPerIndex: 3 };
    job(lab, each, 'exit-1');
    expect(at(lab.get('batch/jobs', 'work'), 'spec', 'backoffLimit')).toBe(2_147_483_647);
    lab.advance(300);
    const note = 'batch.kubernetes.io/job-index-failure-count';
    const counts = lab
      .pods('work')
      .filter((pod) => pod.metadata.name?.startsWith('work-0-') === true)
      .sort(
        (a, b) =>
          Date.parse(a.metadata.creationTimestamp ?? '') - Date.parse(b.metadata.creationTimestamp ?? ''),
      );
    expect(counts.map((pod) => pod.metadata.annotations?.[note])).toEqual(['0', '1', '2', '3']);
    expect(status(lab)).toMatchObject({ failed: 8, failedIndexes: '0,1' });
  });

  test('has no active pods while it waits after a failure, and resets the delay after a success', () => {
    const lab = new Lab();
    job(lab, { completions: 2, parallelism: 2 }, 'exit-1');
    let seen = false;
    for (let second = 0; second < 60; second++) {
      lab.advance(1);
      const { failed, active } = status(lab);
      if (failed === 2 && active === undefined) seen = true;
    }
    expect(seen).toBe(true);
  });

  test('limits failures per index, unless its policy fails the index at once', () => {
    const each = { completionMode: 'Indexed', completions: 2, parallelism: 2, backoffLimitPerIndex: 1 };
    const patient = new Lab();
    job(patient, each, 'exit-1');
    patient.advance(300);
    expect(status(patient)).toMatchObject({ failed: 4, failedIndexes: '0,1' });
    const failed = patient.condition(patient.get('batch/jobs', 'work'), 'Failed');
    expect(failed).toMatchObject({ reason: 'FailedIndexes', message: 'Job has failed indexes' });
    const strict = new Lab();
    const rules = [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [1] } }];
    job(strict, { ...each, podFailurePolicy: { rules } }, 'exit-1');
    strict.advance(300);
    expect(status(strict)).toMatchObject({ failed: 2, failedIndexes: '0,1' });
  });

  test('replaces a terminating pod at once, or only after it failed if the policy says so', () => {
    const ids = (lab: Lab) => lab.pods('work').map((pod) => pod.metadata.uid);
    for (const [podReplacementPolicy, others] of [
      ['TerminatingOrFailed', 1],
      ['Failed', 0],
    ] as const) {
      const lab = new Lab();
      job(lab, { podReplacementPolicy }, 'deaf');
      lab.advance(30);
      const [first] = lab.pods('work');
      lab.remove('/pods', first?.metadata.name ?? '');
      // One that was asked to go counts as a failure where it is replaced at once: the next waits 10 s.
      lab.advance(12);
      const rest = () => ids(lab).filter((uid) => uid !== first?.metadata.uid);
      expect([podReplacementPolicy, rest().length]).toEqual([podReplacementPolicy, others]);
      expect(status(lab)).toMatchObject({ terminating: 1 });
      lab.advance(60);
      expect(rest()).toHaveLength(1);
    }
  });

  test('that is deleted in the background deletes its running pod', () => {
    const lab = new Lab();
    job(lab, {}, 'ok');
    lab.advance(30);
    expect(lab.statuses('work')).toEqual(['Running']);
    lab.remove('batch/jobs', 'work', 'Background');
    lab.advance(60);
    expect(lab.pods('work')).toEqual([]);
  });

  test('that is recreated under its name releases the pods of its predecessor', () => {
    const lab = new Lab();
    job(lab, {}, 'ok');
    lab.advance(30);
    const [old] = lab.pods('work');
    lab.remove('batch/jobs', 'work', 'Background');
    job(lab, {}, 'ok');
    lab.advance(60);
    const { uid } = lab.get('batch/jobs', 'work').metadata;
    expect(lab.pods('work').map((pod) => pod.metadata.ownerReferences?.map((owner) => owner.uid))).toEqual([
      [uid],
    ]);
    expect(lab.pods('work')[0]?.metadata.uid).not.toBe(old?.metadata.uid);
    expect(lab.pods('work')[0]?.metadata.finalizers).toEqual(['batch.kubernetes.io/job-tracking']);
  });

  test('that runs does not block the deletion of its namespace', () => {
    const lab = new Lab();
    const { store } = lab.world;
    create(lab.world, '/namespaces', '', { metadata: { name: 'side' } });
    lab.advance(1);
    create(lab.world, 'batch/jobs', 'side', {
      metadata: { name: 'work' },
      spec: {
        template: {
          metadata: { annotations: { 'playground/behaviour': 'ok' } },
          spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example/work:1' }] },
        },
      },
    });
    lab.advance(30);
    expect(store.list('/pods', 'side/').map((pod) => at(pod, 'status', 'phase'))).toEqual(['Running']);
    deleteObject(lab.world, resourceAt(lab.world, '/namespaces'), '', 'side', {});
    lab.advance(90);
    expect(store.list('/pods', 'side/')).toEqual([]);
    expect(store.get('/namespaces', 'side')).toBeUndefined();
  });
});

describe('a CronJob', () => {
  const cron = (lab: Lab, spec: Rec, behaviour = 'exit-0') =>
    create(lab.world, 'batch/cronjobs', 'default', {
      metadata: { name: 'tick' },
      spec: {
        schedule: '*/5 * * * *',
        jobTemplate: {
          spec: {
            template: {
              metadata: { annotations: { 'playground/behaviour': behaviour } },
              spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example/tick:1' }] },
            },
          },
        },
        ...spec,
      },
    });
  const jobs = (lab: Lab) => lab.world.store.list('batch/jobs', 'default/');
  const active = (lab: Lab) => {
    const list = at(lab.get('batch/cronjobs', 'tick'), 'status', 'active');
    return Array.isArray(list) ? list.length : 0;
  };

  test('forbids, replaces or allows concurrent jobs', () => {
    for (const [concurrencyPolicy, running] of [
      ['Forbid', 1],
      ['Replace', 1],
      ['Allow', 3],
    ] as const) {
      const lab = new Lab();
      cron(lab, { concurrencyPolicy }, 'ok');
      lab.advance(15 * 60 + 10);
      expect([concurrencyPolicy, active(lab)]).toEqual([concurrencyPolicy, running]);
      const told = lab.events('tick').join('\n');
      expect(told.includes('JobAlreadyActive')).toBe(concurrencyPolicy === 'Forbid');
      expect(told.includes('SuccessfulDelete')).toBe(concurrencyPolicy === 'Replace');
      // The pods of what was replaced go with it.
      lab.advance(60);
      expect([concurrencyPolicy, lab.pods().length]).toEqual([concurrencyPolicy, running]);
    }
  });

  test('keeps as many jobs as its history limits allow, and reports the end of each', () => {
    const lab = new Lab();
    cron(lab, { successfulJobsHistoryLimit: 2 });
    lab.advance(29 * 60);
    expect(jobs(lab)).toHaveLength(2);
    const names = jobs(lab).map((item: Obj) => item.metadata.name);
    expect(lab.events('tick')).toContain(
      `Normal SawCompletedJob: Saw completed job: ${names[0]}, condition: Complete`,
    );
  });

  test('that was delayed starts the missed run, unless its starting deadline has passed', () => {
    for (const [deadline, started] of [
      [undefined, 1],
      [600, 1],
      [60, 0],
    ] as const) {
      const lab = new Lab();
      cron(lab, {
        schedule: '0 * * * *',
        suspend: true,
        ...(deadline === undefined ? {} : { startingDeadlineSeconds: deadline }),
      });
      lab.advance(3_600 + 300);
      expect(jobs(lab)).toHaveLength(0);
      const held = lab.get('batch/cronjobs', 'tick');
      lab.change('batch/cronjobs', { ...held, spec: { ...rec(held['spec']), suspend: false } });
      lab.advance(5);
      expect([deadline, jobs(lab).length]).toEqual([deadline, started]);
    }
  });

  test('follows its time zone through changes of daylight saving', () => {
    const due = (zone: string, after: string, until: string) => {
      const schedule = parseSchedule('30 2 * * *', zone);
      if (schedule === undefined) throw new Error('unreadable');
      const { last } = dueBetween(schedule, Date.parse(after), Date.parse(until));
      return last === undefined ? undefined : new Date(last).toISOString();
    };
    expect(due('Asia/Kolkata', '2026-03-02T00:00:00Z', '2026-03-02T23:00:00Z')).toBe(
      '2026-03-02T21:00:00.000Z',
    );
    // 02:30 does not exist in Berlin on this day, and comes twice on the other.
    expect(due('Europe/Berlin', '2026-03-29T00:00:00Z', '2026-03-29T20:00:00Z')).toBeUndefined();
    expect(due('Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-25T20:00:00Z')).toBe(
      '2026-10-25T00:30:00.000Z',
    );
    expect(parseSchedule('0 0 * * *', 'Mars/Olympus')).toBeUndefined();
    expect(parseSchedule('@every 90s')?.next(0)).toBe(90_000);
  });
});
