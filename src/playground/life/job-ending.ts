import { at, type Obj, rec, recs, str } from '../kit/values.ts';
import { conditionOf } from './conditions.ts';
import { hasFailed, isIndexed, phaseOf, readIndexes } from './job-pods.ts';
import { metRule, matchedRule } from './job-policy.ts';

/** The decided end of a job, as the condition that precedes Complete or Failed. */
export interface JobEnding {
  readonly type: 'FailureTarget' | 'SuccessCriteriaMet';
  readonly reason: string;
  readonly message: string;
}

/** Inputs of the decision whether a job ends. */
export interface JobProgress {
  readonly pods: readonly Obj[];
  /** Number of failures that count. */
  readonly failures: number;
  /** Indexes that succeeded, and those that failed for good. */
  readonly succeededIndexes: ReadonlySet<number>;
  readonly failedIndexes: ReadonlySet<number>;
  /** Milliseconds; undefined without a deadline and while it does not apply. */
  readonly untilDeadline: number | undefined;
}

/** Container restarts of the unfinished pods. */
const restartsOf = (pods: readonly Obj[]): number =>
  pods
    .filter((pod) => phaseOf(pod) === 'Running' || phaseOf(pod) === 'Pending')
    .flatMap((pod) => [
      ...recs(at(pod, 'status', 'initContainerStatuses')),
      ...recs(at(pod, 'status', 'containerStatuses')),
    ])
    .reduce((sum, item) => sum + Number(item['restartCount'] ?? 0), 0);

const failure = (reason: string, message: string): JobEnding => ({ type: 'FailureTarget', reason, message });

/** The end of a job for any reason but the success of all its pods; undefined while it continues. */
export function endingOf(job: Obj, progress: JobProgress): JobEnding | undefined {
  const spec = rec(job['spec']);
  const { pods, failures, succeededIndexes, failedIndexes, untilDeadline } = progress;
  for (const type of ['SuccessCriteriaMet', 'FailureTarget'] as const) {
    const condition = conditionOf(recs(at(job, 'status', 'conditions')), type);
    if (condition?.['status'] === 'True')
      return { type, reason: str(condition['reason']), message: str(condition['message']) };
  }
  const failJobRule = pods
    .filter((pod) => hasFailed(pod, job))
    .map((pod) => matchedRule(job, pod))
    .find((rule) => rule?.action === 'FailJob');
  if (failJobRule !== undefined) return failure('PodFailurePolicy', failJobRule.message);
  const limit = Number(spec['backoffLimit'] ?? 6);
  const restartsInPlace = at(spec, 'template', 'spec', 'restartPolicy') === 'OnFailure';
  if (failures > limit || (restartsInPlace && restartsOf(pods) >= Math.max(1, limit))) {
    return failure('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  }
  if (untilDeadline !== undefined && untilDeadline <= 0) {
    return failure('DeadlineExceeded', 'Job was active longer than specified deadline');
  }
  if (!isIndexed(job)) return undefined;
  const maxFailedIndexes = spec['maxFailedIndexes'];
  if (typeof maxFailedIndexes === 'number' && failedIndexes.size > maxFailedIndexes) {
    const message = 'Job has exceeded the specified maximal number of failed indexes';
    return failure('MaxFailedIndexesExceeded', message);
  }
  if (
    failedIndexes.size > 0 &&
    failedIndexes.size + succeededIndexes.size >= Number(spec['completions'] ?? 0)
  ) {
    return failure('FailedIndexes', 'Job has failed indexes');
  }
  const rule = metRule(job, succeededIndexes, readIndexes);
  if (rule < 0) return undefined;
  return { type: 'SuccessCriteriaMet', reason: 'SuccessPolicy', message: `Matched rules at index ${rule}` };
}
