import type { Condition } from '../../../kube/object.ts';
import type { Tone } from '../../../registry/tone.ts';

/** Conditions whose truth is bad news; of every other `True` is good. */
const bad =
  /(Pressure|Unavailable|Failure|Failed|Remaining|Degraded|Stalled|Blocked|Error|DisruptionTarget|ScalingLimited|NonStructuralSchema|Terminating|Fallback|Paused|Suspended|FailureTarget)$/;

/** The tone of a condition: `warn` for what asks for attention, `info` for what is not known. */
export function conditionTone({ type, status }: Pick<Condition, 'type' | 'status'>): Tone {
  if (status !== 'True' && status !== 'False') return 'info';
  if (bad.test(type)) return status === 'True' ? 'warn' : 'idle';
  return status === 'True' ? 'ok' : 'warn';
}
