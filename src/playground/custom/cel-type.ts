import { isRec } from '../kit/values.ts';
import type { Structural } from '../registry/structural.ts';

/** A type of the expression language, with what is known of how large its values may be. */
export interface CelType {
  readonly kind:
    | 'dyn'
    | 'bool'
    | 'int'
    | 'uint'
    | 'double'
    | 'string'
    | 'bytes'
    | 'null'
    | 'timestamp'
    | 'duration'
    | 'type'
    | 'optional'
    | 'list'
    | 'map'
    | 'object';
  /** What a list or an optional holds, and the values of a map. */
  readonly item?: CelType;
  readonly fields?: ReadonlyMap<string, CelType>;
  /** Name of an object's type. */
  readonly name?: string;
  /** Most bytes of a text, most items of a list or map; 0 for values of one size. */
  readonly most: number;
  /** Fewest bytes that JSON needs for a value. */
  readonly least: number;
}

const simple = (kind: CelType['kind'], least = 1): CelType => ({ kind, most: 0, least });

export const dyn = simple('dyn');
export const bool = simple('bool', 4);
export const int = simple('int');
export const uint = simple('uint');
export const double = simple('double');
export const nothing = simple('null', 4);
export const timestamp = simple('timestamp', 2);
export const duration = simple('duration', 2);
export const typeType = simple('type');
export const textType: CelType = { kind: 'string', most: Number.POSITIVE_INFINITY, least: 2 };
export const bytesType: CelType = { kind: 'bytes', most: Number.POSITIVE_INFINITY, least: 2 };

export const listOf = (item: CelType, most = Number.POSITIVE_INFINITY): CelType => ({
  kind: 'list',
  item,
  most,
  least: 2,
});
export const mapOf = (item: CelType, most = Number.POSITIVE_INFINITY): CelType => ({
  kind: 'map',
  item,
  most,
  least: 2,
});
export const optionalOf = (item: CelType): CelType => ({ kind: 'optional', item, most: 0, least: 0 });

/** Bytes that a request may have: nothing in an object can be larger. */
export const largestRequest = 3 * 1024 * 1024;

const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** The name by which an expression reads a field; undefined for those it cannot reach. */
export function escaped(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__');
}

function text(schema: Structural): CelType {
  const { format, maxLength, enum: words } = schema;
  if (format === 'date-time' || format === 'date') return timestamp;
  if (format === 'duration') return duration;
  // A letter has at most four bytes.
  const most =
    maxLength !== undefined
      ? Math.max(0, maxLength) * 4
      : words !== undefined && words.length > 0
        ? Math.max(...words.map((word) => String(word).length))
        : largestRequest - 2;
  return { kind: format === 'byte' ? 'bytes' : 'string', most, least: 2 };
}

/** What every object is: its rules may also read its kind and its name. */
const rooted: readonly (readonly [string, CelType])[] = [
  ['apiVersion', { kind: 'string', most: largestRequest - 2, least: 2 }],
  ['kind', { kind: 'string', most: largestRequest - 2, least: 2 }],
  [
    'metadata',
    {
      kind: 'object',
      name: 'selfType.metadata',
      fields: new Map([
        ['name', { kind: 'string', most: 253 * 4, least: 2 }],
        ['generateName', { kind: 'string', most: 253 * 4, least: 2 }],
      ] as const),
      most: 0,
      least: 2,
    },
  ],
];

/** The type of the values that a schema describes; `isRoot`: the schema of whole objects. */
export function typeOf(schema: Structural, isRoot = false, name = 'selfType'): CelType {
  if (schema['x-kubernetes-int-or-string'] === true) return { ...dyn, most: largestRequest - 2 };
  switch (schema.type ?? '') {
    case 'boolean':
      return bool;
    case 'integer':
      return int;
    case 'number':
      return double;
    case 'string':
      return text(schema);
    case 'array': {
      const item = schema.items === undefined ? dyn : typeOf(schema.items, false, `${name}.@idx`);
      return listOf(item, schema.maxItems ?? Math.floor((largestRequest - 2) / (item.least + 1)));
    }
    case 'object':
      return object(schema, isRoot, name);
    default:
      return dyn;
  }
}

function object(schema: Structural, isRoot: boolean, name: string): CelType {
  const { additionalProperties, properties = {}, required = [] } = schema;
  if (isRec(additionalProperties)) {
    const item = typeOf(additionalProperties, false, `${name}.@elem`);
    return mapOf(item, schema.maxProperties ?? Math.floor((largestRequest - 2) / (item.least + 6)));
  }
  if (additionalProperties === true) return mapOf(dyn);
  const fields = new Map<string, CelType>(
    isRoot || schema['x-kubernetes-embedded-resource'] === true ? rooted : [],
  );
  let least = 2;
  for (const [field, inner] of Object.entries(properties)) {
    const own = escaped(field);
    const type = typeOf(inner, false, `${name}.${field}`);
    if (own !== undefined && !(isRoot && fields.has(own))) fields.set(own, type);
    if (required.includes(field) && inner.default === undefined) least += field.length + type.least + 4;
  }
  return { kind: 'object', name, fields, most: 0, least };
}

/** A type as the compiler names it. */
export function nameOf({ kind, item, name }: CelType): string {
  if (kind === 'list') return `list(${nameOf(item ?? dyn)})`;
  if (kind === 'map') return `map(string, ${nameOf(item ?? dyn)})`;
  if (kind === 'optional') return `optional_type(${nameOf(item ?? dyn)})`;
  if (kind === 'object') return name ?? 'selfType';
  if (kind === 'timestamp') return 'google.protobuf.Timestamp';
  return kind === 'duration' ? 'google.protobuf.Duration' : kind;
}

/** Whether a value may be of both types at once. */
export function agree(a: CelType, b: CelType): boolean {
  if (a.kind === 'dyn' || b.kind === 'dyn') return true;
  if (a.kind !== b.kind) return false;
  if (a.kind === 'object') return a.name === b.name;
  return a.item === undefined || b.item === undefined || agree(a.item, b.item);
}
