import type { IncomingHttpHeaders } from 'node:http';

import type { User } from '../access/users.ts';
import type { Registry, Resource, Subresource } from '../registry.ts';
import { badRequest, StatusError } from '../status.ts';
import { isRec, type Rec } from '../values.ts';
import { JsonError, parseJson } from './json.ts';
import { ProtobufError, readProtobuf } from './protobuf.ts';

/** What a path asks for. */
export interface Target {
  readonly resource: Resource;
  /** '' for cluster-scoped resources and lists over all namespaces. */
  readonly namespace: string;
  /** '' for the collection. */
  readonly name: string;
  readonly subresource: Subresource | undefined;
  /** What follows the subresource (proxy paths). */
  readonly rest: readonly string[];
}

/** One request as handlers see it. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly user: User;
  /** Headers that say by which flow the request is served. */
  readonly flow?: Readonly<Record<string, string>>;
  /** What every answer to this request warns with. */
  readonly warnings?: readonly string[];
  /** Reads the body once; at most 3 MB. Throws 413. */
  readonly body: () => Promise<Buffer>;
}

/** Finds what a path means; undefined when no group serves it, 'missing' when the group has no such resource. */
export function route(registry: Registry, path: string): Target | 'missing' | undefined {
  const parts = path.split('/').filter((part) => part !== '');
  const segments = parts.map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  const [root, ...after] = segments;
  let group = '';
  if (root === 'apis') group = after.shift() ?? '';
  else if (root !== 'api') return undefined;
  const version = after.shift();
  if (version === undefined || !registry.hasVersion(group, version)) return undefined;
  let namespace = '';
  let rest = after;
  const [first, second, third] = after;
  if (first === 'namespaces' && second !== undefined && third !== undefined) {
    const isSub = group === '' && (third === 'status' || third === 'finalize');
    if (!isSub) {
      namespace = second;
      rest = after.slice(2);
    }
  }
  const [plural, name = '', sub, ...tail] = rest;
  if (plural === undefined) return undefined;
  const resource = registry.find(group, version, plural);
  if (resource === undefined || (namespace !== '' && !resource.namespaced)) return 'missing';
  const subresource = sub === undefined ? undefined : resource.subresources.get(sub);
  if (sub !== undefined && subresource === undefined) return 'missing';
  if (name !== '' && resource.namespaced && namespace === '') return 'missing';
  return { resource, namespace, name, subresource, rest: tail };
}

const limit = 3 * 1024 * 1024;

/** Reads a request's body. Throws 413 over 3 MB. */
export async function readBody(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > limit) {
      throw new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A content type without its parameters. */
export function mediaType(header: string | undefined): string {
  return (header ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/**
 * Parses a body as JSON, or as YAML or protobuf where the content type says so.
 * `kind` is what errors name. Throws 400.
 */
export async function parseBody(body: Buffer, contentType: string, kind: string): Promise<unknown> {
  const text = body.toString('utf8');
  if (contentType.includes('protobuf')) {
    try {
      return readProtobuf(body);
    } catch (error) {
      if (error instanceof ProtobufError) throw badRequest(error.message);
      throw error;
    }
  }
  if (contentType.includes('yaml')) {
    const { parse } = await import('yaml');
    try {
      return parse(text) as unknown;
    } catch (error) {
      throw badRequest(
        `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; ${(error as Error).message}`,
      );
    }
  }
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${error.message} (${summary(body)})`,
    );
  }
}

/** How Go shows the beginning of a body in an error: as text when it looks like JSON, else as bytes. */
function summary(body: Buffer): string {
  if (body.length === 0) return '<empty>';
  const shown = body.subarray(0, summarized).toString(body[0] === 0x7b ? 'utf8' : 'hex');
  return body.length > summarized ? `${shown} ...` : shown;
}
const summarized = 30;

/** A body that must be an object. Throws 400. */
export function objectBody(value: unknown, kind: string): Rec {
  if (isRec(value)) return value;
  throw badRequest(
    `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
  );
}
