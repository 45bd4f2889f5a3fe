import { badRequest, StatusError } from '../kit/status.ts';
import { isRec } from '../kit/values.ts';
import { duplicateKeys, JsonError, parseJson } from './json.ts';

const MAX_JSON_PATCH_OPERATIONS = 10_000;

/** The parsed body of a patch with the errors in its field names. */
export interface PatchBody {
  readonly patch: unknown;
  /** Go's messages about unknown and duplicate fields: warnings, or the cause of a strict refusal. */
  readonly mistakes: readonly string[];
}

const operation = ['op', 'path', 'from', 'value'];

/** The Go types that the strict and the normal decoder read each type of patch into, as their errors name them. */
const readers = {
  'application/json-patch+json': { strict: '[]handlers.jsonPatchOp', own: 'jsonpatch.Patch' },
  'application/merge-patch+json': { strict: 'map[string]interface {}', own: undefined },
  'application/strategic-merge-patch+json': { strict: undefined, own: 'map[string]interface {}' },
} as const;

/**
 * Parses a JSON, merge or strategic merge patch. `checked`: field names are validated (the default). Throws 400
 * with Go's messages, 413 for too many operations.
 */
export function parsePatch(text: string, type: string, checked: boolean): PatchBody {
  const reader = readers[type as keyof typeof readers];
  const strict = checked ? reader.strict : undefined;
  const refuse = (why: string) =>
    badRequest(
      strict !== undefined
        ? `error decoding patch: ${why}`
        : reader.own === undefined
          ? 'Invalid JSON Patch'
          : why,
    );
  const cannot = (found: string) =>
    refuse(`json: cannot unmarshal ${found} into Go value of type ${strict ?? reader.own ?? ''}`);
  let patch: unknown;
  try {
    patch = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw refuse(error.message);
  }
  const duplicates = checked ? duplicateKeys(text) : [];
  if (type !== 'application/json-patch+json') {
    if (isRec(patch)) return { patch, mistakes: duplicates.map((field) => `duplicate field "${field}"`) };
    if (patch === null && reader.own === undefined) throw badRequest('Invalid JSON Patch');
    if (patch === null) return { patch: {}, mistakes: [] };
    throw cannot(kindOf(patch));
  }
  if (patch === null) return { patch: [], mistakes: [] };
  if (!Array.isArray(patch)) throw cannot(kindOf(patch));
  if (strict !== undefined) checkOperations(patch);
  if (patch.length > MAX_JSON_PATCH_OPERATIONS) {
    const why = `The allowed maximum operations in a JSON patch is ${MAX_JSON_PATCH_OPERATIONS}, got ${patch.length}`;
    throw new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: ${why}`, {});
  }
  return { patch, mistakes: checked ? operationMistakes(patch, duplicates) : [] };
}

/** Refuses operations that Go's strict decoder cannot hold. */
function checkOperations(patch: readonly unknown[]): void {
  for (const item of patch) {
    if (item === null) continue;
    if (!isRec(item)) {
      const type = 'handlers.jsonPatchOp';
      throw badRequest(
        `error decoding patch: json: cannot unmarshal ${kindOf(item)} into Go value of type ${type}`,
      );
    }
    for (const field of ['op', 'path', 'from']) {
      const value = item[field];
      if (value === undefined || value === null || typeof value === 'string') continue;
      throw badRequest(
        `error decoding patch: json: cannot unmarshal ${kindOf(value)} into Go struct field jsonPatchOp.${field} of type string`,
      );
    }
  }
}

/** Unknown and duplicate fields of operations, not of their values. */
function operationMistakes(patch: readonly unknown[], duplicates: readonly string[]): string[] {
  return patch.flatMap((item, index) =>
    Object.keys(isRec(item) ? item : {}).flatMap((field) => {
      const path = `[${index}].${field}`;
      if (!operation.includes(field)) return [`json patch unknown field "${path}"`];
      return duplicates.includes(path) ? [`json patch duplicate field "${path}"`] : [];
    }),
  );
}

const kindOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return isRec(value) ? 'object' : typeof value;
};

/** The message of Go's converter of untyped objects for an error of its JSON decoder. */
export function conversionProblem(decoding: string): string {
  const [, given = '', wanted = ''] = /cannot unmarshal (\S+).* of type (.+)$/.exec(decoding) ?? [];
  if (wanted === '') return `error decoding from json: ${decoding}`;
  const actual =
    given === 'object' ? 'map' : given === 'array' ? 'slice' : given === 'number' ? 'int64' : given;
  if (wanted.startsWith('[]')) return `cannot restore slice from ${actual}`;
  if (wanted.startsWith('map[')) return `cannot restore map from ${actual}`;
  if (/^v\d/.test(wanted)) return `cannot restore struct from: ${actual}`;
  if (wanted === 'string' && actual === 'int64') return 'cannot convert int64 to string';
  return `unrecognized type: ${wanted}`;
}
