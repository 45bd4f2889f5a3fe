import { createRequire } from 'node:module';
import type * as CelModule from '@marcbachmann/cel-js';
import { type Cause, cause } from '../kit/status.ts';
import { isRec, type Rec, str } from '../kit/values.ts';
import { LibraryError } from './cel-extension.ts';
import { withLibraries } from './cel-library.ts';
import type { Rule, Structural } from '../registry/structural.ts';

type Cel = typeof CelModule;
type Environment = CelModule.Environment;
type ParseResult = CelModule.ParseResult;

let cel: Cel | undefined;
let environment: Environment | undefined;

/** Loads the CEL module on the first use, since few clusters have rules. */
function language(): { cel: Cel; environment: Environment } {
  cel ??= createRequire(import.meta.url)('@marcbachmann/cel-js') as Cel;
  environment ??= withLibraries(
    new cel.Environment({
      unlistedVariablesAreDyn: true,
      homogeneousAggregateLiterals: false,
      enableOptionalTypes: true,
    }),
    cel.Optional,
  );
  return { cel, environment };
}

const parsedRules = new WeakMap<Rule, ParseResult>();

function expression(rule: Rule): ParseResult {
  const parsed = parsedRules.get(rule) ?? language().environment.parse(rule.rule);
  parsedRules.set(rule, parsed);
  return parsed;
}

/** The syntax tree of an expression. Throws a ParseError of the CEL module. */
export function parseExpression(text: string): CelModule.ParseResult['ast'] {
  return language().environment.parse(text).ast;
}

/** A value with CEL's types: integers become bigint where the schema says so. */
function celValue(schema: Structural | undefined, value: unknown): unknown {
  if (typeof value === 'number') {
    return schema?.type !== 'number' && Number.isInteger(value) ? BigInt(value) : value;
  }
  if (typeof value === 'string' && (schema?.format === 'date-time' || schema?.format === 'date')) {
    return new Date(value);
  }
  if (typeof value === 'string' && schema?.format === 'duration') {
    return language().environment.evaluate('duration(text)', { text: value });
  }
  if (Array.isArray(value)) return value.map((item: unknown) => celValue(schema?.items, item));
  if (!isRec(value)) return value;
  const { properties, additionalProperties } = schema ?? {};
  const rest = isRec(additionalProperties) ? (additionalProperties as Structural) : undefined;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, celValue(properties?.[key] ?? rest, item)]),
  );
}

const sentence = ({ message, rule }: Rule) => message?.trim() ?? `failed rule: ${rule.trim()}`;

const reasons: Readonly<Record<string, (field: string, why: string) => Cause>> = {
  FieldValueRequired: cause.required,
  FieldValueForbidden: cause.forbidden,
  FieldValueDuplicate: (field, why) => ({
    reason: 'FieldValueDuplicate',
    message: `Duplicate value: ${why}`,
    field,
  }),
};

function check(rule: Rule, schema: Structural, self: unknown, old: unknown, path: string): Cause[] {
  const comparing = /\boldSelf\b/.test(rule.rule);
  const optional = rule.optionalOldSelf === true;
  if (comparing && old === undefined && !optional) return [];
  const { Optional } = language().cel;
  const before = celValue(schema, old);
  const oldSelf = optional ? (old === undefined ? Optional.none() : Optional.of(before)) : before;
  const context = { self: celValue(schema, self), ...(old === undefined && !optional ? {} : { oldSelf }) };
  const field = rule.fieldPath === undefined ? path : `${path}${rule.fieldPath}`.replace(/^\./, '');
  try {
    if (expression(rule)(context) === true) return [];
    const why = messageOf(rule, context);
    return [(reasons[rule.reason ?? ''] ?? cause.refused)(field === '' ? '<nil>' : field, why)];
  } catch (error) {
    const message = error instanceof Error ? ((error as { summary?: string }).summary ?? error.message) : '';
    const isServerMessage =
      error instanceof LibraryError || (error as { cause?: unknown }).cause instanceof LibraryError;
    const sentenceStart = isServerMessage ? message : `${message.charAt(0).toLowerCase()}${message.slice(1)}`;
    const why = `${sentenceStart} evaluating rule: ${sentence(rule)}`;
    return [cause.refused(path === '' ? '<nil>' : path, why)];
  }
}

function messageOf(rule: Rule, context: Rec): string {
  if (rule.messageExpression === undefined) return sentence(rule);
  try {
    const message: unknown = language().environment.evaluate(rule.messageExpression, context);
    if (typeof message === 'string' && message.trim() !== '' && !message.includes('\n'))
      return message.trim();
  } catch {
    // A failing messageExpression counts as absent, as in the API server.
  }
  return sentence(rule);
}

/** The causes for which the rules of a schema refuse a value. `old`: the stored value on an update. */
export function ruleCauses(schema: Structural, value: unknown, old: unknown, path = ''): Cause[] {
  const causes = (schema['x-kubernetes-validations'] ?? []).flatMap((rule) =>
    check(rule, schema, value, old, path),
  );
  return [...causes, ...nestedCauses(schema, value, old, path)];
}

function nestedCauses(schema: Structural, value: unknown, old: unknown, path: string): Cause[] {
  const { items, properties, additionalProperties } = schema;
  if (Array.isArray(value)) {
    if (items === undefined || !hasRules(items)) return [];
    return value.flatMap((item: unknown, index) =>
      ruleCauses(items, item, storedItem(schema, item, old), `${path}[${index}]`),
    );
  }
  if (!isRec(value)) return [];
  const previous = isRec(old) ? old : {};
  return Object.entries(value).flatMap(([key, item]) => {
    const fieldSchema = properties?.[key];
    if (fieldSchema !== undefined && hasRules(fieldSchema)) {
      return ruleCauses(fieldSchema, item, previous[key], path === '' ? key : `${path}.${key}`);
    }
    if (fieldSchema !== undefined || !isRec(additionalProperties) || !hasRules(additionalProperties))
      return [];
    return ruleCauses(additionalProperties, item, previous[key], `${path}[${key}]`);
  });
}

/**
 * The stored item with the same keys as an item of a keyed list; undefined in other lists, whose items have no
 * identity.
 */
function storedItem(list: Structural, item: unknown, old: unknown): unknown {
  const keys = list['x-kubernetes-list-map-keys'];
  if (list['x-kubernetes-list-type'] !== 'map' || keys === undefined || !Array.isArray(old)) return undefined;
  return old.find(
    (other: unknown) =>
      isRec(other) && isRec(item) && keys.every((key) => str(other[key]) === str(item[key])),
  );
}

const hasRulesBySchema = new WeakMap<object, boolean>();

/** Whether a schema has rules at any level. */
export function hasRules(schema: Structural): boolean {
  const cached = hasRulesBySchema.get(schema);
  if (cached !== undefined) return cached;
  const { items, additionalProperties } = schema;
  const has =
    (schema['x-kubernetes-validations'] ?? []).length > 0 ||
    (items !== undefined && hasRules(items)) ||
    (isRec(additionalProperties) && hasRules(additionalProperties)) ||
    Object.values(schema.properties ?? {}).some(hasRules);
  hasRulesBySchema.set(schema, has);
  return has;
}
