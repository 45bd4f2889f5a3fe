import { type Decoded, decode, decodeApplied } from '../registry/decode.ts';
import type { Schemas, Shape } from '../registry/schema.ts';
import { isRec, type Rec } from '../kit/values.ts';
import type { Custom, Structural } from '../registry/structural.ts';

/** A kind that bodies are decoded as: a built-in kind, a bare shape, or a custom kind. */
export interface Decodable {
  readonly shape: Shape | undefined;
  readonly custom?: Custom | undefined;
}

/**
 * Decodes a body as its kind. `applied`: only the fields that it names, without Go's zero values. Throws
 * DecodeError on a wrong type; fields of custom kinds are left to validation.
 */
export function decodeBody(schemas: Schemas, kind: Decodable, body: Rec, applied = false): Decoded {
  const { shape, custom } = kind;
  if (custom !== undefined) return pruned(schemas, custom.schema, body);
  if (shape === undefined) return { value: body, unknown: [] };
  return applied ? decodeApplied(schemas, shape, body) : decode(schemas, shape, body);
}

const identityFields = new Set(['apiVersion', 'kind', 'metadata']);

/** An object without the fields that its structural schema lacks; its metadata is decoded as Go does. */
function pruned(schemas: Schemas, schema: Structural, body: Rec): Decoded {
  const unknown: string[] = [];
  const value = prune(schemas, schema, body, '', unknown, true) as Rec;
  return { value, unknown };
}

function prune(
  schemas: Schemas,
  schema: Structural,
  value: unknown,
  path: string,
  unknown: string[],
  resource: boolean,
): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return value;
    const embedded = items['x-kubernetes-embedded-resource'] === true;
    return value.map((item: unknown, index) =>
      prune(schemas, items, item, `${path}[${index}]`, unknown, embedded),
    );
  }
  if (!isRec(value)) return value;
  const result: Rec = {};
  for (const key of Object.keys(value).sort()) {
    const inner = path === '' ? key : `${path}.${key}`;
    const item = value[key];
    if (resource && identityFields.has(key)) {
      result[key] = key === 'metadata' ? metadata(schemas, item, inner, unknown) : item;
      continue;
    }
    const field = fieldOf(schema, key);
    if (field === undefined) unknown.push(inner);
    else if (field === true) result[key] = item;
    else {
      const embedded = field['x-kubernetes-embedded-resource'] === true;
      result[key] = prune(schemas, field, item, inner, unknown, embedded);
    }
  }
  return result;
}

/** The schema of a field; true where any value is allowed, undefined where none is. */
function fieldOf(schema: Structural, key: string): Structural | true | undefined {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, key)) return properties[key];
  if (isRec(additionalProperties)) return additionalProperties;
  if (additionalProperties === true) return true;
  return schema['x-kubernetes-preserve-unknown-fields'] === true ? true : undefined;
}

function metadata(schemas: Schemas, value: unknown, path: string, unknown: string[]): unknown {
  if (!isRec(value)) return value;
  const shape = schemas.shape({
    $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
  });
  const decoded = decode(schemas, shape, value);
  for (const field of decoded.unknown) unknown.push(`${path}.${field}`);
  return decoded.value;
}
