import { createHash, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { notAcceptable, StatusError } from '../kit/status.ts';
import type { Call } from './request.ts';
import { str } from '../kit/values.ts';
import type { MetaVersion } from '../tables/table.ts';

/** What a handler answers with. `stream` ones write for themselves. */
export interface Answer {
  readonly code: number;
  readonly body?: unknown;
  /** Already JSON: lists are built as text. */
  readonly json?: string;
  readonly text?: string;
  readonly contentType?: string;
  /** Whether a client that has the same already is only told so (ETag, 304). */
  readonly tagged?: boolean;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/** The part of Node's HTTP/1 and HTTP/2 responses that is used. */
export interface Reply {
  readonly headersSent: boolean;
  readonly writableLength?: number;
  writeHead(code: number, headers: Record<string, string | string[]>): unknown;
  /** Sends the headers now: a stream may have nothing to say for long. */
  flushHeaders?(): void;
  write(chunk: string | Uint8Array): boolean;
  end(): unknown;
  end(chunk: string | Uint8Array): unknown;
  on(event: 'close' | 'drain' | 'error', call: () => void): unknown;
}

/** In which form a client wants objects. */
export interface Form {
  readonly as:
    | 'object'
    | 'Table'
    | 'PartialObjectMetadata'
    | 'PartialObjectMetadataList'
    | 'APIGroupDiscoveryList';
  readonly yaml: boolean;
  /** The version of meta.k8s.io that tables and metadata come in. */
  readonly version: MetaVersion;
}

const isMetaVersion = (text: string | undefined): text is MetaVersion => text === 'v1' || text === 'v1beta1';

const media = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const streams = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];
/** What an answer may be made into, and the group whose kind that is. */
const transforms = new Map([
  ['Table', 'meta.k8s.io'],
  ['PartialObjectMetadata', 'meta.k8s.io'],
  ['PartialObjectMetadataList', 'meta.k8s.io'],
  ['APIGroupDiscoveryList', 'apidiscovery.k8s.io'],
]);

/** What is asked for in a form: the verb, and whether the kind is a definition's. */
interface RequestTraits {
  readonly custom: boolean;
  readonly verb: string;
}

/** A refusal of the part of the server that writes the answer, after its routes have let the request through. */
function unwritable(types: readonly string[]): StatusError {
  const why = `only the following media types are accepted: ${types.join(', ')}`;
  return new StatusError(406, 'NotAcceptable', why);
}

/** Chooses the form of an answer from the Accept header. Throws 406 when none fits. */
export function negotiate(
  accept: string | undefined,
  { custom, verb }: RequestTraits = { custom: false, verb: 'get' },
): Form {
  if (accept === undefined || accept.trim() === '') return { as: 'object', yaml: false, version: 'v1' };
  const clauses = accept.split(',').map((clause) => clause.split(';').map((part) => part.trim()));
  const routed = clauses.some(([type = '']) => type === '*/*' || media.includes(type));
  // Kinds of definitions have no routes of their own.
  if (!custom && !routed) {
    throw notAcceptable([...media, ...(verb === 'list' || verb === 'watch' ? streams : [])].join(', '));
  }
  for (const [type = '', ...parameters] of clauses) {
    const given = new Map(parameters.map((part) => part.split('=', 2) as [string, string]));
    const as = given.get('as');
    if (as !== undefined && transforms.get(as) !== (given.get('g') ?? '')) continue;
    if (as === 'APIGroupDiscoveryList' && given.get('v') !== 'v2') continue;
    const version = given.get('v');
    if (as !== undefined && as !== 'APIGroupDiscoveryList' && !isMetaVersion(version)) continue;
    const yaml = type === 'application/yaml';
    if (!yaml && type !== 'application/json' && type !== '*/*' && type !== 'application/*') continue;
    if (yaml && verb === 'watch') throw unwritable(streams);
    return {
      as: (as as Form['as'] | undefined) ?? 'object',
      yaml,
      version: isMetaVersion(version) ? version : 'v1',
    };
  }
  throw unwritable(custom ? media.slice(0, 2) : media);
}

const zip = promisify(gzip);
const zipFrom = 128 * 1024;

function pretty(call: Call): boolean {
  const asked = call.query.get('pretty');
  if (asked !== null) return asked !== 'false' && asked !== '0';
  return /^(Mozilla|curl|Wget)/.test(call.headers['user-agent'] ?? '');
}

/** The Warning headers of an answer. */
export function warningHeaders(warnings: readonly string[]): Record<string, string | string[]> {
  if (warnings.length === 0) return {};
  return { warning: warnings.map((text) => `299 - ${JSON.stringify(text)}`) };
}

/** Sends an answer: JSON or YAML, pretty for browsers, large ones compressed where the client takes it. */
export async function send(call: Call, reply: Reply, answer: Answer): Promise<void> {
  let text = answer.text ?? answer.json;
  let contentType =
    answer.contentType ?? (answer.text === undefined ? 'application/json' : 'text/plain; charset=utf-8');
  if (text === undefined && answer.body !== undefined) {
    text = pretty(call) ? `${JSON.stringify(answer.body, null, 2)}\n` : `${JSON.stringify(answer.body)}\n`;
  } else if (answer.json !== undefined && pretty(call)) {
    text = `${JSON.stringify(JSON.parse(answer.json), null, 2)}\n`;
  }
  if (text !== undefined && answer.text === undefined && wantsYaml(call)) {
    text = await toYaml(JSON.parse(text));
    contentType = 'application/yaml';
  }
  const headers: Record<string, string | string[]> = {
    'audit-id': randomUUID(),
    'cache-control': 'no-cache, private',
    ...call.flow,
    ...(text === undefined ? {} : { 'content-type': contentType }),
    ...answer.headers,
  };
  const general = warningHeaders(call.warnings ?? [])['warning'];
  if (general !== undefined) headers['warning'] = [general, headers['warning'] ?? []].flat();
  if (answer.tagged === true && text !== undefined) {
    const tag = `"${createHash('sha512').update(text).digest('hex').toUpperCase()}"`;
    Object.assign(headers, { etag: tag, vary: 'Accept' });
    if (call.headers['if-none-match'] === tag) {
      delete headers['content-type'];
      reply.writeHead(304, headers);
      reply.end();
      return;
    }
  }
  if (text === undefined || call.method === 'HEAD') {
    reply.writeHead(answer.code, headers);
    reply.end();
    return;
  }
  const body = Buffer.from(text);
  if (body.length >= zipFrom && /\bgzip\b/.test(str(call.headers['accept-encoding']))) {
    const zipped = await zip(body, { level: constants.Z_BEST_SPEED });
    reply.writeHead(answer.code, { ...headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    reply.end(zipped);
    return;
  }
  reply.writeHead(answer.code, { ...headers, 'content-length': String(body.length) });
  reply.end(body);
}

function wantsYaml(call: Call): boolean {
  const accept = call.headers.accept;
  if (accept === undefined || !accept.includes('yaml')) return false;
  try {
    return negotiate(accept).yaml;
  } catch {
    return false;
  }
}

/** YAML as the API server writes it: keys sorted, strings quoted where a reader could mistake them. */
export async function toYaml(value: unknown): Promise<string> {
  // Few clients ask for it, and the library is not small.
  const { writeYaml } = await import('../../kube/yaml/write.ts');
  return writeYaml(value, { sortMapEntries: true, indentSeq: false });
}

/** Answers with a refusal. */
export async function sendError(call: Call, reply: Reply, error: StatusError): Promise<void> {
  const { body } = error;
  const refused = body.code === 403 || body.code === 401;
  await send(call, reply, {
    code: body.code ?? 500,
    body,
    headers: {
      ...(refused && body.code === 403 ? { 'x-content-type-options': 'nosniff' } : {}),
      ...(body.details?.retryAfterSeconds === undefined
        ? {}
        : { 'retry-after': String(body.details.retryAfterSeconds) }),
    },
  });
}
