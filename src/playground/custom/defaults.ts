import { clone, isRec } from '../kit/values.ts';
import type { Structural } from '../registry/structural.ts';

/**
 * Sets the defaults of a structural schema, in place. A null in a field that is not nullable counts as absent: it
 * is replaced by the default or removed.
 */
export function applyStructuralDefaults(schema: Structural, value: unknown): void {
  if (Array.isArray(value)) {
    if (schema.items !== undefined) for (const item of value) applyStructuralDefaults(schema.items, item);
    return;
  }
  if (!isRec(value)) return;
  const { properties = {}, additionalProperties } = schema;
  for (const [key, field] of Object.entries(properties)) {
    if (value[key] === null && field.nullable !== true) delete value[key];
    if (value[key] === undefined && field.default !== undefined) value[key] = clone(field.default);
    applyStructuralDefaults(field, value[key]);
  }
  if (!isRec(additionalProperties)) return;
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(properties, key)) continue;
    if (value[key] === null && additionalProperties['nullable'] !== true) {
      if (additionalProperties['default'] === undefined) delete value[key];
      else value[key] = clone(additionalProperties['default']);
    }
    applyStructuralDefaults(additionalProperties, value[key]);
  }
}
