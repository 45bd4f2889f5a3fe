import { isRec, str } from '../kit/values.ts';

/** A JSON value as Go's fmt prints it: "map[spec:map[replicas:3]]". */
export function goText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (isRec(value)) {
    const fields = Object.keys(value).sort();
    return `map[${fields.map((field) => `${field}:${goText(value[field])}`).join(' ')}]`;
  }
  return value === null || value === undefined ? '<nil>' : str(value);
}

const escapeSequences: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** A value as Go's encoding/json writes it: with HTML characters escaped. */
export function goJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (letter) => escapeSequences[letter] ?? letter);
}
