import { objectSteps } from './objects.ts';
import { podSteps } from './pods.ts';
import type { NextSteps } from './step.ts';

/** The next steps by the ids of the rules; `*.blocked` is for the rules of that name of all kinds without their own. */
export const nextSteps: NextSteps = { ...podSteps, ...objectSteps };

/** The key of the table that is for a rule; undefined for a rule that has no entry. */
export const stepKeyOf = (rule: string): string | undefined =>
  [rule, rule.replace(/^[^.]+/, '*')].find((key) => Object.hasOwn(nextSteps, key));

/** The next step of a finding of a rule, as a sentence; undefined where the finding says it. */
export function nextStepOf(rule: string): string | undefined {
  const step = nextSteps[stepKeyOf(rule) ?? ''];
  return typeof step === 'string' ? step : undefined;
}
