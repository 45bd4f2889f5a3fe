import { decodeBody } from '../custom/decode.ts';
import type { Custom } from '../registry/structural.ts';
import { DecodeError, type Decoded } from '../registry/decode.ts';
import { apiVersionOf, type Resource } from '../registry/registry.ts';
import type { Schemas, Shape } from '../registry/schema.ts';
import { badRequest, cause, invalid, StatusError, unsupportedFormat } from '../kit/status.ts';
import { at, isRec, type Rec, rec, str } from '../kit/values.ts';
import { duplicateKeys, fieldMistakes } from './json.ts';
import { type Call, mediaType, parseBody, summary } from './request.ts';

/** A decoded body with its warnings. */
export interface Read {
  readonly body: Rec;
  readonly warnings: readonly string[];
}

/** The kind that a body is decoded as: that of a resource or a subresource. */
export interface Expected {
  readonly apiVersion: string;
  readonly kind: string;
  readonly shape: Shape | undefined;
  readonly custom?: Custom | undefined;
  /** Other versions whose bodies are the same. */
  readonly also?: readonly string[];
}

export const expectedOf = (resource: Resource): Expected => ({
  apiVersion: apiVersionOf(resource),
  kind: resource.kind,
  shape: resource.shape,
  custom: resource.custom,
});

/** Reads and decodes the body of a create or update. Throws 400 with Go's messages. */
export async function readObject(schemas: Schemas, expected: Expected, call: Call): Promise<Read> {
  const raw = await call.body();
  const contentType = mediaType(call.headers['content-type']);
  const readable = expected.custom === undefined ? [...TEXT_TYPES, protobuf] : TEXT_TYPES;
  if (contentType !== '' && !readable.includes(contentType)) throw unsupportedFormat(readable);
  const { value, duplicates } = await parseBody(raw, contentType, expected.kind);
  const yaml = contentType.includes('yaml');
  // YAML reaches the decoder as JSON with sorted fields.
  const body = yaml ? rec(sorted(value)) : rec(value);
  const decoded = decodeObject(schemas, expected, body, raw);
  const text = yaml || contentType.includes('protobuf') || ignores(call.query) ? '' : raw.toString('utf8');
  const wrong =
    text === ''
      ? [...duplicates, ...decoded.unknown.map((field) => `unknown field "${field}"`)]
      : expected.custom === undefined
        ? fieldMistakes(text, decoded.unknown)
        : [
            ...duplicateKeys(text).map((field) => `duplicate field "${field}"`),
            ...decoded.unknown.map((field) => `unknown field "${field}"`),
          ];
  if (ignores(call.query)) return { body: decoded.value, warnings: [] };
  if (wrong.length > 0 && call.query.get('fieldValidation') === 'Strict') {
    const lines = duplicates.length === 0 ? [] : [`yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`];
    const { kind, apiVersion } = expected;
    const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
    const all = [...lines, ...wrong.slice(duplicates.length)].join(', ');
    throw badRequest(
      `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${all}`,
    );
  }
  return { body: decoded.value, warnings: wrong };
}

/** Media types of bodies in text form; custom kinds accept no protobuf. */
const TEXT_TYPES = ['application/json', 'application/yaml'];
const protobuf = 'application/vnd.kubernetes.protobuf';

/** Whether a client turned off warnings of unknown and duplicate fields. */
export const ignores = (query: URLSearchParams): boolean => query.get('fieldValidation') === 'Ignore';

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRec(value)) return value;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([key, item]) => [key, sorted(item)]));
};

/** Decodes an object as its kind. `raw`: its text, for errors. Throws 400 and 422. */
function decodeObject(schemas: Schemas, expected: Expected, body: Rec, raw: Buffer): Decoded {
  const { kind, apiVersion, shape, custom, also = [] } = expected;
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const givenKind = str(body['kind']);
  const givenVersion = str(body['apiVersion']);
  const refuse = (given: string, why: string) =>
    badRequest(`${kind} in version ${JSON.stringify(given)} cannot be handled as a ${kind}: ${why}`);
  if (custom !== undefined) {
    const text = raw.toString('utf8').trim();
    if (givenKind === '') {
      const why = `Object 'Kind' is missing in '${text}' (${summary(raw)})`;
      throw badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why}`);
    }
    if (givenVersion === '') throw refuse('', `Object 'apiVersion' is missing in '${text}'`);
  } else {
    const problem = kindProblem(schemas, expected, body);
    if (problem !== undefined && givenKind !== '' && givenKind !== kind) {
      const [, name] = split(givenVersion === '' ? apiVersion : givenVersion);
      throw badRequest(
        `${givenKind} in version ${JSON.stringify(name)} cannot be handled as a ${kind}: ${problem}`,
      );
    }
  }
  if (givenVersion !== '' && givenVersion !== apiVersion && !also.includes(givenVersion)) {
    throw badRequest(
      `the API version in the data (${givenVersion}) does not match the expected API version (${apiVersion})`,
    );
  }
  if (custom !== undefined && givenKind !== kind) {
    const [group] = split(apiVersion);
    const name = str(at(body, 'metadata', 'name'));
    throw invalid(group, givenKind, name, [cause.invalid('kind', givenKind, `must be ${kind}`)]);
  }
  if (shape === undefined) return { value: body, unknown: [] };
  try {
    return decodeBody(schemas, expected, body);
  } catch (error) {
    if (error instanceof DecodeError) throw refuse(version, error.message);
    throw error;
  }
}

/**
 * The error when the kind and version in a body cannot be converted to those of the path; undefined when they
 * can.
 */
export function kindProblem(
  schemas: Schemas,
  { kind, apiVersion, custom }: Expected,
  body: Rec,
): string | undefined {
  const given = str(body['kind']) === '' ? kind : str(body['kind']);
  const version = str(body['apiVersion']) === '' ? apiVersion : str(body['apiVersion']);
  if ((given === kind && version === apiVersion) || custom !== undefined) return undefined;
  const [group, name] = split(version);
  const [ownGroup] = split(apiVersion);
  if (schemas.nameOf(group, name, given) === undefined) {
    return `no kind ${JSON.stringify(given)} is registered for version ${JSON.stringify(version)} in scheme "pkg/api/legacyscheme/scheme.go:30"`;
  }
  return given === kind && group === ownGroup
    ? undefined
    : `converting (${name}.${given}) to (${goPackage(ownGroup)}.${kind}): unknown conversion`;
}
const split = (apiVersion: string): [string, string] => {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
};
/** The Go package of a group's own types: the first part of its name. */
export const goPackage = (group: string) => (group === '' ? 'core' : (group.split('.')[0] ?? ''));

/** Whether a request is a dry run. */
export function isDryRun(query: URLSearchParams): boolean {
  return query.getAll('dryRun').includes('All');
}

/**
 * Reads the options in the body of a deletion; undefined without a body. Throws 415, and 500 for a body that the
 * server cannot decode.
 */
export async function readOptional(call: Call): Promise<Rec | undefined> {
  const raw = await call.body();
  if (raw.length === 0) return undefined;
  const type = mediaType(call.headers['content-type']);
  const readable = [...TEXT_TYPES, protobuf];
  if (type !== '' && !readable.includes(type)) throw unsupportedFormat(readable);
  let body: Rec;
  try {
    body = rec((await parseBody(raw, type, 'DeleteOptions')).value);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const why = /\(must be of type DeleteOptions\): ([^]*) \([^()]*\)$/.exec(error.message)?.[1];
    throw why === undefined ? error : new StatusError(500, undefined, why);
  }
  const kind = str(body['kind']);
  if (kind !== '' && kind !== 'DeleteOptions') {
    const version = str(body['apiVersion']) === '' ? 'meta.k8s.io/v1' : str(body['apiVersion']);
    const why = `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(version)} in scheme "pkg/apis/meta/internalversion/scheme/register.go:27"`;
    throw new StatusError(500, undefined, why);
  }
  for (const [field, type] of optionTypes) {
    const given = body[field];
    if (given === undefined || given === null || typeof given === type) continue;
    const found = Array.isArray(given) ? 'array' : typeof given;
    const wanted = type === 'number' ? 'int64' : type === 'boolean' ? 'bool' : type;
    const why = `json: cannot unmarshal ${found} into Go struct field DeleteOptions.${field} of type ${wanted}`;
    throw new StatusError(500, undefined, why);
  }
  return body;
}

const optionTypes = [
  ['gracePeriodSeconds', 'number'],
  ['orphanDependents', 'boolean'],
  ['propagationPolicy', 'string'],
] as const;

/** A kind as Go prints it: "apps/v1, Kind=Deployment". */
export const goKind = (apiVersion: string, kind: string) =>
  `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
