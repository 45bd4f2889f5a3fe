import { type Cause, cause } from '../kit/status.ts';
import { isRec } from '../kit/values.ts';
import type { Rule, Structural } from '../registry/structural.ts';
import { structuralCauses } from './validate.ts';

/** The position of a schema in its parent. */
type Place = 'root' | 'field' | 'item';

const untyped: Readonly<Record<Place, string>> = {
  root: 'must not be empty at the root',
  field: 'must not be empty for specified object fields',
  item: 'must not be empty for specified array items',
};
const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const listTypes = ['atomic', 'set', 'map'];
const reasons = ['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate'];

function typeCauses(schema: Structural, path: string, place: Place): Cause[] {
  const open =
    schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const type = schema.type ?? '';
  if (type === '') return open && place !== 'root' ? [] : [cause.required(`${path}.type`, untyped[place])];
  if (!types.includes(type)) return [cause.notSupported(`${path}.type`, type, types)];
  if (place === 'root' && type !== 'object') {
    return [cause.invalid(`${path}.type`, type, 'must be object at the root')];
  }
  if (schema['x-kubernetes-int-or-string'] === true) {
    const why = 'must be empty if x-kubernetes-int-or-string is true';
    return [cause.forbidden(`${path}.type`, why)];
  }
  return [];
}

function listCauses(schema: Structural, path: string): Cause[] {
  const causes: Cause[] = [];
  const type = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (schema.type === 'array' && schema.items === undefined) {
    causes.push(cause.required(`${path}.items`, 'must be specified'));
  }
  if (type === undefined) return causes;
  const field = `${path}.x-kubernetes-list-type`;
  if (schema.type !== 'array') {
    const why = 'must be array if x-kubernetes-list-type is specified';
    causes.push(cause.invalid(`${path}.type`, schema.type ?? '', why));
  }
  if (!listTypes.includes(type)) causes.push(cause.notSupported(field, type, listTypes));
  if (type !== 'map') {
    if (keys.length > 0) {
      const why = 'must be empty if x-kubernetes-list-type is not map';
      causes.push(cause.forbidden(`${path}.x-kubernetes-list-map-keys`, why));
    }
    return causes;
  }
  if (keys.length === 0) {
    const why = 'must not be empty if x-kubernetes-list-type is map';
    causes.push(cause.required(`${path}.x-kubernetes-list-map-keys`, why));
  }
  for (const [index, key] of keys.entries()) {
    const property = schema.items?.properties?.[key];
    if (property === undefined) {
      const why = 'entries must all be names of item properties';
      causes.push(cause.invalid(`${path}.x-kubernetes-list-map-keys[${index}]`, key, why));
      continue;
    }
    if (property.default === undefined && schema.items?.required?.includes(key) !== true) {
      const why = `this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`;
      causes.push(cause.required(`${path}.items.properties[${key}].default`, why));
    }
  }
  return causes;
}

function ruleCauses(rule: Rule, path: string): Cause[] {
  const causes: Cause[] = [];
  const text = rule.rule.trim();
  if (text === '') return [cause.required(`${path}.rule`, 'rule is not specified')];
  const message = rule.message;
  if (message !== undefined && message !== '' && message.trim() === '') {
    causes.push(cause.invalid(`${path}.message`, message, 'message must be non-empty if specified'));
  } else if (message !== undefined && /[\r\n]/.test(message.trim())) {
    causes.push(cause.invalid(`${path}.message`, message, 'message must not contain line breaks'));
  } else if (message === undefined && /[\r\n]/.test(text) && rule.messageExpression === undefined) {
    const why = 'message must be specified if rule contains line breaks';
    causes.push(cause.required(`${path}.message`, why));
  }
  if (rule.reason !== undefined && !reasons.includes(rule.reason)) {
    causes.push(cause.notSupported(`${path}.reason`, rule.reason, reasons));
  }
  return causes;
}

/** The causes in a schema inside anyOf, oneOf, allOf or not, where some keywords are forbidden. */
function innerCauses(schema: Structural, path: string): Cause[] {
  const causes: Cause[] = [];
  const forbiddenFields = ['type', 'default', 'nullable', 'description', 'title'] as const;
  for (const field of forbiddenFields) {
    if ((schema as Readonly<Record<string, unknown>>)[field] === undefined) continue;
    causes.push(cause.forbidden(`${path}.${field}`, 'must be empty to be structural'));
  }
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    causes.push(...innerCauses(field, `${path}.properties[${name}]`));
  }
  return causes;
}

const forbiddenKeywords = [
  'id',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
  '$ref',
];

/** The causes for JSON Schema keywords that definitions do not support. */
function unsupported(schema: Structural, path: string): Cause[] {
  const given = schema as Readonly<Record<string, unknown>>;
  return forbiddenKeywords
    .filter((field) => given[field] !== undefined && given[field] !== '')
    .map((field) => cause.forbidden(`${path}.${field}`, `${field} is not supported`));
}

/** The causes for which a schema is not structural or otherwise invalid. */
export function schemaCauses(schema: Structural, path: string, place: Place): Cause[] {
  const causes = [
    ...typeCauses(schema, path, place),
    ...listCauses(schema, path),
    ...unsupported(schema, path),
  ];
  if (schema.uniqueItems === true) {
    const why = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    causes.push(cause.forbidden(`${path}.uniqueItems`, why));
  }
  if (schema.properties !== undefined && schema.additionalProperties !== undefined) {
    const why = 'additionalProperties and properties are mutual exclusive';
    causes.push(cause.forbidden(`${path}.additionalProperties`, why));
  }
  if (schema.pattern !== undefined && !readable(schema.pattern)) {
    const why = "must be a valid regular expression, but isn't: error parsing regexp";
    causes.push(cause.invalid(`${path}.pattern`, schema.pattern, why));
  }
  if (schema.default !== undefined) {
    for (const { message } of structuralCauses(schema, schema.default)) {
      const why = message.replace(/^.*?in body /, 'in body ');
      causes.push(cause.invalid(`${path}.default`, schema.default, why));
    }
  }
  const combined = [
    ...(schema.allOf ?? []).map((one, index) => [`allOf[${index}]`, one] as const),
    ...(schema.anyOf ?? []).map((one, index) => [`anyOf[${index}]`, one] as const),
    ...(schema.oneOf ?? []).map((one, index) => [`oneOf[${index}]`, one] as const),
    ...(schema.not === undefined ? [] : [['not', schema.not] as const]),
  ];
  // int-or-string uses anyOf with types, so the check is skipped there.
  if (schema['x-kubernetes-int-or-string'] !== true) {
    for (const [field, one] of combined) causes.push(...innerCauses(one, `${path}.${field}`));
  }
  for (const [index, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    causes.push(...ruleCauses(rule, `${path}.x-kubernetes-validations[${index}]`));
  }
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const metadata = place === 'root' && name === 'metadata';
    if (metadata) causes.push(...metadataCauses(field, `${path}.properties[metadata]`));
    else causes.push(...schemaCauses(field, `${path}.properties[${name}]`, 'field'));
  }
  if (isRec(schema.additionalProperties)) {
    causes.push(...schemaCauses(schema.additionalProperties, `${path}.additionalProperties`, 'field'));
  }
  if (schema.items !== undefined) causes.push(...schemaCauses(schema.items, `${path}.items`, 'item'));
  return causes;
}

/** A schema of `metadata` may restrict only the object's name. */
function metadataCauses(schema: Structural, path: string): Cause[] {
  const others = Object.keys(schema.properties ?? {}).filter(
    (name) => name !== 'name' && name !== 'generateName',
  );
  const why =
    'must not specify anything other than name and generateName, but metadata is implicitly specified';
  return others.length > 0 ? [cause.forbidden(path, why)] : [];
}

function readable(pattern: string): boolean {
  try {
    RegExp(pattern.replace(/^(\^?)\(\?[ims]+\)/, '$1').replace(/\(\?P</g, '(?<'));
    return true;
  } catch {
    return false;
  }
}
