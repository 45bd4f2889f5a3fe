import { createHash, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { notAcceptable, StatusError } from '../kit/status.ts';
import type { Call } from './request.ts';
import { str } from '../kit/values.ts';
import type { MetaVersion } from '../tables/table.ts';

/** The answer of a handler; those with `stream` write to the reply themselves. */
export interface Answer {
  readonly code: number;
  readonly body?: unknown;
  /** A body that is JSON already: lists are built as text. */
  readonly json?: string;
  readonly text?: string;
  /** A body that is no text; it has a contentType. */
  readonly bytes?: Buffer;
  readonly contentType?: string;
  /** Whether the answer has an ETag, so that 304 is sent to a client that has it. */
  readonly tagged?: boolean;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/** The common part of Node's HTTP/1 and HTTP/2 responses that is used here. */
export interface Reply {
  readonly headersSent: boolean;
  readonly writableLength?: number;
  writeHead(code: number, headers: Record<string, string | string[]>): unknown;
  /** Sends the headers at once, since a stream may stay silent for long. */
  flushHeaders?(): void;
  write(chunk: string | Uint8Array): boolean;
  end(): unknown;
  end(chunk: string | Uint8Array): unknown;
  on(event: 'close' | 'drain' | 'error', call: () => void): unknown;
}

/** The form of the objects in an answer, from the Accept header. */
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
/** Kinds that objects can be converted to in an answer (`as`), each with its group (`g`). */
const transforms = new Map([
  ['Table', 'meta.k8s.io'],
  ['PartialObjectMetadata', 'meta.k8s.io'],
  ['PartialObjectMetadataList', 'meta.k8s.io'],
  ['APIGroupDiscoveryList', 'apidiscovery.k8s.io'],
]);

/** The facts about a request that its form depends on. `custom`: its resource is a custom one. */
interface RequestTraits {
  readonly custom: boolean;
  readonly verb: string;
}

/** The refusal of a media type by the serializer, after routing. */
function unwritable(types: readonly string[]): StatusError {
  const why = `only the following media types are accepted: ${types.join(', ')}`;
  return new StatusError(406, 'NotAcceptable', why);
}

/** Chooses the form of an answer from the Accept header. Throws 406 when none is acceptable. */
export function negotiate(
  accept: string | undefined,
  { custom, verb }: RequestTraits = { custom: false, verb: 'get' },
): Form {
  if (accept === undefined || accept.trim() === '') return { as: 'object', yaml: false, version: 'v1' };
  const clauses = accept.split(',').map((clause) => clause.split(';').map((part) => part.trim()));
  const routed = clauses.some(([type = '']) => type === '*/*' || media.includes(type));
  // Custom resources are not routed by media type.
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
  const prettyParameter = call.query.get('pretty');
  if (prettyParameter !== null) return prettyParameter !== 'false' && prettyParameter !== '0';
  return /^(Mozilla|curl|Wget)/.test(call.headers['user-agent'] ?? '');
}

/** The Warning headers of an answer. */
export function warningHeaders(warnings: readonly string[]): Record<string, string | string[]> {
  if (warnings.length === 0) return {};
  return { warning: warnings.map((text) => `299 - ${JSON.stringify(text)}`) };
}

/**
 * Sends an answer: JSON or YAML, indented for browsers, compressed when it is large and the client accepts gzip.
 */
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
    ...(text === undefined && answer.bytes === undefined ? {} : { 'content-type': contentType }),
    ...answer.headers,
  };
  const general = warningHeaders(call.warnings ?? [])['warning'];
  if (general !== undefined) headers['warning'] = [general, headers['warning'] ?? []].flat();
  const content = answer.bytes ?? text;
  if (answer.tagged === true && content !== undefined) {
    const tag = `"${createHash('sha512').update(content).digest('hex').toUpperCase()}"`;
    Object.assign(headers, { etag: tag, vary: 'Accept' });
    if (call.headers['if-none-match'] === tag) {
      delete headers['content-type'];
      reply.writeHead(304, headers);
      reply.end();
      return;
    }
  }
  if (content === undefined || call.method === 'HEAD') {
    reply.writeHead(answer.code, headers);
    reply.end();
    return;
  }
  const body = typeof content === 'string' ? Buffer.from(content) : content;
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

/** YAML as the API server writes it: sorted keys, ambiguous texts quoted. */
export async function toYaml(value: unknown): Promise<string> {
  // Loaded on demand: few clients ask for YAML and the library is large.
  const { writeYaml } = await import('../../kube/yaml/write.ts');
  return writeYaml(value, { sortMapEntries: true, indentSeq: false });
}

/** Sends a refusal. */
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
