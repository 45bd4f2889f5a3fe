import { isRec, type Rec } from '../kit/values.ts';

/** An OpenAPI v3 schema as the API server publishes it, without descriptions. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly $ref?: string;
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
}

const free = new Set([
  'io.k8s.apimachinery.pkg.runtime.RawExtension',
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray',
]);
const intOrString = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString';
const quantity = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
/** Prefix of schema references. */
export const prefix = '#/components/schemas/';

/** The schema of objects without one. */
const schemalessObject: Schema = { 'x-kubernetes-preserve-unknown-fields': true };

/** The schema of a value, with its reference resolved. */
export interface Shape {
  /** Name of the referenced schema; '' for an inline one. */
  readonly name: string;
  readonly kind:
    | 'struct'
    | 'map'
    | 'list'
    | 'string'
    | 'integer'
    | 'number'
    | 'boolean'
    | 'intOrString'
    | 'quantity'
    | 'any'
    /** Any value, with ownership by field (x-kubernetes-preserve-unknown-fields). */
    | 'deduced';
  /** The schema at its use, with the list type, merge keys and default of the field. */
  readonly used: Schema;
  /** The referenced schema, or the inline one. */
  readonly schema: Schema;
}

/** All schemas of the server, by name or kind. */
export class Schemas {
  readonly #schemas: Record<string, Schema>;
  readonly #kinds = new Map<string, string>();
  readonly #shapes = new WeakMap<Schema, Shape>();

  constructor(schemas: Record<string, Schema>) {
    this.#schemas = schemas;
    for (const [name, schema] of Object.entries(schemas)) {
      const kinds = schema['x-kubernetes-group-version-kind'] ?? [];
      if (kinds.length !== 1) continue;
      for (const { group, version, kind } of kinds) this.#kinds.set(`${group}/${version}/${kind}`, name);
    }
  }

  /** The name of a kind's schema; undefined when there is none. */
  nameOf(group: string, version: string, kind: string): string | undefined {
    return this.#kinds.get(`${group}/${version}/${kind}`);
  }

  /** A schema by its name. */
  byName(name: string): Schema | undefined {
    return this.#schemas[name];
  }

  /** The names of all schemas. */
  names(): string[] {
    return Object.keys(this.#schemas);
  }

  /** The shape of a kind's objects; undefined when there is none. */
  ofKind(group: string, version: string, kind: string): Shape | undefined {
    const name = this.#kinds.get(`${group}/${version}/${kind}`);
    return name === undefined ? undefined : this.shape({ $ref: `${prefix}${name}` });
  }

  /** The shape of a schema at its use. */
  shape(used: Schema): Shape {
    const cached = this.#shapes.get(used);
    if (cached !== undefined) return cached;
    const name = used.$ref?.slice(prefix.length) ?? '';
    const schema = name === '' ? used : (this.#schemas[name] ?? {});
    const shape: Shape = { name, kind: shapeKind(name, schema), used, schema };
    this.#shapes.set(used, shape);
    return shape;
  }

  /** The shape of one field of a struct or map; undefined when there is no such field. */
  field(shape: Shape, field: string): Shape | undefined {
    if (shape.kind === 'struct') {
      const schema = shape.schema.properties?.[field];
      if (schema !== undefined) return this.shape(schema);
      return shape.schema['x-kubernetes-preserve-unknown-fields'] === true
        ? this.shape(schemalessObject)
        : undefined;
    }
    if (shape.kind === 'deduced') return shape;
    return shape.kind === 'map' && shape.schema.additionalProperties !== undefined
      ? this.shape(shape.schema.additionalProperties)
      : undefined;
  }

  /** The shape of a list's items. */
  item(shape: Shape): Shape | undefined {
    return shape.schema.items === undefined ? undefined : this.shape(shape.schema.items);
  }
}

function shapeKind(name: string, schema: Schema): Shape['kind'] {
  if (name === intOrString || schema['x-kubernetes-int-or-string'] === true) return 'intOrString';
  if (name === quantity) return 'quantity';
  if (free.has(name)) return 'any';
  if (schema['x-kubernetes-preserve-unknown-fields'] === true && schema.properties === undefined)
    return 'deduced';
  switch (schema.type) {
    case 'array':
      return 'list';
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
      return schema.type;
    case 'object':
      if (schema.properties !== undefined) return 'struct';
      return schema.additionalProperties === undefined ? 'any' : 'map';
    case undefined:
    default:
      return schema.properties === undefined ? 'any' : 'struct';
  }
}

/** The last part of a schema's name: the Go type ("DeploymentSpec"). */
export function goName(shape: Shape): string {
  return shape.name.slice(shape.name.lastIndexOf('.') + 1);
}

/** How server-side apply merges a list: by keys, as a set or as a whole. */
export function listType(shape: Shape): 'map' | 'set' | 'atomic' {
  const type = shape.used['x-kubernetes-list-type'] ?? shape.schema['x-kubernetes-list-type'];
  return type === 'map' || type === 'set' ? type : 'atomic';
}

/** Whether a map or struct is merged as a whole. */
export function isAtomic(shape: Shape): boolean {
  return (shape.used['x-kubernetes-map-type'] ?? shape.schema['x-kubernetes-map-type']) === 'atomic';
}

/** The zero value of an absent by-value field; undefined for fields that Go omits. */
export function zeroDefault(schema: Schema): unknown {
  const value = schema.default;
  if (value === '' || value === 0 || value === false) return value;
  return isRec(value) && Object.keys(value).length === 0 ? ({} satisfies Rec) : undefined;
}
