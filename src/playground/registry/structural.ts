import type { Schema, Schemas, Shape } from './schema.ts';
import { isRec, type Rec } from '../kit/values.ts';

/** A CEL validation rule. */
export interface Rule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** A structural schema, as a CustomResourceDefinition holds it (JSONSchemaProps). */
export interface Structural {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, Structural>>;
  readonly additionalProperties?: Structural | boolean;
  readonly items?: Structural;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly Structural[];
  readonly anyOf?: readonly Structural[];
  readonly oneOf?: readonly Structural[];
  readonly not?: Structural;
  readonly 'x-kubernetes-validations'?: readonly Rule[];
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
}

/** An additional printer column of a definition. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}

/** Paths of a custom resource's scale subresource. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** The parts of a resource that only custom ones have. */
export interface Custom {
  readonly schema: Structural;
  readonly columns: readonly PrinterColumn[];
  readonly scale: ScalePaths | undefined;
  /** The deprecation warning of this version. */
  readonly deprecation: string | undefined;
  /** Fields besides name and namespace that objects can be selected by ("spec.colour"). */
  readonly selectable: readonly string[];
  /** apiVersion of the storage version. */
  readonly stored: string;
}

const reference = (name: string) => `#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.${name}`;

/** Schemas of the fields that every object has. */
const objectFields: Readonly<Record<string, Schema>> = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  // By value, as in Go: metadata is always present.
  metadata: { $ref: reference('ObjectMeta'), default: {} },
};

/** The shape of a custom kind's objects, for field ownership and merging. */
export function customShape(schemas: Schemas, schema: Structural): Shape {
  const converted = convert(schema, false);
  const properties = { ...converted.properties, ...objectFields };
  return schemas.shape({ ...converted, type: 'object', properties });
}

const copiedKeywords = [
  'type',
  'format',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-int-or-string',
] as const;

/** Converts a schema. `item`: it is inside a list item, where defaults matter because they may be keys. */
function convert(schema: Structural, item: boolean): Schema {
  const result: Rec = {};
  for (const field of copiedKeywords) if (schema[field] !== undefined) result[field] = schema[field];
  if (item && schema.default !== undefined) result['default'] = schema.default;
  const { properties, additionalProperties, items } = schema;
  if (properties !== undefined || schema['x-kubernetes-embedded-resource'] === true) {
    const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, convert(field, item)]);
    result['properties'] = {
      ...(Object.fromEntries(fields) as Rec),
      ...(schema['x-kubernetes-embedded-resource'] === true ? objectFields : {}),
    };
  }
  if (isRec(additionalProperties)) result['additionalProperties'] = convert(additionalProperties, false);
  else if (additionalProperties === true) result['x-kubernetes-preserve-unknown-fields'] = true;
  if (items !== undefined) result['items'] = convert(items, true);
  return result;
}
