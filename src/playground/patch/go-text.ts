import { isRec, str } from '../values.ts';

/** A JSON value as Go's fmt prints it: "map[spec:map[replicas:3]]". */
export function goText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (isRec(value)) {
    const fields = Object.keys(value).sort();
    return `map[${fields.map((field) => `${field}:${goText(value[field])}`).join(' ')}]`;
  }
  return value === null || value === undefined ? '<nil>' : str(value);
}
