import { type Cause, cause } from '../kit/status.ts';
import { isRec, type Rec, same, str } from '../kit/values.ts';
import { hasFormat } from './formats.ts';
import type { Structural } from '../registry/structural.ts';

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
};

const fits = (wanted: string, actual: string) =>
  wanted === actual || (wanted === 'number' && actual === 'integer');

/** A cause that names no field. */
const causeWithoutField = (message: string): Cause => cause.invalid('<nil>', '', message);

/**
 * The causes for which a structural schema refuses a value, with the messages of the API server's OpenAPI
 * validation. `path`: the field's path; '' for the object itself.
 */
export function structuralCauses(schema: Structural, value: unknown, path = ''): Cause[] {
  const causes: Cause[] = [];
  const actual = typeOf(value);
  if (actual === 'null' && schema.nullable === true) return [];
  if (schema['x-kubernetes-int-or-string'] === true) {
    if (actual !== 'integer' && actual !== 'string') {
      causes.push(
        cause.wrongType(path, actual, `${path} in body must be of type integer,string: "${actual}"`),
      );
    }
  } else if (schema.type !== undefined && !fits(schema.type, actual)) {
    return [
      cause.wrongType(
        path === '' ? '<nil>' : path,
        actual,
        `${path} in body must be of type ${schema.type}: "${actual}"`,
      ),
    ];
  }
  causes.push(...combined(schema, value, path));
  if (typeof value === 'string') causes.push(...textCauses(schema, value, path));
  if (typeof value === 'number') causes.push(...numberCauses(schema, value, path));
  if (Array.isArray(value)) causes.push(...listCauses(schema, value, path));
  if (schema.enum !== undefined && !schema.enum.some((one) => same(one, value))) {
    causes.push(cause.notSupported(path, value, schema.enum.map(printed)));
  }
  if (isRec(value)) causes.push(...objectCauses(schema, value, path));
  return causes;
}

const printed = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

function textCauses(schema: Structural, value: string, path: string): Cause[] {
  const causes: Cause[] = [];
  const length = Array.from(value).length;
  const { maxLength, minLength, pattern, format } = schema;
  if (maxLength !== undefined && length > maxLength) causes.push(cause.tooLong(path, maxLength));
  if (minLength !== undefined && length < minLength) {
    causes.push(cause.invalid(path, value, `${path} in body should be at least ${minLength} chars long`));
  }
  if (pattern !== undefined && !matches(pattern, value)) {
    causes.push(cause.invalid(path, value, `${path} in body should match '${pattern}'`));
  }
  if (format !== undefined && !hasFormat(format, value)) {
    causes.push(cause.wrongType(path, value, `${path} in body must be of type ${format}: "${value}"`));
  }
  return causes;
}

/**
 * A pattern of Go's as one of JavaScript's: flags at its beginning, also behind an anchor, are those of the whole.
 * Throws SyntaxError for what JavaScript cannot read.
 */
function goPattern(pattern: string): RegExp {
  const [, anchor = '', flags = '', body = pattern] = /^(\^?)\(\?([ims]+)\)(.*)$/s.exec(pattern) ?? [];
  return new RegExp(`${anchor}${body}`, `u${flags}`);
}

function matches(pattern: string, value: string): boolean {
  try {
    return goPattern(pattern).test(value);
  } catch {
    // A pattern of Go that JavaScript cannot parse accepts everything.
    return true;
  }
}

const ranges: Readonly<Record<string, readonly [number, number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-(2 ** 63), 2 ** 63],
};

function numberCauses(schema: Structural, value: number, path: string): Cause[] {
  const causes: Cause[] = [];
  const refuse = (found: string) =>
    causes.push(cause.invalid(path, value, `${path} in body should be ${found}`));
  const { multipleOf, maximum, minimum, format } = schema;
  const range = ranges[format ?? ''];
  if (range !== undefined && (value < range[0] || value > range[1])) {
    causes.push(cause.wrongType(path, format, `${path} in body must be of type ${format}: "${value}"`));
  }
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf))
    refuse(`a multiple of ${multipleOf}`);
  if (maximum !== undefined) {
    if (schema.exclusiveMaximum === true) {
      if (value >= maximum) refuse(`less than ${maximum}`);
    } else if (value > maximum) refuse(`less than or equal to ${maximum}`);
  }
  if (minimum !== undefined) {
    if (schema.exclusiveMinimum === true) {
      if (value <= minimum) refuse(`greater than ${minimum}`);
    } else if (value < minimum) refuse(`greater than or equal to ${minimum}`);
  }
  return causes;
}

function listCauses(schema: Structural, value: readonly unknown[], path: string): Cause[] {
  const { items, minItems, maxItems } = schema;
  const causes =
    items === undefined
      ? []
      : value.flatMap((item, index) => structuralCauses(items, item, `${path}[${index}]`));
  if (minItems !== undefined && value.length < minItems) {
    causes.push(cause.invalid(path, value.length, `${path} in body should have at least ${minItems} items`));
  }
  if (maxItems !== undefined && value.length > maxItems) {
    causes.push(cause.tooMany(path, value.length, maxItems));
  }
  if (schema.uniqueItems === true && new Set(value.map((item) => JSON.stringify(item))).size < value.length) {
    causes.push(cause.invalid(path, '', `${path} in body shouldn't contain duplicates`));
  }
  return causes;
}

function objectCauses(schema: Structural, value: Rec, path: string): Cause[] {
  const { properties = {}, additionalProperties, required = [], minProperties, maxProperties } = schema;
  const causes: Cause[] = [];
  const inner = (key: string) => (path === '' ? key : `${path}.${key}`);
  const count = Object.keys(value).length;
  if (minProperties !== undefined && count < minProperties) {
    causes.push(
      cause.invalid(path, count, `${path} in body should have at least ${minProperties} properties`),
    );
  }
  if (maxProperties !== undefined && count > maxProperties)
    causes.push(cause.tooMany(path, count, maxProperties));
  for (const key of Object.keys(value).sort()) {
    const field = properties[key];
    if (field !== undefined) {
      const optional = value[key] === null && field.nullable !== true && !required.includes(key);
      if (!optional) causes.push(...structuralCauses(field, value[key], inner(key)));
    } else if (isRec(additionalProperties)) {
      causes.push(...structuralCauses(additionalProperties, value[key], inner(key)));
    }
  }
  for (const key of required) if (value[key] === undefined) causes.push(cause.required(inner(key)));
  return causes;
}

/** The causes from allOf, anyOf, oneOf and not. */
function combined(schema: Structural, value: unknown, path: string): Cause[] {
  const causes: Cause[] = [];
  const addCause = (message: string) => causes.push(causeWithoutField(`"${path}" ${message}`));
  const validated = (schemas: readonly Structural[]) =>
    schemas.map((one) => structuralCauses(one, value, path));
  const minCauses = (results: Cause[][]) =>
    results.reduce((least, one) => (one.length < least.length ? one : least), results[0] ?? []);
  if (schema.anyOf !== undefined) {
    const results = validated(schema.anyOf);
    if (results.every((one) => one.length > 0)) {
      addCause('must validate at least one schema (anyOf)');
      causes.push(...minCauses(results));
    }
  }
  if (schema.oneOf !== undefined) {
    const results = validated(schema.oneOf);
    const valid = results.filter((one) => one.length === 0).length;
    if (valid === 0) {
      addCause('must validate one and only one schema (oneOf). Found none valid');
      causes.push(...minCauses(results));
    } else if (valid > 1) {
      addCause(`must validate one and only one schema (oneOf). Found ${valid} valid alternatives`);
    }
  }
  if (schema.allOf !== undefined) {
    const failed = validated(schema.allOf).filter((one) => one.length > 0);
    if (failed.length > 0) {
      const noneValid = failed.length === schema.allOf.length;
      addCause(`must validate all the schemas (allOf)${noneValid ? '. None validated' : ''}`);
      causes.push(...failed.flat());
    }
  }
  if (schema.not !== undefined && structuralCauses(schema.not, value, path).length === 0) {
    addCause('must not validate the schema (not)');
  }
  return causes;
}

/** The causes for duplicate items in lists of type map and set. */
export function duplicateCauses(schema: Structural, value: unknown, path = ''): Cause[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    const type = schema['x-kubernetes-list-type'];
    const keys = schema['x-kubernetes-list-map-keys'] ?? [];
    const seen = new Set<string>();
    return value.flatMap((item: unknown, index) => {
      const inner = `${path}[${index}]`;
      const causes = items === undefined ? [] : duplicateCauses(items, item, inner);
      if (type !== 'map' && type !== 'set') return causes;
      const id =
        type === 'set' || !isRec(item)
          ? item
          : Object.fromEntries(keys.filter((key) => item[key] !== undefined).map((key) => [key, item[key]]));
      const text = JSON.stringify(id);
      if (seen.has(text)) causes.push(cause.duplicate(inner, id));
      seen.add(text);
      return causes;
    });
  }
  if (!isRec(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const { additionalProperties } = schema;
    const fieldSchema = schema.properties?.[key];
    if (fieldSchema !== undefined)
      return duplicateCauses(fieldSchema, item, path === '' ? key : `${path}.${key}`);
    return isRec(additionalProperties)
      ? duplicateCauses(additionalProperties, item, `${path}[${str(key)}]`)
      : [];
  });
}
