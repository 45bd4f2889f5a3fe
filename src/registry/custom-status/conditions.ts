import { epochSeconds } from '../../kube/age.ts';
import { plainMessage } from '../../kube/escape-sequences.ts';
import { isPart, type Part, textIn } from './fields.ts';
import { type Polarity, polarityOf } from './polarity.ts';
import type { StatusRule } from './rule.ts';
import {
  isAbsence,
  isFailing,
  isFailureMessage,
  isHalted,
  isUnderWay,
  readWord,
  type Saying,
} from './words.ts';

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
 * - `aside`: a part failed: a problem, but a smaller one if the object is healthy otherwise
 * - any other: the same as a word
 */
export type Statement = Saying | 'aside';

function messageIn(value: unknown): string | undefined {
  const message = textIn(value);
  return message === undefined ? undefined : plainMessage(message);
}

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
    message: messageIn(value['message']),
    severity: textIn(value['severity']),
    // The Gateway API's definitions write 1970 into new objects.
    since: (time === undefined ? undefined : epochSeconds(time)) || undefined,
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

/** A message that describes work in progress, where the reason says nothing. */
const underWayMessage =
  /^(?:waiting|pending|creating|initiali[sz]ing|provisioning|starting|deploying|installing|reconciling)\b|\b(?:in progress|(?:is|are) being (?:created|deployed|installed|provisioned|initiali[sz]ed|started)|in creating state)\b/i;

const bySeverity: Readonly<Record<string, Statement>> = { Info: 'info', Warning: 'warn', Error: 'bad' };

/** What a condition says that should be true and is not. */
function statementOfUntrue(
  { status, reason, severity, message }: CustomCondition,
  isHead: boolean,
): Statement | undefined {
  if (status === 'Unknown') {
    // Nothing is decided yet: what is missing may still be made.
    if (isFailing(reason)) return isAbsence(reason) ? 'slow' : 'warn';
    return isHead ? 'info' : 'slow';
  }
  // The Prometheus operator's Available can be Degraded: partly working.
  if (status !== 'False') return readWord(status ?? '', { degraded: 'warn' }) ?? 'info';
  const severe = severity === undefined ? undefined : bySeverity[severity];
  if (severe !== undefined) return severe;
  if (isHalted(reason)) return 'idle';
  if (isUnderWay(reason)) return isFailureMessage(message) ? 'warn' : 'info';
  if (isFailing(reason)) return isHead ? 'bad' : 'aside';
  return isHead && !underWayMessage.test(reason) && !underWayMessage.test(message ?? '') ? 'soft' : 'slow';
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
  const { type, status, reason } = condition;
  // Of the condition Running the reason says Running as well: that is no end.
  const isUnfinished = isNamed || type === 'Running';
  switch (meant) {
    case 'head':
    case 'good':
      if (isTrue) return weakeningReasons.has(reason) || isFailing(reason) ? 'warn' : 'ok';
      return status === undefined ? undefined : statementOfUntrue(condition, meant === 'head');
    case 'step':
      // The controllers of Ansible's operators write Running with the reason Running while they work.
      if (isTrue) return isFailing(reason) ? 'aside' : isUnderWay(reason) ? 'info' : 'ok';
      if (status !== 'False') return undefined;
      return isFailing(reason) ? 'aside' : 'info';
    case 'bad':
      return isTrue ? (isUnderWay(reason) ? 'info' : 'bad') : 'ok';
    case 'warn':
      return isTrue ? 'warn' : 'ok';
    case 'progress':
      if (isTrue)
        return isUnfinished || (!/Retry/.test(reason) && !isFailing(reason) && !finishedReason.test(reason))
          ? 'info'
          : undefined;
      if (isHalted(reason)) return 'idle';
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
