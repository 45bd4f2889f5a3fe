import { apiVersionOf, type Registry } from '../registry/registry.ts';
import { prefix } from '../registry/schema.ts';
import { isRec, type Rec, rec, recs, str } from '../kit/values.ts';
import { versionDocument } from './document.ts';

const definitions = '#/definitions/';

/** Keywords that Swagger 2.0 lacks; the API server drops them as well. */
const unsupportedKeywords = new Set(['oneOf', 'anyOf', 'allOf', 'not', 'nullable']);

/** A schema in Swagger 2.0: references stand alone, unsupported keywords are dropped. */
function schema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(schema);
  if (!isRec(value)) return value;
  const reference = value['$ref'] ?? recs(value['allOf'])[0]?.['$ref'];
  if (typeof reference === 'string') {
    const { default: _default, allOf: _allOf, ...rest } = value;
    return { ...rest, $ref: reference.replace(prefix, definitions) };
  }
  const result: Rec = {};
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'properties' && isRec(inner)) {
      result[key] = Object.fromEntries(Object.entries(inner).map(([name, field]) => [name, schema(field)]));
    } else if (key === 'items' || key === 'additionalProperties') result[key] = schema(inner);
    else if (!unsupportedKeywords.has(key) && key !== 'default') result[key] = inner;
  }
  // A number or a text: Swagger 2.0 says text.
  if (recs(value['oneOf']).some(({ type }) => type === 'string')) result['type'] ??= 'string';
  // Any value: a schema without a type.
  if (value['x-kubernetes-preserve-unknown-fields'] === true && value['properties'] === undefined) {
    delete result['additionalProperties'];
  }
  return result;
}

function parameter({ schema: givenSchema, ...rest }: Rec): Rec {
  const { type, uniqueItems } = rec(givenSchema);
  return { ...rest, type, ...(uniqueItems === undefined ? {} : { uniqueItems }) };
}

/** The first schema of a content; those of its media types are equal. */
const contentSchema = (content: unknown): unknown => {
  const [first] = Object.values(rec(content));
  return schema(rec(first)['schema']);
};

/** Media types of a content, in order. */
const types = (content: unknown): string[] => Object.keys(rec(content));

function operation(given: Rec): Rec {
  const { parameters, requestBody, responses, ...fields } = given;
  const produced = new Set<string>();
  const answers = Object.entries(rec(responses)).map(([code, answer]) => {
    const { content, ...rest } = rec(answer);
    for (const type of types(content)) produced.add(type);
    return [code, content === undefined ? rest : { ...rest, schema: contentSchema(content) }] as const;
  });
  const body = rec(requestBody)['content'];
  const bodyParameters =
    body === undefined
      ? []
      : [
          {
            in: 'body',
            name: 'body',
            ...(rec(requestBody)['required'] === true ? { required: true } : {}),
            schema: contentSchema(body),
          },
        ];
  const all = [...bodyParameters, ...recs(parameters).map(parameter)];
  return {
    consumes: body === undefined ? ['*/*'] : types(body),
    produces: Array.from(produced),
    schemes: ['https'],
    ...fields,
    ...(all.length === 0 ? {} : { parameters: all }),
    responses: Object.fromEntries(answers),
  };
}

function pathItem(given: unknown): Rec {
  const { parameters, ...methods } = rec(given);
  const shared = recs(parameters).map(parameter);
  return {
    ...Object.fromEntries(Object.entries(methods).map(([method, one]) => [method, operation(rec(one))])),
    ...(shared.length === 0 ? {} : { parameters: shared }),
  };
}

/**
 * GET /openapi/v2: all v3 documents as one Swagger 2.0 document. Built on request, since it is large and only old
 * clients read it.
 */
export function swagger(registry: Registry): string {
  const paths: Rec = {};
  const schemas: Rec = {};
  for (const group of registry.groups) {
    for (const { resources } of group.versions) {
      const [resource] = resources;
      if (resource === undefined) continue;
      const document = versionDocument(registry, resource.group, resource.version);
      for (const [path, item] of Object.entries(rec(document?.['paths']))) paths[path] = pathItem(item);
      for (const [name, given] of Object.entries(rec(rec(document?.['components'])['schemas']))) {
        const existing = schemas[name];
        schemas[name] = existing === undefined ? schema(given) : joined(rec(existing), rec(schema(given)));
      }
    }
  }
  const sorted = (given: Rec) =>
    Object.fromEntries(Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({
    swagger: '2.0',
    info: { title: 'Kubernetes', version: registry.version['gitVersion'] },
    paths: sorted(paths),
    definitions: sorted(schemas),
    securityDefinitions: {
      BearerToken: {
        description: 'Bearer Token authentication',
        type: 'apiKey',
        name: 'authorization',
        in: 'header',
      },
    },
    security: [{ BearerToken: [] }],
  })}\n`;
}

/** Joins two copies of a schema: that of DeleteOptions lists different kinds in each document. */
function joined(existing: Rec, other: Rec): Rec {
  const kinds = 'x-kubernetes-group-version-kind';
  const all = [...recs(existing[kinds]), ...recs(other[kinds])];
  if (all.length === 0) return existing;
  const byKind = new Map(
    all.map((kind) => [
      `${apiVersionOf({ group: str(kind['group']), version: str(kind['version']) })}/${str(kind['kind'])}`,
      kind,
    ]),
  );
  return { ...existing, [kinds]: Array.from(byKind.values()) };
}
