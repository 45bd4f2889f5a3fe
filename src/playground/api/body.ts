import { decodeBody } from '../custom/decode.ts';
import type { Custom } from '../custom/structural.ts';
import { DecodeError, type Decoded } from '../decode.ts';
import { apiVersionOf, type Resource } from '../registry.ts';
import type { Schemas, Shape } from '../schema.ts';
import { badRequest, type StatusError, unsupportedFormat } from '../status.ts';
import { isRec, type Rec, str } from '../values.ts';
import { duplicateKeys } from './json.ts';
import { type Call, mediaType, objectBody, parseBody } from './request.ts';

/** A decoded body and the warnings it earned. */
export interface Read {
  readonly body: Rec;
  readonly warnings: readonly string[];
}

/** A kind that a body is read as: a resource's own or a subresource's. */
export interface Expected {
  readonly apiVersion: string;
  readonly kind: string;
  readonly shape: Shape | undefined;
  readonly custom?: Custom | undefined;
}

export const expectedOf = (resource: Resource): Expected => ({
  apiVersion: apiVersionOf(resource),
  kind: resource.kind,
  shape: resource.shape,
  custom: resource.custom,
});

/** Reads and decodes the body of a create or update. Throws 400 in Go's words. */
export async function readObject(schemas: Schemas, expected: Expected, call: Call): Promise<Read> {
  const raw = await call.body();
  const contentType = mediaType(call.headers['content-type']);
  const readable = expected.custom === undefined ? [...texts, protobuf] : texts;
  if (contentType !== '' && !readable.includes(contentType)) throw unsupportedFormat(readable);
  const parsed = await parseBody(raw, contentType, expected.kind);
  const twice =
    /yaml|protobuf/.test(contentType) || ignores(call.query) ? [] : duplicateKeys(raw.toString('utf8'));
  return decodeObject(schemas, expected, objectBody(parsed, expected.kind), call.query, twice);
}

/** Content types of bodies; custom kinds have no protobuf. */
const texts = ['application/json', 'application/yaml'];
const protobuf = 'application/vnd.kubernetes.protobuf';
const ignores = (query: URLSearchParams) => query.get('fieldValidation') === 'Ignore';

/**
 * Decodes an object as its kind; unknown fields, and keys that stand `twice`, are refused, warned of or
 * ignored as `fieldValidation` says.
 */
export function decodeObject(
  schemas: Schemas,
  expected: Expected,
  body: Rec,
  query: URLSearchParams,
  twice: readonly string[] = [],
): Read {
  const { kind, apiVersion, shape } = expected;
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const givenKind = body['kind'];
  const givenVersion = body['apiVersion'];
  if (typeof givenKind === 'string' && givenKind !== '' && givenKind !== kind) {
    throw otherKind(schemas, expected, givenKind, str(givenVersion) || apiVersion);
  }
  if (typeof givenVersion === 'string' && givenVersion !== '' && givenVersion !== apiVersion) {
    throw badRequest(
      `the API version in the data (${givenVersion}) does not match the expected API version (${apiVersion})`,
    );
  }
  if (shape === undefined) return { body, warnings: [] };
  let decoded: Decoded;
  try {
    decoded = decodeBody(schemas, expected, body);
  } catch (error) {
    if (error instanceof DecodeError) {
      throw badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${error.message}`);
    }
    throw error;
  }
  const unknown = [
    ...twice.map((field) => `duplicate field "${field}"`),
    ...decoded.unknown.map((field) => `unknown field "${field}"`),
  ];
  if (unknown.length > 0 && query.get('fieldValidation') === 'Strict') {
    throw badRequest(
      `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${unknown.join(', ')}`,
    );
  }
  return { body: decoded.value, warnings: ignores(query) ? [] : unknown };
}

/** The refusal of an object of another kind than the path's. */
function otherKind(
  schemas: Schemas,
  { kind, apiVersion }: Expected,
  given: string,
  version: string,
): StatusError {
  const [group, name] = split(version);
  const known = schemas.nameOf(group, name, given) !== undefined;
  const [own] = split(apiVersion);
  const why = known
    ? `converting (${name}.${given}) to (${goPackage(own)}.${kind}): unknown conversion`
    : `no kind ${JSON.stringify(given)} is registered for version ${JSON.stringify(version)} in scheme "pkg/api/legacyscheme/scheme.go:30"`;
  return badRequest(`${given} in version ${JSON.stringify(name)} cannot be handled as a ${kind}: ${why}`);
}

const split = (apiVersion: string): [string, string] => {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
};
/** The Go package of a group's own types: the first part of its name. */
const goPackage = (group: string) => (group === '' ? 'core' : (group.split('.')[0] ?? ''));

/** Whether a request only asks what would happen. */
export function isDryRun(query: URLSearchParams): boolean {
  return query.getAll('dryRun').includes('All');
}

/** Reads an optional body that is an object (DeleteOptions). */
export async function readOptional(call: Call, kind: string): Promise<Rec> {
  const raw = await call.body();
  if (raw.toString('utf8').trim() === '') return {};
  const parsed = await parseBody(raw, mediaType(call.headers['content-type']), kind);
  return isRec(parsed) ? parsed : {};
}
