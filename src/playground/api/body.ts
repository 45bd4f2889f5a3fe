import { decodeBody } from '../custom/decode.ts';
import type { Custom } from '../custom/structural.ts';
import { DecodeError, type Decoded } from '../decode.ts';
import { apiVersionOf, type Resource } from '../registry.ts';
import type { Schemas, Shape } from '../schema.ts';
import { badRequest } from '../status.ts';
import { isRec, type Rec } from '../values.ts';
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
  const parsed = await parseBody(raw, contentType, expected.kind);
  return decodeObject(schemas, expected, objectBody(parsed ?? {}, expected.kind), call.query);
}

/** Decodes an object as its kind; unknown fields are refused, warned of or ignored as `fieldValidation` says. */
export function decodeObject(schemas: Schemas, expected: Expected, body: Rec, query: URLSearchParams): Read {
  const { kind, apiVersion, shape } = expected;
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const givenKind = body['kind'];
  const givenVersion = body['apiVersion'];
  if (typeof givenKind === 'string' && givenKind !== '' && givenKind !== kind) {
    throw badRequest(
      `${givenKind} in version "${typeof givenVersion === 'string' ? versionOf(givenVersion) : version}" cannot be handled as a ${kind}: converting (v1.${givenKind}) to (core.${kind}): unknown conversion`,
    );
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
  const unknown = decoded.unknown.map((field) => `unknown field "${field}"`);
  if (unknown.length > 0 && query.get('fieldValidation') === 'Strict') {
    throw badRequest(
      `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${unknown.join(', ')}`,
    );
  }
  const ignored = query.get('fieldValidation') === 'Ignore';
  return { body: decoded.value, warnings: ignored ? [] : unknown };
}

const versionOf = (apiVersion: string) => apiVersion.slice(apiVersion.indexOf('/') + 1);

/** The Warning headers of an answer. */
export function warningHeaders(warnings: readonly string[]): Record<string, string | string[]> {
  if (warnings.length === 0) return {};
  return { warning: warnings.map((text) => `299 - ${JSON.stringify(text)}`) };
}

/** Whether a request only asks what would happen. Throws 422 for any value but All. */
export function isDryRun(query: URLSearchParams): boolean {
  return query.getAll('dryRun').includes('All');
}

/** Reads an optional body that is an object (DeleteOptions). */
export async function readOptional(call: Call, kind: string): Promise<Rec> {
  const parsed = await parseBody(await call.body(), mediaType(call.headers['content-type']), kind);
  return isRec(parsed) ? parsed : {};
}
