import type { KubeObject } from '../../../kube/object.ts';
import {
  conditionIn,
  type CustomCondition,
  partsIn,
  statementOf,
} from '../../../registry/custom-status/conditions.ts';
import { statusRuleOf } from '../../../registry/custom-status/families.ts';
import { fieldAt, textIn } from '../../../registry/custom-status/fields.ts';
import { generalRule, type StatusRule } from '../../../registry/custom-status/rule.ts';
import { toneOf } from '../../../registry/custom-status/statements.ts';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import type { Tone } from '../../../registry/tone.ts';

/** A condition as its line shows it. */
export interface ConditionLine extends CustomCondition {
  /** The part of the object that has it: a listener, a parent; empty for the object itself. */
  readonly of: string;
  readonly tone: Tone;
}

/** Conditions whose truth is bad news; of every other `True` is good. */
const badConditions =
  /(Pressure|Unavailable|Failure|Failed|Remaining|Degraded|Stalled|Blocked|Error|DisruptionTarget|ScalingLimited|NonStructuralSchema|Terminating|Fallback|Paused|Suspended|FailureTarget)$/;

/** The tone of a condition: `warn` for what asks for attention, `info` for what is not known. */
export function conditionTone({ type, status }: Pick<CustomCondition, 'type' | 'status'>): Tone {
  if (status !== 'True' && status !== 'False') return 'info';
  if (badConditions.test(type)) return status === 'True' ? 'warn' : 'idle';
  return status === 'True' ? 'ok' : 'warn';
}

/** The tone of a condition of a kind without a file: what the status of its object takes it for. */
function customTone(condition: CustomCondition, rule: StatusRule): Tone {
  const [says, polarity] = statementOf(condition, rule);
  if (says === 'ok') return polarity === 'bad' || polarity === 'warn' ? 'idle' : 'ok';
  if (says !== undefined) return toneOf(says);
  return condition.status === 'True' ? 'ok' : 'idle';
}

const rank = ({ tone }: ConditionLine) => (tone === 'bad' ? 0 : tone === 'warn' ? 1 : 2);

/**
 * The conditions of an object, the worst first; of a kind without a file also those of its parts. What is no condition is
 * left out, whatever the object holds.
 */
export function conditionLines(
  { group, kind, custom }: Pick<KindFacts, 'group' | 'kind' | 'custom'>,
  object: KubeObject,
): readonly ConditionLine[] {
  const rule = custom === undefined ? undefined : statusRuleOf(group, kind);
  const read = (value: unknown, of: string) =>
    partsIn(value).flatMap((part): ConditionLine[] => {
      const condition = conditionIn(part);
      if (condition === undefined) return [];
      const tone = rule === undefined ? conditionTone(condition) : customTone(condition, rule);
      return [{ ...condition, of, tone }];
    });
  const own = (rule?.conditions ?? generalRule.conditions).flatMap((at) => read(fieldAt(at)(object), ''));
  const parts = rule === undefined ? [] : (rule.parts ?? generalRule.parts);
  const ofParts = parts.flatMap(({ at, called, name }) =>
    partsIn(fieldAt(`status.${at}`)(object)).flatMap((part) => {
      const named = textIn(fieldAt(name)(part));
      return read(part['conditions'], named === undefined ? called : `${called} ${named}`);
    }),
  );
  return [...own, ...ofParts].sort((a, b) => rank(a) - rank(b));
}
