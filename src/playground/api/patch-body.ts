import { badRequest, StatusError } from '../status.ts';
import { isRec } from '../values.ts';
import { JsonError, parseJson } from './json.ts';

const most = 10_000;

/** Reads the body of a JSON, merge or strategic merge patch. Throws 400 in Go's words, 413 for too many operations. */
export function parsePatch(text: string, type: string): unknown {
  let patch: unknown;
  try {
    patch = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw badRequest(type === 'application/merge-patch+json' ? 'Invalid JSON Patch' : error.message);
  }
  if (type !== 'application/json-patch+json') {
    if (isRec(patch)) return patch;
    if (type === 'application/merge-patch+json') throw badRequest('Invalid JSON Patch');
    throw badRequest(`json: cannot unmarshal ${kindOf(patch)} into Go value of type map[string]interface {}`);
  }
  if (!Array.isArray(patch)) {
    throw badRequest(`json: cannot unmarshal ${kindOf(patch)} into Go value of type jsonpatch.Patch`);
  }
  if (patch.length > most) {
    const why = `The allowed maximum operations in a JSON patch is ${most}, got ${patch.length}`;
    throw new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: ${why}`, {});
  }
  return patch;
}

const kindOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return isRec(value) ? 'object' : typeof value;
};

/** What Go's converter of untyped objects says where its JSON decoder would say this. */
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
