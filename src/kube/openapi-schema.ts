import { isPlainObject } from './plain.ts';
import { cleanText } from './text.ts';

/** A JSON schema (draft 7) for editors. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Maximum depth, deeper than any schema in practice. */
const maxDepth = 60;
/** Maximum length of a description, in characters. */
const maxDescriptionLength = 2_000;
const prefix = '#/components/schemas/';

/** Keywords that JSON schema shares with OpenAPI, copied if their values have these types. */
const copiedKeywords: Readonly<Record<string, 'number' | 'boolean'>> = {
  minimum: 'number',
  maximum: 'number',
  minLength: 'number',
  maxLength: 'number',
  minItems: 'number',
  maxItems: 'number',
  minProperties: 'number',
  maxProperties: 'number',
  multipleOf: 'number',
  uniqueItems: 'boolean',
};

/**
 * The JSON schema of one kind from a cluster's OpenAPI v3 document, with the definitions that it uses. It forbids
 * unknown fields where the server would prune or refuse them. It omits defaults (an editor would insert them), patterns
 * (written for another engine, and some can block an editor) and `status` (nobody writes it). Undefined if the document
 * lacks the kind.
 */
export function schemaOfKind(
  document: unknown,
  { group, version, kind }: { readonly group: string; readonly version: string; readonly kind: string },
): JsonSchema | undefined {
  const components = isPlainObject(document) ? document['components'] : undefined;
  const schemas = isPlainObject(components) ? components['schemas'] : undefined;
  if (!isPlainObject(schemas)) return undefined;
  const found = Object.entries(schemas).find(([, schema]) => {
    const kinds = isPlainObject(schema) ? schema['x-kubernetes-group-version-kind'] : undefined;
    return (
      Array.isArray(kinds) &&
      kinds.length === 1 &&
      kinds.some(
        (one) =>
          isPlainObject(one) && one['group'] === group && one['version'] === version && one['kind'] === kind,
      )
    );
  });
  if (found === undefined) return undefined;

  const definitions: Record<string, unknown> = {};
  const waiting: string[] = [];
  const refer = (name: string): JsonSchema => {
    if (!Object.hasOwn(definitions, name)) {
      definitions[name] = {};
      waiting.push(name);
    }
    return { $ref: `#/definitions/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` };
  };
  const root = convert(found[1], refer, 0);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop())
    definitions[name] = Object.hasOwn(schemas, name) ? convert(schemas[name], refer, 0) : {};

  const properties = isPlainObject(root['properties']) ? root['properties'] : {};
  return {
    ...root,
    properties: {
      ...properties,
      apiVersion: {
        ...asObject(properties['apiVersion']),
        const: group === '' ? version : `${group}/${version}`,
      },
      kind: { ...asObject(properties['kind']), const: kind },
      ...('status' in properties ? { status: { doNotSuggest: true } } : {}),
    },
    required: ['apiVersion', 'kind'],
    definitions,
  };
}

const asObject = (value: unknown): JsonSchema => (isPlainObject(value) ? value : {});

function convert(schema: unknown, refer: (name: string) => JsonSchema, depth: number): JsonSchema {
  if (!isPlainObject(schema) || depth > maxDepth) return {};
  const inner = (value: unknown) => convert(value, refer, depth + 1);
  const reference = referenceIn(schema);
  const text = schema['description'];
  const description =
    typeof text === 'string' && text !== ''
      ? { description: cleanText(text).slice(0, maxDescriptionLength) }
      : {};
  if (reference !== undefined) return { ...refer(reference), ...description };

  const result: Record<string, unknown> = { ...description };
  if (schema['format'] === 'int-or-string' || schema['x-kubernetes-int-or-string'] === true)
    return { ...result, anyOf: [{ type: 'integer' }, { type: 'string' }] };
  const choices = [schema['oneOf'], schema['anyOf']].find(Array.isArray);
  if (choices !== undefined && schema['type'] === undefined) return { ...result, anyOf: choices.map(inner) };

  const { type, enum: values, required } = schema;
  if (typeof type === 'string') result['type'] = schema['nullable'] === true ? [type, 'null'] : type;
  if (Array.isArray(values)) result['enum'] = values;
  if (Array.isArray(required)) result['required'] = required.filter((name) => typeof name === 'string');
  for (const [name, wanted] of Object.entries(copiedKeywords))
    if (typeof schema[name] === wanted) result[name] = schema[name];
  if (schema['items'] !== undefined) result['items'] = inner(schema['items']);

  const { properties, additionalProperties } = schema;
  if (isPlainObject(properties)) {
    result['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [name, inner(value)]),
    );
    const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true || additionalProperties === true;
    if (!isOpen && additionalProperties === undefined) result['additionalProperties'] = false;
  }
  if (isPlainObject(additionalProperties)) result['additionalProperties'] = inner(additionalProperties);
  // Embedded objects may have these fields.
  if (schema['x-kubernetes-embedded-resource'] === true) delete result['additionalProperties'];
  return result;
}

/** The reference of a schema, either its own or the only one in `allOf` beside other keywords. */
function referenceIn(schema: JsonSchema): string | undefined {
  const { $ref, allOf } = schema;
  if (typeof $ref === 'string') return $ref.startsWith(prefix) ? $ref.slice(prefix.length) : undefined;
  const [only, ...others] = Array.isArray(allOf) ? (allOf as readonly unknown[]) : [];
  return isPlainObject(only) && others.length === 0 ? referenceIn(only) : undefined;
}
