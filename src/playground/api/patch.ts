import { decodeBody } from '../custom/decode.ts';
import { type Decoded, DecodeError } from '../registry/decode.ts';
import { updateObject } from '../objects/objects.ts';
import type { World } from '../store/world.ts';
import { goJson, goText } from '../patch/go-text.ts';
import { jsonPatch, JsonPatchError } from '../patch/json.ts';
import { mergePatch } from '../patch/merge.ts';
import { MergeError, strategicMerge } from '../patch/strategic.ts';
import type { Schemas } from '../registry/schema.ts';
import {
  badRequest,
  cause,
  invalid,
  StatusError,
  unprocessable,
  unsupportedFormat,
  unsupportedMediaType,
} from '../kit/status.ts';
import { keyOf } from '../store/store.ts';
import { isRec, type Rec, rec } from '../kit/values.ts';
import { apply } from './apply.ts';
import { type Expected, expectedOf, ignores, isDryRun, kindProblem, type Read } from './body.ts';
import { checkWriteOptions } from './options.ts';
import { partOf } from './part.ts';
import { conversionProblem, parsePatch } from './patch-body.ts';
import { type Call, mediaType, type Target } from './request.ts';
import type { Answer } from './respond.ts';
import { objectWarnings } from './warnings.ts';
import { answer, owner } from './write.ts';

const json = 'application/json-patch+json';
const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';

function patched(schemas: Schemas, { shape }: Expected, type: string, before: Rec, patch: unknown): unknown {
  if (type === merge) return mergePatch(before, patch);
  try {
    return type === json ? jsonPatch(before, patch) : strategicMerge(schemas, shape, before, rec(patch));
  } catch (error) {
    if (error instanceof JsonPatchError) throw unprocessable();
    // The server reports only a malformed directive as the client's error.
    if (error instanceof MergeError && error.malformed) throw badRequest(error.message);
    if (error instanceof MergeError) throw new StatusError(500, undefined, error.message);
    throw error;
  }
}

/**
 * Applies a patch of any type but apply; the result is decoded. Throws 400, 413, 415 and 422 with the API
 * server's messages.
 */
export function applyPatch(
  schemas: Schemas,
  expected: Expected,
  type: string,
  text: string,
  before: Rec,
  query: URLSearchParams,
): Read {
  if (type !== json && type !== merge && type !== strategic) throw unsupportedMediaType();
  const { patch, mistakes } = parsePatch(text, type, !ignores(query));
  const result = patched(schemas, expected, type, before, patch);
  if (!isRec(result)) throw badRequest('the patched object is no object');
  const { shape, apiVersion, kind } = expected;
  if (shape === undefined) return { body: result, warnings: mistakes };
  const refusedValue = type === strategic ? goText(patch) : goJson(result);
  const refuse = (why: string) => invalid('', '', '', [cause.invalid('patch', refusedValue, why)]);
  // A strategic merge ignores the kind in the patch.
  const other = type === strategic ? undefined : kindProblem(schemas, expected, result);
  if (other !== undefined) throw refuse(other);
  let decoded: Decoded;
  try {
    decoded = decodeBody(schemas, expected, { ...result, apiVersion, kind });
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw refuse(type === strategic ? conversionProblem(error.message) : error.message);
  }
  if (ignores(query)) return { body: decoded.value, warnings: [] };
  const wrong = [...mistakes, ...decoded.unknown.map((field) => `unknown field "${field}"`)];
  if (wrong.length > 0 && query.get('fieldValidation') === 'Strict') {
    throw refuse(`strict decoding error: ${wrong.join(', ')}`);
  }
  return { body: decoded.value, warnings: wrong };
}

/** Serves a patch of any type. */
export async function patch(world: World, target: Target, call: Call): Promise<Answer> {
  const { resource, namespace, name } = target;
  const type = mediaType(call.headers['content-type']);
  const applying = type === 'application/apply-patch+yaml';
  if (!resource.patchTypes.includes(type)) {
    throw resource.custom === undefined ? unsupportedMediaType() : unsupportedFormat(resource.patchTypes);
  }
  checkWriteOptions('PatchOptions', call.query, applying);
  if (applying) return await apply(world, target, call);
  const text = (await call.body()).toString('utf8');
  let warnings: readonly string[] = [];
  const stored = world.store.get(resource.storage, keyOf(namespace, name));
  const object = updateObject(
    world,
    resource,
    namespace,
    name,
    (before) => {
      const read = applyPatch(world.registry.schemas, expectedOf(resource), type, text, before, call.query);
      warnings = read.warnings;
      return read.body;
    },
    {
      dryRun: isDryRun(call.query),
      recordOwnership: owner(world, target, call),
      patched: true,
      ...partOf(target),
    },
  );
  return answer(200, resource, object, [...warnings, ...objectWarnings(world, resource, object, stored)]);
}
