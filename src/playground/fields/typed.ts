import { listType, type Schemas, type Shape } from '../registry/schema.ts';
import { isRec, type Rec } from '../kit/values.ts';
import { itemElement } from './compare.ts';
import { element } from './set.ts';

/** An untyped value as Go's fmt prints it. */
function goFormat(value: unknown): string {
  if (Array.isArray(value)) return `[]interface {}{${value.map(goFormat).join(', ')}}`;
  if (isRec(value)) {
    const fields = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${goFormat(item)}`);
    return `map[string]interface {}{${fields.join(', ')}}`;
  }
  return JSON.stringify(value) ?? '<nil>';
}
const goUnstructured = (value: unknown) => `&value.valueUnstructured{Value:${goFormat(value)}}`;

const goType = (value: unknown): string => {
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'boolean') return 'bool';
  return isRec(value) ? 'map[string]interface {}' : typeof value;
};

const missingKey = (list: Shape, item: unknown): string | undefined => {
  const keys = list.used['x-kubernetes-list-map-keys'] ?? [];
  return isRec(item) ? keys.find((key) => item[key] === undefined) : keys[0];
};

function list(schemas: Schemas, shape: Shape, value: readonly unknown[], path: string): string[] {
  const type = listType(shape);
  const item = schemas.item(shape);
  if (item === undefined) return [];
  const seen = new Set<string>();
  return value.flatMap((entry, index) => {
    if (type === 'atomic') return problems(schemas, item, entry, `${path}[${index}]`);
    const missing = type === 'map' ? missingKey(shape, entry) : undefined;
    const defaulted = missing === undefined || item.schema.properties?.[missing]?.default !== undefined;
    if (!defaulted) {
      return [
        `${path}: element ${index}: associative list with keys has an element that omits key field ${JSON.stringify(missing)} (and doesn't have default value)`,
      ];
    }
    const id = element(itemElement(schemas, shape, entry));
    const isDuplicate = seen.has(id);
    seen.add(id);
    if (isDuplicate) return [`${path}: duplicate entries for key ${id}`];
    return problems(schemas, item, entry, `${path}${id}`);
  });
}

function struct(schemas: Schemas, shape: Shape, value: Rec, path: string): string[] {
  return Object.entries(value).flatMap(([key, item]) => {
    const field = schemas.field(shape, key);
    const inner = `${path}.${key}`;
    return field === undefined
      ? [`${inner}: field not declared in schema`]
      : problems(schemas, field, item, inner);
  });
}

function problems(schemas: Schemas, shape: Shape, value: unknown, path: string): string[] {
  if (value === null || value === undefined) return [];
  switch (shape.kind) {
    case 'struct':
    case 'map':
      return isRec(value)
        ? struct(schemas, shape, value, path)
        : [`${path}: expected map, got ${goUnstructured(value)}`];
    case 'list':
      return Array.isArray(value)
        ? list(schemas, shape, value, path)
        : [`${path}: expected list, got ${goUnstructured(value)}`];
    case 'string':
      return typeof value === 'string' ? [] : [`${path}: expected string, got ${goUnstructured(value)}`];
    case 'integer':
    case 'number':
      return typeof value === 'number'
        ? []
        : [`${path}: expected numeric (int or float), got ${goType(value)}`];
    case 'boolean':
      return typeof value === 'boolean' ? [] : [`${path}: expected boolean, got ${goUnstructured(value)}`];
    case 'intOrString':
    case 'quantity':
    case 'any':
    case 'deduced':
      return [];
    default:
      return shape.kind satisfies never;
  }
}

/**
 * The error of structured-merge-diff when a configuration does not fit the shape of its kind; undefined when it
 * does.
 */
export function typedProblem(schemas: Schemas, shape: Shape, config: Rec): string | undefined {
  const found = problems(schemas, shape, config, '');
  return found.length > 1 ? `errors:\n  ${found.join('\n  ')}` : found[0];
}
