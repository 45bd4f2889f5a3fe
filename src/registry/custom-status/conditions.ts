import { epochSeconds } from '../../kube/age.ts';
import type { Tone } from '../tone.ts';
import { isPart, type Part, textIn } from './fields.ts';
import { type Polarity, polarityOf } from './polarity.ts';
import type { StatusRule } from './rule.ts';
import { isFailing, isHalted, isUnderWay, toneOfWord } from './words.ts';

/** A condition of an object, read without trusting its types. */
export interface CustomCondition {
  readonly type: string;
  /** Absent for conditions that are true by existing. */
  readonly status: string | undefined;
  readonly reason: string;
  readonly message: string | undefined;
  readonly severity: string | undefined;
  /** Epoch seconds. */
  readonly since: number | undefined;
  readonly observedGeneration: number | undefined;
}

/**
 * What one condition says about its object.
 * - a tone: exactly that
 * - `soft`: a problem, unless another statement says that work is in progress
 * - `aside`: a part failed: a problem, but a smaller one if the object is healthy otherwise
 */
export type Statement = Tone | 'soft' | 'aside';

/** Reads a condition; undefined if the value is not one. */
export function conditionIn(value: unknown): CustomCondition | undefined {
  if (!isPart(value)) return undefined;
  const type = textIn(value['type']);
  const { status } = value;
  if (type === undefined) return undefined;
  if (status !== undefined && typeof status !== 'string' && typeof status !== 'boolean') return undefined;
  const time = textIn(value['lastTransitionTime']);
  const observed = value['observedGeneration'];
  return {
    type,
    status: typeof status === 'boolean' ? (status ? 'True' : 'False') : status,
    reason: textIn(value['reason']) ?? '',
    message: textIn(value['message']),
    severity: textIn(value['severity']),
    since: time === undefined ? undefined : (epochSeconds(time) ?? undefined),
    observedGeneration: typeof observed === 'number' ? observed : undefined,
  };
}

/** Reasons of `Progressing` that mean that the work is finished. */
const finishedReason =
  /(?:Available|Complete|Completed|Succeeded|Successful|AsExpected|UpToDate|Ready|Running)$/;
/** Reasons that weaken a condition that is true. */
const weakeningReasons: ReadonlySet<string> = new Set([
  'Degraded',
  'PartiallyAvailable',
  'PartiallyReady',
  'PartiallyFailed',
]);

const bySeverity: Readonly<Record<string, Statement>> = { Info: 'info', Warning: 'warn', Error: 'bad' };

/** What a condition says that should be true and is not. */
function statementOfUntrue(
  { status, reason, severity }: CustomCondition,
  isHead: boolean,
): Statement | undefined {
  if (status === 'Unknown') return isFailing(reason) ? 'warn' : isHead ? 'info' : undefined;
  // The Prometheus operator's Available can be Degraded: partly working.
  if (status !== 'False') return toneOfWord(status ?? '', { degraded: 'warn' }) ?? 'info';
  const severe = severity === undefined ? undefined : bySeverity[severity];
  if (severe !== undefined) return severe;
  if (isHalted(reason)) return 'idle';
  if (isUnderWay(reason)) return 'info';
  if (isFailing(reason)) return isHead ? 'bad' : 'aside';
  return isHead ? 'soft' : undefined;
}

/** What a condition says by itself, and its polarity, given the polarity that its kind declares. */
export function statementOf(
  condition: CustomCondition,
  { polarity, isClosed, reasons }: Pick<StatusRule, 'polarity' | 'isClosed' | 'reasons'>,
): readonly [says: Statement | undefined, polarity: Polarity] {
  const { type, reason } = condition;
  const own = polarity !== undefined && Object.hasOwn(polarity, type) ? polarity[type] : undefined;
  const meant = own ?? (isClosed === true ? 'none' : polarityOf(type));
  const isTrouble = meant === 'bad' || meant === 'warn';
  // Argo CD's conditions have no status: a problem condition is true by existing.
  const isTrue = condition.status === undefined ? isTrouble : condition.status === 'True';
  const isWell = isTrouble ? !isTrue : isTrue;
  const reasonTone = reasons !== undefined && Object.hasOwn(reasons, reason) ? reasons[reason] : undefined;
  if (reasonTone !== undefined && !isWell && meant !== 'none') return [reasonTone, meant];
  return [
    statementByPolarity(condition, meant, {
      isTrue,
      isClosed: isClosed === true,
      isNamed: reasonTone !== undefined,
    }),
    meant,
  ];
}

function statementByPolarity(
  condition: CustomCondition,
  meant: Polarity,
  {
    isTrue,
    isClosed,
    isNamed,
  }: { readonly isTrue: boolean; readonly isClosed: boolean; readonly isNamed: boolean },
): Statement | undefined {
  const { status, reason } = condition;
  switch (meant) {
    case 'head':
    case 'good':
      if (isTrue) return weakeningReasons.has(reason) || isFailing(reason) ? 'warn' : 'ok';
      return status === undefined ? undefined : statementOfUntrue(condition, meant === 'head');
    case 'step':
      if (isTrue) return isFailing(reason) ? 'aside' : 'ok';
      return status === 'False' && isFailing(reason) ? 'aside' : undefined;
    case 'bad':
      return isTrue ? (isUnderWay(reason) ? 'info' : 'bad') : 'ok';
    case 'warn':
      return isTrue ? 'warn' : 'ok';
    case 'progress':
      if (isTrue)
        return isNamed || (!/Retry/.test(reason) && !isFailing(reason) && !finishedReason.test(reason))
          ? 'info'
          : undefined;
      return status === 'False' && isFailing(reason) ? 'aside' : undefined;
    case 'idle':
      return isTrue ? 'idle' : undefined;
    case 'none':
      return !isClosed && status === 'False' && isFailing(reason) ? 'aside' : undefined;
    default: {
      const never: never = meant;
      return never;
    }
  }
}

/** The members of a list of objects; empty for anything else, as a cluster may send any value. */
export const partsIn = (value: unknown): readonly Part[] =>
  Array.isArray(value) ? value.filter(isPart) : [];
