import { type FirstByMeaning, type Meaning, unobservedChange } from './conclude.ts';
import { conditionIn, type CustomCondition, type Statement, statementOf } from './conditions.ts';
import { fieldAt, isPart, textIn } from './fields.ts';
import type { Polarity } from './polarity.ts';
import { generalRule, type StatusRule } from './rule.ts';
import { labelIn, meaningOfTone } from './statements.ts';
import { isFailing } from './words.ts';

/** Maximum number of conditions of a list that are read. */
const maxConditions = 50;
/** Maximum number of members of a list in a status that are read. */
const maxParts = 64;

/** Summary conditions in order of precedence for the label of a healthy object. */
const summaryTypes = ['Ready', 'Healthy', 'Available', 'Succeeded', 'Programmed', 'Accepted'];
const rankOf = (label: string) => {
  const rank = summaryTypes.indexOf(label);
  return rank < 0 ? summaryTypes.length : rank;
};

/** The meaning of a condition's statement for the whole object. */
function meaningOf(says: Statement, polarity: Polarity): Meaning {
  switch (says) {
    case 'ok':
      return polarity === 'head' ? 'head' : 'well';
    case 'info':
      return polarity === 'head' || polarity === 'good' ? 'open' : 'under-way';
    case 'soft':
    case 'aside':
      return says;
    case 'bad':
    case 'warn':
    case 'idle':
      return meaningOfTone[says];
    default: {
      const never: never = says;
      return never;
    }
  }
}

/** The label for a condition's statement. */
function labelOf({ type, reason, status }: CustomCondition, says: Statement, isTroubleType: boolean): string {
  if (says === 'ok') return isTroubleType ? 'OK' : type;
  if (isTroubleType)
    return isFailing(reason) || /^(?:Warning|Error|Failed)$/.test(type) ? reason || type : type;
  if (status === 'True') return type;
  if (status !== 'False' && status !== 'Unknown') return status ?? type;
  return (reason !== type && reason) || (status === 'Unknown' ? `${type} unknown` : `Not ${type}`);
}

/** Adds a condition's statement. @param owner the part of the object that has it, empty for the object itself */
function addCondition(
  statements: FirstByMeaning,
  condition: CustomCondition,
  rule: StatusRule,
  generation: number,
  owner: string,
): void {
  const [says, polarity] = statementOf(condition, rule);
  if (says === undefined) return;
  const { observedGeneration, since } = condition;
  if (observedGeneration !== undefined && observedGeneration < generation) {
    statements.late ??= unobservedChange;
    return;
  }
  const meaning = meaningOf(says, polarity);
  const before = statements[meaning];
  const label = labelIn(labelOf(condition, says, polarity === 'bad' || polarity === 'warn'));
  if (before !== undefined && (meaning !== 'head' || rankOf(before.label) <= rankOf(label))) return;
  const message = condition.message ?? (owner === '' ? undefined : condition.reason);
  statements[meaning] = {
    tone: says === 'soft' || says === 'aside' ? 'bad' : says,
    label,
    message: owner === '' || message === undefined ? message : `${owner}: ${message}`,
    since,
  };
}

/**
 * Adds the statements of a list of conditions; of a value of any other shape, none.
 * @param generation that a condition must have observed to count; 0 for any
 * @param owner the part of the object that has them, empty for the object itself
 */
export function addConditions(
  statements: FirstByMeaning,
  list: unknown,
  rule: StatusRule,
  generation: number,
  owner: string,
): void {
  if (!Array.isArray(list)) return;
  for (let at = 0; at < list.length && at < maxConditions; at += 1) {
    const condition = conditionIn(list[at]);
    if (condition !== undefined) addCondition(statements, condition, rule, generation, owner);
  }
}

/** Compiles what adds the statements of the members of lists in a status that have conditions of their own. */
export function partStatements(
  rule: StatusRule,
): (statements: FirstByMeaning, object: object, generation: number) => void {
  const parts = (rule.parts ?? generalRule.parts).map(({ at, called, name }) => ({
    read: fieldAt(`status.${at}`),
    called,
    nameOf: fieldAt(name),
  }));

  return (statements, object, generation) => {
    for (const { read, called, nameOf } of parts) {
      const list = read(object);
      if (!Array.isArray(list)) continue;
      for (let at = 0; at < list.length && at < maxParts; at += 1) {
        const part: unknown = list[at];
        if (!isPart(part) || !Array.isArray(part['conditions'])) continue;
        const name = textIn(nameOf(part));
        const owner = name === undefined ? called : `${called} ${name}`;
        addConditions(statements, part['conditions'], rule, generation, owner);
      }
    }
  };
}
