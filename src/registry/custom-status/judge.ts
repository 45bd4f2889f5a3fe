import { epochSeconds } from '../../kube/age.ts';
import type { CustomObject } from '../../kube/custom.ts';
import { conclude, type CustomHealth, type FirstByMeaning, unobservedChange } from './conclude.ts';
import { addConditions, partStatements } from './condition-statements.ts';
import {
  addAwaited,
  addPartError,
  addUnruledWords,
  answerStatements,
  countStatements,
  pauseReader,
  wordStatements,
} from './field-statements.ts';
import { fieldAt, isPart } from './fields.ts';
import { generalRule, type StatusRule } from './rule.ts';
import { conditionListsIn } from './scan.ts';

/** Judges the health of objects of one kind. Accepts objects of any shape and takes bounded time. */
export type CustomJudge = (object: CustomObject) => CustomHealth;

/** Fields that pause a controller, on any kind; problems still show. */
const generalPauseFields = ['spec.suspend', 'spec.suspended', 'spec.paused'].map(fieldAt);
const isTruePauseField = (object: CustomObject) => generalPauseFields.some((read) => read(object) === true);

/**
 * Compiles the judge of a kind's objects. @param ignoresGeneration whether its generation also counts status changes
 */
export function customJudge(rule: StatusRule, ignoresGeneration = false): CustomJudge {
  const conditionFields = (rule.conditions ?? generalRule.conditions).map(fieldAt);
  const pauseLabelOf = pauseReader(rule);
  const addWords = wordStatements(rule);
  const addParts = partStatements(rule);
  const addCounts = countStatements(rule);
  const addAnswers = answerStatements(rule);

  return (object) => {
    const { metadata, status } = object;
    if (metadata?.deletionTimestamp !== undefined) return { tone: 'info', label: 'Terminating' };
    const pauseLabel = pauseLabelOf(object);
    if (pauseLabel !== undefined) return { tone: 'idle', label: pauseLabel };
    const created = epochSeconds(metadata?.creationTimestamp) ?? undefined;
    if (!isPart(status)) {
      const unanswered: FirstByMeaning = {};
      addAnswers(unanswered, object);
      return conclude(unanswered, false, false, created);
    }
    const generation = ignoresGeneration ? 0 : (metadata?.generation ?? 0);
    const observed = observedIn(status);
    const isObserved = observed !== undefined && observed >= generation;
    const isLate = observed !== undefined && !isObserved;

    const statements: FirstByMeaning = {};
    // A healthy statement refers to the earlier spec; a failure stays until the controller says otherwise.
    if (isLate) statements.late = unobservedChange;
    const decided = addWords(statements, object);
    if (decided !== undefined)
      return decided.tone === 'ok' && statements.late !== undefined ? unobservedChange : decided;
    // If the status as a whole is current, its conditions need no generation of their own.
    const required = isObserved ? 0 : generation;
    for (const read of conditionFields) addConditions(statements, read(object), rule, required, '');
    if (rule.conditions === undefined)
      for (const list of conditionListsIn(status)) addConditions(statements, list, rule, required, '');
    addParts(statements, object, generation);
    addCounts(statements, object);
    addAnswers(statements, object);
    addPartError(statements, status);
    if (rule.words === undefined) addUnruledWords(statements, status, rule);
    addAwaited(statements, rule);
    return conclude(statements, isLate, isTruePauseField(object), created);
  };
}

/** The generation that a status refers to, which some controllers write as text; undefined if it is invalid. */
function observedIn(status: object): number | undefined {
  const { observedGeneration, lastEvaluatedGeneration } = status as Readonly<Record<string, unknown>>;
  const value = observedGeneration ?? lastEvaluatedGeneration;
  if (typeof value === 'number') return value;
  // Older Argo Rollouts wrote a hash here.
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
