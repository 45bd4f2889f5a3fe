import type { IncomingHttpHeaders } from 'node:http';

import type { User } from '../access/user.ts';
import type { Registry, Resource, Subresource } from '../registry/registry.ts';
import { badRequest, StatusError } from '../kit/status.ts';
import { isRec } from '../kit/values.ts';
import { JsonError, parseJson } from './json.ts';
import { ProtobufError, readProtobuf } from './protobuf.ts';

/** The resource or object that a path addresses. */
export interface Target {
  readonly resource: Resource;
  /** '' for cluster-scoped resources and requests across all namespaces. */
  readonly namespace: string;
  /** '' for the collection. */
  readonly name: string;
  readonly subresource: Subresource | undefined;
  /** Path segments after the subresource (proxy paths). */
  readonly rest: readonly string[];
  /** Whether the path itself requests a watch (/api/v1/watch/…), as old clients do. */
  readonly watching?: boolean;
}

/** A request as handlers see it. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly user: User;
  /** Headers that name the flow schema and priority level of the request. */
  readonly flow?: Readonly<Record<string, string>>;
  /** Warnings of every answer to this request. */
  readonly warnings?: readonly string[];
  /** Reads the body, once; at most 3 MB. Throws 413. */
  readonly body: () => Promise<Buffer>;
}

/** Resolves a path; undefined when no group serves it, 'missing' when the group has no such resource. */
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
  const watching = after[0] === 'watch';
  if (watching) after.shift();
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
  if (watching && (subresource !== undefined || !resource.verbs.includes('watch'))) return 'missing';
  return { resource, namespace, name, subresource, rest: tail, ...(watching ? { watching } : {}) };
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

/** A body as a value, with its duplicate keys if it is YAML. */
export interface Parsed {
  readonly value: unknown;
  readonly duplicates: readonly string[];
}

/**
 * Parses a body as JSON, or as YAML or protobuf by its content type, and checks its kind and version. `kind`: for
 * errors. Throws 400 with Go's messages.
 */
export async function parseBody(body: Buffer, contentType: string, kind: string): Promise<Parsed> {
  if (contentType.includes('protobuf')) {
    try {
      return { value: readProtobuf(body), duplicates: [] };
    } catch (error) {
      if (error instanceof ProtobufError) throw badRequest(error.message);
      throw error;
    }
  }
  const refuse = (why: string) =>
    badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${summary(body)})`);
  const unreadable = (why: string) => refuse(`couldn't get version/kind; json parse error: ${why}`);
  const text = body.toString('utf8');
  let parsed: Parsed;
  if (contentType.includes('yaml')) {
    const { readYaml, YamlError } = await import('./yaml.ts');
    try {
      parsed = readYaml(text);
    } catch (error) {
      if (error instanceof YamlError) throw refuse(error.message);
      throw error;
    }
  } else {
    try {
      parsed = { value: parseJson(text), duplicates: [] };
    } catch (error) {
      if (error instanceof JsonError) throw unreadable(error.message);
      throw error;
    }
  }
  const { value } = parsed;
  if (value === null) return { ...parsed, value: {} };
  if (!isRec(value))
    throw unreadable(`json: cannot unmarshal ${jsonKind(value)} into Go value of type ${meta}`);
  for (const [field, given] of [
    ['apiVersion', value['apiVersion']],
    ['kind', value['kind']],
  ] as const) {
    if (given === undefined || given === null || typeof given === 'string') continue;
    throw unreadable(
      `json: cannot unmarshal ${jsonKind(given)} into Go struct field .${field} of type string`,
    );
  }
  return parsed;
}

/** The type that the server first decodes a body as. */
const meta =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

const jsonKind = (value: unknown): string => {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return isRec(value) ? 'object' : typeof value;
};

/** The beginning of a body as Go prints it in an error: as text when it looks like JSON, else as bytes. */
export function summary(body: Buffer): string {
  if (body.length === 0) return '<empty>';
  const start = body.subarray(0, summarized).toString(body[0] === 0x7b ? 'utf8' : 'hex');
  return body.length > summarized ? `${start} ...` : start;
}
const summarized = 30;
