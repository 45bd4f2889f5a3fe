import { type Cause, cause } from '../kit/status.ts';
import type { Obj } from '../kit/values.ts';
import { hasRules, ruleCauses } from './rules.ts';
import type { Custom } from '../registry/structural.ts';
import { duplicateCauses, structuralCauses } from './validate.ts';

/**
 * Reasons of causes after which validation rules are skipped, since they would fail on missing or mistyped
 * values.
 */
const blocking = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const rulesSkippedProblem =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

/** The causes for which a custom object is refused: by its schema, its lists, then its validation rules. */
export function customCauses({ schema }: Custom, object: Obj, before: Obj | undefined): Cause[] {
  const causes = [...structuralCauses(schema, object), ...duplicateCauses(schema, object)];
  if (!hasRules(schema)) return causes;
  if (causes.some(({ reason }) => blocking.has(reason))) {
    return [...causes, cause.invalid('<nil>', undefined, rulesSkippedProblem)];
  }
  return [...causes, ...ruleCauses(schema, object, before)];
}
