import { timestamp } from '../kit/clock.ts';
import { at, type Obj, type Rec, rec, recs, str } from '../kit/values.ts';
import { ownerKeys } from './adopt.ts';
import { conditionOf } from './conditions.ts';
import type { Controller, Life } from './engine.ts';
import { forgetEnds, noteEnds, pauseAfter } from './job-backoff.ts';
import { isJobOver, jobEnd } from './job-end.ts';
import { type JobEnding, endingOf } from './job-ending.ts';
import {
  endedAt,
  failuresBefore,
  hasFailed,
  indexOf,
  isIndexed,
  isStopping,
  isTracked,
  releasePod,
  releaseLeftPods,
  makeJobPod,
  phaseOf,
  readIndexes,
  replacesFailedOnly,
  writeIndexes,
} from './job-pods.ts';
import { matchedRule } from './job-policy.ts';
import { byDeletionOrder } from './pods.ts';
import { isActive, isReady, lastRefusal, putStatus, remove, report } from './write.ts';

const storage = 'batch/jobs';
const component = 'job-controller';

/** Runs a Job's pods until enough have succeeded or too many have failed. */
export const jobController: Controller = {
  name: component,
  interested: ({ storage: changedStorage, key, before, after }, life) => {
    if (changedStorage === storage) return [key];
    return changedStorage === '/pods' ? ownerKeys(life, after ?? before, 'Job', storage) : [];
  },
  reconcile: (key, life) => {
    const job = life.world.store.get(storage, key);
    releaseLeftPods(life, key, job);
    if (job === undefined) {
      forgetEnds(life, key);
      return;
    }
    const pods = life.children.of(job.metadata.uid, '/pods');
    if (job.metadata.deletionTimestamp !== undefined) {
      for (const pod of pods) releasePod(life, pod);
    } else if (isJobOver(job)) deleteExpired(job, key, life);
    else new JobSync(job, key, life, pods).go();
  },
};

/** Deletes a finished job after its `ttlSecondsAfterFinished`, if set. */
function deleteExpired(job: Obj, key: string, life: Life): void {
  for (const pod of life.children.of(job.metadata.uid, '/pods')) releasePod(life, pod);
  const seconds = at(job, 'spec', 'ttlSecondsAfterFinished');
  if (typeof seconds !== 'number') return;
  const untilExpiry =
    Date.parse(str(jobEnd(job)?.['lastTransitionTime'])) + seconds * 1000 - life.world.clock.now();
  if (untilExpiry > 0) life.look(jobController, key, untilExpiry);
  else remove(life.world, storage, job);
}

/** One sync of an unfinished job. */
class JobSync {
  readonly #job: Obj;
  readonly #key: string;
  readonly #life: Life;
  /** The job's pods at the start of the sync. */
  readonly #pods: readonly Obj[];
  readonly #spec: Rec;
  readonly #now: number;
  readonly #active: readonly Obj[];
  readonly #succeededIndexes: Set<number>;
  readonly #failedIndexes: Set<number>;
  /** Counts of the status; then the same including pods that ended since the last sync. */
  #succeeded: number;
  #failed: number;
  #successes = 0;
  #failures = 0;
  /** Milliseconds before another pod may be created. */
  #pause = 0;
  /** The last failed pod at each index that waits for a replacement, which takes over its failure count. */
  readonly #waiting = new Map<number, Obj>();
  #conditions: readonly Rec[];
  #startTime: unknown;

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
    this.#succeededIndexes = this.#inRange(readIndexes(status['completedIndexes']));
    this.#failedIndexes = this.#inRange(readIndexes(status['failedIndexes']));
  }

  go(): void {
    const suspended = this.#spec['suspend'] === true;
    if (!suspended && this.#startTime === undefined) this.#startTime = timestamp(this.#now);
    this.#countEnded();
    const ending = endingOf(this.#job, {
      pods: this.#pods,
      failures: this.#failures,
      succeededIndexes: this.#succeededIndexes,
      failedIndexes: this.#failedIndexes,
      untilDeadline: suspended ? undefined : this.#untilDeadline(),
    });
    if (ending !== undefined) {
      for (const pod of this.#active) this.#delete(pod);
      this.#finish(ending, this.#active);
      return;
    }
    const remaining = this.#untilDeadline();
    if (remaining !== undefined && !suspended) this.#life.look(jobController, this.#key, remaining);
    const active = this.#manage(suspended);
    if (active.length === 0 && this.#isComplete()) {
      const message = 'Reached expected number of succeeded pods';
      this.#finish({ type: 'SuccessCriteriaMet', reason: 'CompletionsReached', message }, []);
      return;
    }
    this.#resume(suspended);
    this.#releaseEnded(undefined);
    this.#store(active, {});
  }

  #inRange(indexes: Set<number>): Set<number> {
    const completions = this.#completions ?? Number.POSITIVE_INFINITY;
    return new Set(Array.from(indexes).filter((index) => index < completions));
  }

  get #completions(): number | undefined {
    return this.#spec['completions'] === undefined ? undefined : Number(this.#spec['completions']);
  }

  get #perIndex(): number | undefined {
    const limit = this.#spec['backoffLimitPerIndex'];
    return typeof limit === 'number' && isIndexed(this.#job) ? limit : undefined;
  }

  #untilDeadline(): number | undefined {
    const deadline = this.#spec['activeDeadlineSeconds'];
    if (typeof deadline !== 'number' || this.#startTime === undefined) return undefined;
    return Date.parse(str(this.#startTime)) + deadline * 1000 - this.#now;
  }

  #report(type: 'Normal' | 'Warning', reason: string, message: string): void {
    report(this.#life.world, this.#job, { type, reason, message, component });
  }

  /** Whether a pod counts: its index is within the completions, or the job is not indexed. */
  #counts(pod: Obj): boolean {
    const index = indexOf(pod);
    return !isIndexed(this.#job) || (index >= 0 && index < (this.#completions ?? 0));
  }

  /** Processes pods that ended since the last sync. */
  #countEnded(): void {
    const fresh = this.#pods.filter((pod) => isTracked(pod) && this.#counts(pod));
    const succeeded = fresh.filter((pod) => phaseOf(pod) === 'Succeeded');
    const failed = fresh.filter((pod) => hasFailed(pod, this.#job));
    if (isIndexed(this.#job)) for (const pod of succeeded) this.#succeededIndexes.add(indexOf(pod));
    this.#successes = isIndexed(this.#job) ? this.#succeededIndexes.size : this.#succeeded + succeeded.length;
    this.#failures = this.#failed + failed.filter((pod) => !this.#isIgnored(pod)).length;
    this.#pause = noteEnds(this.#life, this.#key, this.#job, succeeded, failed);
    const limit = this.#perIndex;
    if (limit === undefined) return;
    for (const pod of failed) {
      const isLast = !this.#isIgnored(pod) && failuresBefore(pod).counted >= limit;
      if (isLast || matchedRule(this.#job, pod)?.action === 'FailIndex')
        this.#failedIndexes.add(indexOf(pod));
    }
    const busy = new Set(this.#active.map(indexOf));
    const tries = (pod: Obj) => failuresBefore(pod).counted + failuresBefore(pod).ignored;
    for (const pod of failed) {
      const index = indexOf(pod);
      if (this.#succeededIndexes.has(index) || this.#failedIndexes.has(index) || busy.has(index)) continue;
      const waiting = this.#waiting.get(index);
      if (waiting === undefined || (tries(waiting) <= tries(pod) && endedAt(waiting) <= endedAt(pod)))
        this.#waiting.set(index, pod);
    }
  }

  #isIgnored(pod: Obj): boolean {
    return matchedRule(this.#job, pod)?.action === 'Ignore';
  }

  #isComplete(): boolean {
    const completions = this.#completions;
    if (completions === undefined) return this.#successes > 0;
    return this.#successes >= completions;
  }

  #delete(pod: Obj): void {
    remove(this.#life.world, '/pods', pod);
    this.#report('Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name ?? ''}`);
  }

  /** Deletes unwanted pods, which count neither as succeeded nor as failed. */
  #deleteAll(pods: readonly Obj[]): readonly Obj[] {
    for (const pod of pods) {
      releasePod(this.#life, pod);
      this.#delete(pod);
    }
    const out = new Set(pods);
    return this.#active.filter((pod) => !out.has(pod));
  }

  /** Creates or deletes pods. Returns the active ones; none while it waits after a failure. */
  #manage(suspended: boolean): readonly Obj[] {
    if (suspended) return this.#deleteAll(this.#active);
    const parallelism = Number(this.#spec['parallelism'] ?? 1);
    const completions = this.#completions;
    const activeCount = this.#active.length;
    // Without completions, no more pods are needed after one success.
    const wanted =
      completions === undefined
        ? this.#successes > 0
          ? activeCount
          : parallelism
        : Math.max(0, Math.min(parallelism, completions - this.#successes));
    const surplus = this.#surplusPods(Math.max(0, activeCount - wanted));
    if (surplus.length > 0) return this.#deleteAll(surplus);
    const stopping = replacesFailedOnly(this.#job) ? this.#pods.filter(isStopping).length : 0;
    const missing = wanted - stopping - activeCount;
    if (missing <= 0) return this.#active;
    if (this.#perIndex === undefined && this.#pause > 0) return this.#retryAfter(this.#pause);
    if (!isIndexed(this.#job)) return this.#createPods(Array.from({ length: missing }, () => undefined));
    const pauses = this.#freeIndexes(missing).map((index) => ({ index, pause: this.#pauseAt(index) }));
    const due = pauses.filter(({ pause }) => pause === 0).map(({ index }) => index);
    if (due.length > 0 || pauses.length === 0) return this.#createPods(due);
    return this.#retryAfter(Math.min(...pauses.map(({ pause }) => pause)));
  }

  #retryAfter(ms: number): readonly Obj[] {
    this.#life.look(jobController, this.#key, ms);
    return [];
  }

  /** Active pods to delete: those with a duplicate or invalid index, and the surplus. */
  #surplusPods(count: number): Obj[] {
    const order = byDeletionOrder(this.#active, this.#now);
    const duplicates: Obj[] = [];
    if (isIndexed(this.#job)) {
      const seen = new Set<number>();
      for (const pod of order.toReversed()) {
        if (!this.#counts(pod) || seen.has(indexOf(pod))) duplicates.push(pod);
        seen.add(indexOf(pod));
      }
    }
    const rest = order.filter((pod) => !duplicates.includes(pod));
    return [...duplicates, ...rest.slice(0, Math.max(0, count - duplicates.length))];
  }

  /** The lowest indexes without a pod, at most `count`. */
  #freeIndexes(count: number): number[] {
    const others = replacesFailedOnly(this.#job) ? this.#pods.filter(isStopping) : [];
    const busy = new Set([...this.#active, ...others].map(indexOf));
    const found: number[] = [];
    for (let index = 0; index < (this.#completions ?? 0) && found.length < count; index++) {
      if (!busy.has(index) && !this.#succeededIndexes.has(index) && !this.#failedIndexes.has(index))
        found.push(index);
    }
    return found;
  }

  #pauseAt(index: number): number {
    const last = this.#waiting.get(index);
    if (last === undefined) return 0;
    const { counted, ignored } = failuresBefore(last);
    return pauseAfter(counted + ignored + 1, endedAt(last), this.#now);
  }

  /** Creates a pod for each entry, at its index if it has one. */
  #createPods(indexes: readonly (number | undefined)[]): readonly Obj[] {
    const created: Obj[] = [];
    for (const index of indexes) {
      const last = this.#waiting.get(index ?? -1);
      const before = last === undefined ? { counted: 0, ignored: 0 } : failuresBefore(last);
      const ignored = last !== undefined && this.#isIgnored(last);
      const failures = {
        counted: before.counted + (last !== undefined && !ignored ? 1 : 0),
        ignored: before.ignored + (ignored ? 1 : 0),
      };
      const notes = this.#perIndex === undefined ? undefined : failures;
      const pod = makeJobPod(this.#life, this.#job, index, notes);
      if (pod === undefined) {
        this.#report('Warning', 'FailedCreate', `Error creating: ${lastRefusal(this.#life.world)}`);
        this.#life.look(jobController, this.#key, 15_000);
        break;
      }
      created.push(pod);
      this.#report('Normal', 'SuccessfulCreate', `Created pod: ${pod.metadata.name ?? ''}`);
    }
    return [...this.#active, ...created];
  }

  #condition(type: string, reason: string, message: string, status = 'True'): boolean {
    const now = timestamp(this.#now);
    const old = conditionOf(this.#conditions, type);
    const isSame = old?.['status'] === status && old['reason'] === reason && old['message'] === message;
    if (isSame || (old === undefined && status === 'False')) return false;
    const next = { type, status, lastProbeTime: now, lastTransitionTime: now, reason, message };
    this.#conditions =
      old === undefined
        ? [...this.#conditions, next]
        : this.#conditions.map((item) => (item === old ? next : item));
    return true;
  }

  #resume(suspended: boolean): void {
    if (suspended) {
      this.#startTime = undefined;
      if (this.#condition('Suspended', 'JobSuspended', 'Job suspended'))
        this.#report('Normal', 'Suspended', 'Job suspended');
    } else if (this.#condition('Suspended', 'JobResumed', 'Job resumed', 'False')) {
      this.#startTime = timestamp(this.#now);
      this.#report('Normal', 'Resumed', 'Job resumed');
    }
  }

  /** Counts finished pods and removes their finalizer; all pods when the job ends. */
  #releaseEnded(ending: JobEnding | undefined): void {
    const { world } = this.#life;
    for (const pod of this.#pods.filter(isTracked)) {
      const succeeded = phaseOf(pod) === 'Succeeded';
      const failed = hasFailed(pod, this.#job);
      if (ending === undefined && !succeeded && (!failed || this.#waitsForReplacement(pod))) continue;
      if (succeeded) this.#succeeded += 1;
      // A failed job counts its unfinished pods as failed.
      else if (failed || ending?.type === 'FailureTarget') {
        if (this.#counts(pod) && !this.#isIgnored(pod)) this.#failed += 1;
      }
      const { namespace = '', name = '' } = pod.metadata;
      const now = world.store.get('/pods', `${namespace}/${name}`);
      if (now !== undefined && now.metadata.uid === pod.metadata.uid) releasePod(this.#life, now);
    }
    if (isIndexed(this.#job)) this.#succeeded = this.#succeededIndexes.size;
  }

  /** Whether a failed pod is kept until its replacement has taken over its failure count. */
  #waitsForReplacement(pod: Obj): boolean {
    return this.#waiting.get(indexOf(pod))?.metadata.uid === pod.metadata.uid;
  }

  /**
   * Stores the end of the job, which is final once its last pod has stopped. `active`: pods that are being
   * deleted.
   */
  #finish(ending: JobEnding, active: readonly Obj[]): void {
    const { type, reason, message } = ending;
    this.#condition(type, reason, message);
    this.#releaseEnded(ending);
    const waits = this.#life.children.of(this.#job.metadata.uid, '/pods').some(isStopping);
    if (waits || active.length > 0) {
      this.#store([], {});
      return;
    }
    if (type === 'FailureTarget') {
      this.#condition('Failed', reason, message);
      this.#store([], {});
      this.#report('Warning', reason, message);
      return;
    }
    this.#condition('Complete', reason, message);
    this.#store([], { completionTime: timestamp(this.#now) });
    this.#report('Normal', 'Completed', 'Job completed');
  }

  #store(active: readonly Obj[], extra: Rec): void {
    const stopping = this.#life.children.of(this.#job.metadata.uid, '/pods').filter(isStopping).length;
    putStatus(this.#life.world, storage, this.#job, {
      ...(this.#startTime === undefined ? {} : { startTime: this.#startTime }),
      ...(active.length === 0 ? {} : { active: active.length }),
      ready: active.filter(isReady).length,
      ...(this.#succeeded === 0 ? {} : { succeeded: this.#succeeded }),
      ...(this.#failed === 0 ? {} : { failed: this.#failed }),
      ...(this.#succeededIndexes.size === 0
        ? {}
        : { completedIndexes: writeIndexes(this.#succeededIndexes) }),
      ...(this.#perIndex === undefined ? {} : { failedIndexes: writeIndexes(this.#failedIndexes) }),
      terminating: stopping,
      uncountedTerminatedPods: {},
      ...(this.#conditions.length === 0 ? {} : { conditions: this.#conditions }),
      ...extra,
    });
  }
}
