import { timestamp } from '../clock.ts';
import { at, type Obj, type Rec, rec, recs, str } from '../values.ts';
import { ownerKeys } from './adopt.ts';
import { conditionOf } from './conditions.ts';
import type { Controller, Life } from './engine.ts';
import { isJobOver, jobEnd } from './job-end.ts';
import {
  endedAt,
  indexOf,
  isDone,
  isIndexed,
  letGo,
  makeJobPod,
  phaseOf,
  readIndexes,
  tracking,
  writeIndexes,
} from './job-pods.ts';
import { metRule, ruling } from './job-policy.ts';
import { isActive, isReady, lastRefusal, putStatus, remove, report } from './write.ts';

const storage = 'batch/jobs';
const component = 'job-controller';
/** A pod that failed is made again after this time, twice as long each time, ms. */
const firstPause = 10_000;
const longestPause = 600_000;

/** Runs a Job's pods until enough have succeeded or too many have failed. */
export const jobController: Controller = {
  name: component,
  interested: ({ storage: place, key, before, after }, life) => {
    if (place === storage) return after === undefined ? [] : [key];
    return place === '/pods' ? ownerKeys(life, after ?? before, 'Job', storage) : [];
  },
  reconcile: (key, life) => {
    const job = life.world.store.get(storage, key);
    if (job === undefined) {
      // Pods that a job has left behind wait for nobody's count.
      for (const id of life.children.orphans('/pods', key.slice(0, key.indexOf('/')))) {
        const pod = life.world.store.get('/pods', id);
        if (pod !== undefined) letGo(life, pod);
      }
      return;
    }
    const pods = life.children.of(job.metadata.uid, '/pods');
    if (job.metadata.deletionTimestamp !== undefined) {
      for (const pod of pods) letGo(life, pod);
    } else if (isJobOver(job)) expire(job, key, life);
    else new Run(job, key, life, pods).go();
  },
};

/** Removes a job some time after its end, where that is asked for. */
function expire(job: Obj, key: string, life: Life): void {
  for (const pod of life.children.of(job.metadata.uid, '/pods')) letGo(life, pod);
  const seconds = at(job, 'spec', 'ttlSecondsAfterFinished');
  if (typeof seconds !== 'number') return;
  const left = Date.parse(str(jobEnd(job)?.['lastTransitionTime'])) + seconds * 1000 - life.world.clock.now();
  if (left > 0) life.look(jobController, key, left);
  else remove(life.world, storage, job);
}

/** One look at a job that has not ended. */
class Run {
  readonly #job: Obj;
  readonly #key: string;
  readonly #life: Life;
  readonly #pods: readonly Obj[];
  readonly #spec: Rec;
  readonly #now: number;
  #succeeded: number;
  #failed: number;
  #active: Obj[];
  readonly #done = new Set<number>();
  readonly #lost = new Set<number>();
  #conditions: readonly Rec[];
  #startTime: unknown;
  /** A failure that the job's own policy ends it for. */
  #verdict: string | undefined;

  constructor(job: Obj, key: string, life: Life, pods: readonly Obj[]) {
    const status = rec(job['status']);
    this.#job = job;
    this.#key = key;
    this.#life = life;
    this.#pods = pods;
    this.#spec = rec(job['spec']);
    this.#now = life.world.clock.now();
    this.#active = pods.filter(isActive);
    this.#succeeded = Number(status['succeeded'] ?? 0);
    this.#failed = Number(status['failed'] ?? 0);
    this.#conditions = recs(status['conditions']);
    this.#startTime = status['startTime'];
    for (const index of readIndexes(status['completedIndexes'])) this.#done.add(index);
    for (const index of readIndexes(status['failedIndexes'])) this.#lost.add(index);
  }

  go(): void {
    const suspended = this.#spec['suspend'] === true;
    if (!suspended && this.#startTime === undefined) this.#startTime = timestamp(this.#now);
    this.#count();
    const target = conditionOf(this.#conditions, 'FailureTarget');
    if (target !== undefined) this.#fail(str(target['reason']), str(target['message']));
    else if (!this.#judge()) {
      if (suspended) this.#suspend();
      else this.#work();
    }
  }

  /** Counts the pods that have ended since the last look, and lets them go. */
  #count(): void {
    const ended = this.#pods.filter(
      (pod) => isDone(pod, this.#now) && (pod.metadata.finalizers ?? []).includes(tracking),
    );
    for (const pod of ended) {
      const index = indexOf(pod);
      if (phaseOf(pod) === 'Succeeded') {
        if (!isIndexed(this.#job)) this.#succeeded += 1;
        else if (index >= 0) this.#done.add(index);
      } else this.#countFailure(pod, index);
    }
    if (isIndexed(this.#job)) this.#succeeded = this.#done.size;
    if (ended.length === 0) return;
    this.#store({});
    for (const pod of ended) letGo(this.#life, pod);
  }

  #countFailure(pod: Obj, index: number): void {
    const rule = ruling(this.#job, pod);
    if (rule?.action === 'Ignore') return;
    this.#failed += 1;
    if (rule?.action === 'FailJob') this.#verdict ??= rule.message;
    const perIndex = this.#spec['backoffLimitPerIndex'];
    if (typeof perIndex !== 'number' || index < 0) return;
    const mine = this.#pods.filter((other) => indexOf(other) === index && phaseOf(other) === 'Failed').length;
    if (mine > perIndex || rule?.action === 'FailIndex') this.#lost.add(index);
  }

  #tell(type: 'Normal' | 'Warning', reason: string, message: string): void {
    report(this.#life.world, this.#job, { type, reason, message, component });
  }

  get #completions(): number | undefined {
    return this.#spec['completions'] === undefined ? undefined : Number(this.#spec['completions']);
  }

  get #limit(): number {
    return Number(this.#spec['backoffLimit'] ?? 6);
  }

  /** Ends the job when it has reached what it wants, or cannot any more. Returns whether it did. */
  #judge(): boolean {
    const perIndex = typeof this.#spec['backoffLimitPerIndex'] === 'number';
    const restarts = this.#active.reduce(
      (sum, pod) =>
        sum +
        recs(at(pod, 'status', 'containerStatuses')).reduce(
          (n, item) => n + Number(item['restartCount'] ?? 0),
          0,
        ),
      0,
    );
    const again = at(this.#spec, 'template', 'spec', 'restartPolicy') === 'OnFailure';
    const deadline = this.#spec['activeDeadlineSeconds'];
    const age = this.#now - Date.parse(str(this.#startTime));
    if (this.#verdict !== undefined) return this.#fail('PodFailurePolicy', this.#verdict);
    if (
      (!perIndex && this.#failed > this.#limit) ||
      (again && restarts > 0 && restarts >= Math.max(1, this.#limit))
    ) {
      return this.#fail('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
    }
    if (typeof deadline === 'number' && this.#startTime !== undefined && this.#spec['suspend'] !== true) {
      if (age >= deadline * 1000) {
        return this.#fail('DeadlineExceeded', 'Job was active longer than specified deadline');
      }
      this.#life.look(jobController, this.#key, deadline * 1000 - age);
    }
    const most = this.#spec['maxFailedIndexes'];
    if (typeof most === 'number' && this.#lost.size > most) {
      const message = 'Job has exceeded the specified maximal number of failed indexes';
      return this.#fail('MaxFailedIndexesExceeded', message);
    }
    const completions = this.#completions;
    if (
      this.#lost.size > 0 &&
      completions !== undefined &&
      this.#lost.size + this.#succeeded >= completions
    ) {
      return this.#fail('FailedIndexes', 'Job has failed indexes');
    }
    const rule = metRule(this.#job, this.#done, readIndexes);
    if (rule >= 0) return this.#complete('SuccessPolicy', `Matched rules at index ${rule}`);
    const enough =
      completions === undefined
        ? this.#succeeded > 0 && this.#active.length === 0
        : this.#succeeded >= completions;
    return enough && this.#complete('CompletionsReached', 'Reached expected number of succeeded pods');
  }

  #condition(type: string, reason: string, message: string, status = 'True'): void {
    const now = timestamp(this.#now);
    const old = conditionOf(this.#conditions, type);
    if (old?.['status'] === status && old['reason'] === reason) return;
    const next = { type, status, lastProbeTime: now, lastTransitionTime: now, reason, message };
    this.#conditions =
      old === undefined
        ? [...this.#conditions, next]
        : this.#conditions.map((item) => (item === old ? next : item));
  }

  #dismiss(pods: readonly Obj[]): void {
    for (const pod of pods) {
      remove(this.#life.world, '/pods', pod);
      this.#tell('Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name ?? ''}`);
    }
  }

  /** Stops what runs; once all has stopped the job has failed. */
  #fail(reason: string, message: string): boolean {
    const waits = this.#pods.some((pod) => !isDone(pod, this.#now));
    this.#condition('FailureTarget', reason, message);
    this.#dismiss(this.#active);
    this.#active = [];
    if (!waits) {
      this.#condition('Failed', reason, message);
      this.#tell('Warning', reason, message);
    }
    this.#store({});
    return true;
  }

  #complete(reason: string, message: string): boolean {
    const waits = this.#pods.some((pod) => !isDone(pod, this.#now));
    this.#condition('SuccessCriteriaMet', reason, message);
    this.#dismiss(this.#active);
    this.#active = [];
    if (waits) this.#store({});
    else {
      this.#condition('Complete', reason, message);
      this.#store({ completionTime: timestamp(this.#now) });
      this.#tell('Normal', 'Completed', 'Job completed');
    }
    return true;
  }

  #suspend(): void {
    this.#dismiss(this.#active);
    this.#active = [];
    if (conditionOf(this.#conditions, 'Suspended')?.['status'] !== 'True') {
      this.#tell('Normal', 'Suspended', 'Job suspended');
    }
    this.#condition('Suspended', 'JobSuspended', 'Job suspended');
    this.#startTime = undefined;
    this.#store({});
  }

  /** Makes pods as far as the parallelism, the completions and the pauses after failures allow. */
  #work(): void {
    if (conditionOf(this.#conditions, 'Suspended')?.['status'] === 'True') {
      this.#condition('Suspended', 'JobResumed', 'Job resumed', 'False');
      this.#startTime = timestamp(this.#now);
      this.#tell('Normal', 'Resumed', 'Job resumed');
    }
    const parallelism = Number(this.#spec['parallelism'] ?? 1);
    const completions = this.#completions;
    // Without a number of completions, one success means that no more pods are needed.
    const left =
      completions === undefined
        ? this.#succeeded > 0
          ? this.#active.length
          : parallelism
        : completions - this.#succeeded;
    const stopping =
      this.#spec['podReplacementPolicy'] === 'Failed'
        ? this.#pods.filter((pod) => !isActive(pod) && !isDone(pod, this.#now)).length
        : 0;
    const wanted = Math.max(0, Math.min(parallelism, left) - stopping);
    if (this.#active.length > wanted) {
      const surplus = [...this.#active].sort((a, b) => Number(isReady(a)) - Number(isReady(b)));
      const out = new Set(surplus.slice(0, this.#active.length - wanted));
      this.#dismiss([...out]);
      this.#active = this.#active.filter((pod) => !out.has(pod));
    } else if (isIndexed(this.#job)) this.#launchIndexes(wanted, completions ?? 0);
    else this.#launch(wanted);
    this.#store({});
  }

  /** Milliseconds to wait before the next pod because of those that failed since the last success. */
  #pause(pods: readonly Obj[]): number {
    const success = Math.max(0, ...pods.filter((pod) => phaseOf(pod) === 'Succeeded').map(endedAt));
    const failures = pods.filter((pod) => phaseOf(pod) === 'Failed' && endedAt(pod) >= success);
    if (failures.length === 0) return 0;
    const pause = Math.min(longestPause, firstPause * 2 ** (failures.length - 1));
    return Math.max(...failures.map(endedAt)) + pause - this.#now;
  }

  #launch(wanted: number): void {
    const pause = this.#pause(this.#pods);
    if (pause > 0 && this.#active.length < wanted) this.#life.look(jobController, this.#key, pause);
    else while (this.#active.length < wanted && this.#make(undefined));
  }

  #launchIndexes(wanted: number, completions: number): void {
    const busy = new Set(this.#pods.filter((pod) => !isDone(pod, this.#now)).map(indexOf));
    const perIndex = typeof this.#spec['backoffLimitPerIndex'] === 'number';
    for (let index = 0; index < completions && this.#active.length < wanted; index++) {
      if (busy.has(index) || this.#done.has(index) || this.#lost.has(index)) continue;
      const pause = this.#pause(perIndex ? this.#pods.filter((pod) => indexOf(pod) === index) : this.#pods);
      if (pause > 0) this.#life.look(jobController, this.#key, pause);
      else if (!this.#make(index)) return;
    }
  }

  #make(index: number | undefined): boolean {
    const pod = makeJobPod(this.#life, this.#job, index);
    if (pod === undefined) {
      this.#tell('Warning', 'FailedCreate', `Error creating: ${lastRefusal(this.#life.world)}`);
      this.#life.look(jobController, this.#key, 15_000);
      return false;
    }
    this.#active.push(pod);
    this.#tell('Normal', 'SuccessfulCreate', `Created pod: ${pod.metadata.name ?? ''}`);
    return true;
  }

  #store(extra: Rec): void {
    const stopping = this.#life.children
      .of(this.#job.metadata.uid, '/pods')
      .filter((pod) => pod.metadata.deletionTimestamp !== undefined && !isDone(pod, this.#now)).length;
    const active = this.#active.length;
    const perIndex = typeof this.#spec['backoffLimitPerIndex'] === 'number';
    putStatus(this.#life.world, storage, this.#job, {
      ...(this.#startTime === undefined ? {} : { startTime: this.#startTime }),
      ...(active === 0 ? {} : { active }),
      ready: this.#active.filter(isReady).length,
      ...(this.#succeeded === 0 ? {} : { succeeded: this.#succeeded }),
      ...(this.#failed === 0 ? {} : { failed: this.#failed }),
      ...(this.#done.size === 0 ? {} : { completedIndexes: writeIndexes(this.#done) }),
      ...(perIndex ? { failedIndexes: writeIndexes(this.#lost) } : {}),
      terminating: stopping,
      uncountedTerminatedPods: {},
      ...(this.#conditions.length === 0 ? {} : { conditions: this.#conditions }),
      ...extra,
    });
  }
}
