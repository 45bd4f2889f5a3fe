import { type FirstByMeaning, summaryRank, unobservedChange } from './conclude.ts';
import { conditionIn, type CustomCondition, type Statement, statementOf } from './conditions.ts';
import { fieldAt, isPart, textIn } from './fields.ts';
import type { Polarity } from './polarity.ts';
import { generalRule, type StatusRule } from './rule.ts';
import { labelIn, meaningOf, toneOf, type Meaning } from './statements.ts';
import { isFailing } from './words.ts';

/** Maximum number of conditions of a list that are read. */
const maxConditions = 50;
/** Maximum number of members of a list in a status that are read. */
const maxParts = 64;

/** The meaning of a condition's statement for the whole object. */
function meaningIn(says: Statement, polarity: Polarity): Meaning {
  if (says === 'ok') return polarity === 'head' ? 'head' : polarity === 'step' ? 'done' : 'well';
  if (says !== 'info') return meaningOf[says];
  return polarity === 'head' || polarity === 'good' ? 'open' : polarity === 'step' ? 'unmet' : 'under-way';
}

/** The label for a condition's statement. */
function labelOf(condition: CustomCondition, says: Statement, isTroubleType: boolean): string {
  const { reason, status } = condition;
  // The domain in front of a type says nothing of the object.
  const type = condition.type.slice(condition.type.lastIndexOf('/') + 1);
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
  const meaning = meaningIn(says, polarity);
  const before = statements[meaning];
  const label = labelIn(labelOf(condition, says, polarity === 'bad' || polarity === 'warn'));
  const isBetter =
    meaning === 'head'
      ? before !== undefined && summaryRank(label) < summaryRank(before.label)
      : meaning === 'slow' && polarity === 'head';
  if (before !== undefined && !isBetter) return;
  const message = condition.message ?? (owner === '' ? undefined : condition.reason);
  statements[meaning] = {
    tone: toneOf(says),
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
