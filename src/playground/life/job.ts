import { timestamp } from '../clock.ts';
import { keyOf } from '../store.ts';
import { at, type Obj, type Rec, rec, recs, str } from '../values.ts';
import { type Controller, controllerOf, type Life } from './engine.ts';
import { createPod } from './pods.ts';
import { isActive, isReady, putStatus, remove, report } from './write.ts';

const storage = 'batch/jobs';

/** Runs a Job's pods until enough have succeeded or too many have failed. */
export const jobController: Controller = {
  name: 'job-controller',
  interested: ({ storage: place, key, before, after }) => {
    if (place === storage) return [key];
    if (place !== '/pods') return [];
    const owner = controllerOf(after ?? before);
    return owner?.kind === 'Job' ? [keyOf((after ?? before)?.metadata.namespace, owner.name)] : [];
  },
  reconcile: (key, life) => {
    const job = life.world.store.get(storage, key);
    if (job !== undefined && job.metadata.deletionTimestamp === undefined) run(job, key, life);
  },
};

const phase = (pod: Obj) => at(pod, 'status', 'phase');
const finished = (job: Obj) =>
  recs(at(job, 'status', 'conditions')).some(
    (item) => (item['type'] === 'Complete' || item['type'] === 'Failed') && item['status'] === 'True',
  );

function run(job: Obj, key: string, life: Life): void {
  const { world } = life;
  const component = jobController.name;
  if (finished(job)) return;
  const pods = life.children.of(job.metadata.uid, '/pods');
  const active = pods.filter(isActive);
  const succeeded = pods.filter((pod) => phase(pod) === 'Succeeded').length;
  const failures = pods.filter((pod) => phase(pod) === 'Failed');
  const spec = rec(job['spec']);
  const parallelism = Number(spec['parallelism'] ?? 1);
  const completions = spec['completions'] === undefined ? undefined : Number(spec['completions']);
  const limit = Number(spec['backoffLimit'] ?? 6);
  const now = timestamp(world.clock.now());
  const startTime = at(job, 'status', 'startTime') ?? now;
  const state = (extra: Rec): Rec => ({
    ...(spec['suspend'] === true ? {} : { startTime }),
    ...(succeeded === 0 ? {} : { succeeded }),
    ...(failures.length === 0 ? {} : { failed: failures.length }),
    terminating: pods.filter((pod) => pod.metadata.deletionTimestamp !== undefined).length,
    uncountedTerminatedPods: {},
    ...extra,
  });
  const conditions = (types: string[], reason: string, message: string) =>
    types.map((type) => ({
      type,
      status: 'True',
      lastProbeTime: now,
      lastTransitionTime: now,
      reason,
      message,
    }));
  const done = completions === undefined ? succeeded > 0 && active.length === 0 : succeeded >= completions;
  if (done) {
    const reached = conditions(
      ['SuccessCriteriaMet', 'Complete'],
      'CompletionsReached',
      'Reached expected number of succeeded pods',
    );
    putStatus(world, storage, job, state({ ready: 0, completionTime: now, conditions: reached }));
    report(world, job, { type: 'Normal', reason: 'Completed', message: 'Job completed', component });
    return;
  }
  const restarts = pods.reduce(
    (sum, pod) =>
      sum +
      recs(at(pod, 'status', 'containerStatuses')).reduce(
        (n, item) => n + Number(item['restartCount'] ?? 0),
        0,
      ),
    0,
  );
  const tries =
    str(at(job, 'spec', 'template', 'spec', 'restartPolicy')) === 'OnFailure' ? restarts : failures.length;
  if (tries > limit) {
    const message = 'Job has reached the specified backoff limit';
    for (const pod of active) remove(world, '/pods', pod);
    const failed = conditions(['FailureTarget', 'Failed'], 'BackoffLimitExceeded', message);
    putStatus(world, storage, job, state({ ready: 0, conditions: failed }));
    report(world, job, { type: 'Warning', reason: 'BackoffLimitExceeded', message, component });
    return;
  }
  const suspended = spec['suspend'] === true;
  const left = completions === undefined ? parallelism : completions - succeeded;
  const wanted = suspended ? 0 : Math.min(parallelism, left);
  const last = Math.max(0, ...failures.map((pod) => Date.parse(str(endOf(pod)) || now)));
  const pause = failures.length === 0 ? 0 : Math.min(360_000, 10_000 * 2 ** (failures.length - 1));
  const rest = last + pause - world.clock.now();
  if (rest > 0 && active.length < wanted) life.look(jobController, key, rest + 50);
  else {
    for (let count = active.length; count < wanted; count++) {
      const pod = createPod(life, job, {});
      if (pod === undefined) break;
      active.push(pod);
      report(world, job, {
        type: 'Normal',
        reason: 'SuccessfulCreate',
        message: `Created pod: ${pod.metadata.name}`,
        component,
      });
    }
  }
  for (const pod of active.splice(Math.max(wanted, 0))) remove(world, '/pods', pod);
  putStatus(
    world,
    storage,
    job,
    state({
      ...(active.length === 0 ? {} : { active: active.length }),
      ready: active.filter(isReady).length,
    }),
  );
}

function endOf(pod: Obj): unknown {
  return recs(at(pod, 'status', 'containerStatuses')).map((item) =>
    at(item, 'state', 'terminated', 'finishedAt'),
  )[0];
}
