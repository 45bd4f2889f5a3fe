import type { Rec } from '../kit/values.ts';

/** The condition of a type; undefined when there is none. */
export function conditionOf(conditions: readonly Rec[], type: string): Rec | undefined {
  return conditions.find((item) => item['type'] === type);
}

/**
 * Sets a condition as the workload controllers do: a changed one moves to the end, one with the same status and
 * reason stays, and the transition time changes only with the status.
 */
export function moveCondition(conditions: readonly Rec[], next: Rec, now: string): readonly Rec[] {
  const old = conditionOf(conditions, String(next['type']));
  if (old !== undefined && old['status'] === next['status'] && old['reason'] === next['reason']) {
    return conditions;
  }
  const isSameStatus = old !== undefined && old['status'] === next['status'];
  const lastTransitionTime = isSameStatus ? old['lastTransitionTime'] : now;
  return [...withoutCondition(conditions, String(next['type'])), { ...next, lastTransitionTime }];
}

/** The conditions without that of a type. */
export function withoutCondition(conditions: readonly Rec[], type: string): readonly Rec[] {
  return conditions.some((item) => item['type'] === type)
    ? conditions.filter((item) => item['type'] !== type)
    : conditions;
}
