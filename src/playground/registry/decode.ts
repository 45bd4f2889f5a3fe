import { isLeftOut, isOmitted } from './pointers.ts';
import { canonicalQuantity, QuantityError } from '../kit/quantity.ts';
import { canonicalTime, TimeError } from '../kit/time.ts';
import { goName, type Schemas, type Shape, zeroDefault } from './schema.ts';
import { isRec, type Rec, str } from '../kit/values.ts';

/** A decoded body and its unknown fields. */
export interface Decoded {
  readonly value: Rec;
  /** Paths of unknown fields ("spec.containers[0].imag"). */
  readonly unknown: readonly string[];
}

/** A body whose JSON type contradicts the schema; the message is Go's. */
export class DecodeError extends Error {}

/**
 * Decodes an object as the API server's Go structs do: drops unknown fields, nulls and empty optional lists and
 * maps, and adds the zero value of by-value structs and of fields that Go never omits. Throws DecodeError on a
 * wrong type.
 */
export function decode(schemas: Schemas, shape: Shape, body: Rec): Decoded {
  const unknown: string[] = [];
  const value = struct(schemas, shape, body, '', '', unknown, true);
  return { value, unknown };
}

/** Decodes an applied configuration: only the fields that it names, without zero values. */
export function decodeApplied(schemas: Schemas, shape: Shape, body: Rec): Decoded {
  const unknown: string[] = [];
  const value = struct(schemas, shape, body, '', '', unknown, false);
  return { value, unknown };
}

/** Lists that keep an empty value, since it differs from an absent one. */
const KEPT_EMPTY = new Set(['io.k8s.api.autoscaling.v2.HPAScalingRules.policies']);

/** Kinds of values that Go holds by value and may omit when empty. */
const scalars: ReadonlySet<Shape['kind']> = new Set(['boolean', 'integer', 'number', 'string']);

const jsonKind = (value: unknown): string => {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'number' : `number ${value}`;
  return isRec(value) ? 'object' : typeof value;
};

/** Whether an integer fits into its field. */
const fits = (shape: Shape, value: number): boolean =>
  shape.schema.format !== 'int32' || (value >= -(2 ** 31) && value < 2 ** 31);

function goType(schemas: Schemas, shape: Shape): string {
  switch (shape.kind) {
    case 'integer':
      return shape.schema.format ?? 'int64';
    case 'number':
      return 'float64';
    case 'boolean':
      return 'bool';
    case 'list': {
      const item = schemas.item(shape);
      return `[]${item === undefined ? 'interface {}' : goType(schemas, item)}`;
    }
    case 'map': {
      const value = schemas.field(shape, '');
      return `map[string]${value === undefined ? 'interface {}' : goType(schemas, value)}`;
    }
    case 'struct':
      return `v1.${goName(shape)}`;
    case 'any':
    case 'deduced':
    case 'intOrString':
    case 'quantity':
    case 'string':
      return 'string';
    default:
      return shape.kind satisfies never;
  }
}

function struct(
  schemas: Schemas,
  shape: Shape,
  body: Rec,
  path: string,
  goPath: string,
  unknown: string[],
  zeros: boolean,
): Rec {
  const value: Rec = {};
  const properties = shape.schema.properties ?? {};
  for (const [key, given] of Object.entries(body)) {
    const field = Object.hasOwn(properties, key) ? schemas.field(shape, key) : undefined;
    const inner = path === '' ? key : `${path}.${key}`;
    if (field === undefined) {
      if (shape.schema['x-kubernetes-preserve-unknown-fields'] === true) value[key] = given;
      else unknown.push(inner);
      continue;
    }
    if (given === null || given === undefined) continue;
    const go = goPath === '' ? key : `${goPath}.${key}`;
    const decoded =
      decodeField(schemas, field, given, inner, go, goName(shape), unknown, zeros) ??
      (Array.isArray(given) && KEPT_EMPTY.has(`${shape.name}.${key}`) ? [] : undefined);
    if (
      decoded === undefined ||
      (zeros && scalars.has(field.kind) && isLeftOut(shape.name, shape.schema, key, decoded))
    )
      continue;
    value[key] = decoded;
  }
  for (const key in zeros ? properties : {}) {
    const property = properties[key];
    if (property === undefined || key in value || isOmitted(shape.name, key)) continue;
    const zero = zeroDefault(property);
    if (zero === undefined) continue;
    if (!isRec(zero)) value[key] = zero;
    else {
      const field = schemas.shape(property);
      value[key] = field.kind === 'struct' ? struct(schemas, field, {}, '', '', [], true) : {};
    }
  }
  return value;
}

/** Decodes the value at a path; undefined when Go would omit the field. */
function decodeField(
  schemas: Schemas,
  shape: Shape,
  given: unknown,
  path: string,
  goPath: string,
  owner: string,
  unknown: string[],
  zeros: boolean,
): unknown {
  const mismatch = () =>
    new DecodeError(
      `json: cannot unmarshal ${typeof given === 'number' && shape.kind === 'integer' ? `number ${given}` : jsonKind(given)} into Go struct field ${owner}.${goPath} of type ${goType(schemas, shape)}`,
    );
  switch (shape.kind) {
    case 'struct':
      if (!isRec(given)) throw mismatch();
      return struct(schemas, shape, given, path, goPath, unknown, zeros);
    case 'map': {
      if (!isRec(given)) throw mismatch();
      const result: Rec = {};
      const inner = schemas.field(shape, '');
      for (const [key, item] of Object.entries(given)) {
        const decoded =
          inner === undefined || item === null
            ? item
            : decodeField(schemas, inner, item, `${path}.${key}`, goPath, owner, unknown, zeros);
        result[key] = decoded ?? (inner?.kind === 'string' ? '' : null);
      }
      return Object.keys(result).length === 0 ? undefined : result;
    }
    case 'list': {
      if (!Array.isArray(given)) throw mismatch();
      const inner = schemas.item(shape);
      const result = given.map((item: unknown, index) =>
        inner === undefined || item === null
          ? item
          : (decodeField(schemas, inner, item, `${path}[${index}]`, goPath, owner, unknown, zeros) ?? {}),
      );
      return result.length === 0 ? undefined : result;
    }
    case 'string':
      if (typeof given !== 'string') throw mismatch();
      if (shape.schema.format === 'byte') checkBase64(given);
      return shape.schema.format === 'date-time' ? time(shape, given) : given;
    case 'integer':
      if (typeof given !== 'number' || !Number.isInteger(given) || !fits(shape, given)) throw mismatch();
      return given;
    case 'number':
      if (typeof given !== 'number') throw mismatch();
      return given;
    case 'boolean':
      if (typeof given !== 'boolean') throw mismatch();
      return given;
    case 'quantity':
      if (typeof given !== 'string' && typeof given !== 'number') throw mismatch();
      return quantity(str(given));
    case 'intOrString':
      if (typeof given !== 'string' && typeof given !== 'number') throw mismatch();
      return given;
    case 'any':
    case 'deduced':
      return given;
    default:
      return shape.kind satisfies never;
  }
}

function time(shape: Shape, text: string): string {
  try {
    return canonicalTime(text, goName(shape) === 'MicroTime' ? 'MicroTime' : 'Time');
  } catch (error) {
    if (error instanceof TimeError) throw new DecodeError(error.message);
    throw error;
  }
}

function quantity(text: string): string {
  try {
    return canonicalQuantity(text);
  } catch (error) {
    if (error instanceof QuantityError) throw new DecodeError(error.message);
    throw error;
  }
}

/** Refuses text that is not standard base64, naming the first offending byte as Go does. */
function checkBase64(text: string): void {
  const body = text.replace(/[\r\n]/g, '');
  const match = /[^A-Za-z0-9+/=]/.exec(body);
  if (match !== null) throw new DecodeError(`illegal base64 data at input byte ${match.index}`);
  const padding = /=*$/.exec(body)?.[0].length ?? 0;
  const data = body.length - padding;
  if (body.length % 4 !== 0) {
    throw new DecodeError(`illegal base64 data at input byte ${Math.floor(body.length / 4) * 4}`);
  }
  if (padding > 2 || body.slice(0, data).includes('=')) {
    throw new DecodeError(`illegal base64 data at input byte ${body.indexOf('=')}`);
  }
}
