import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Agent, buildConnector, type Dispatcher, request } from 'undici';
import { type AddressGuard, createGuardedConnector, type Resolver } from '../clusters/address.ts';
import { isGzip } from '../kit/answer-encoding.ts';

/** No answer of a provider is longer, bytes: configuration, keys, tokens and claims. */
const maxAnswerLength = 1024 * 1024;
const connectTimeout = 5_000;

/** As `fetch`, of the part that is used here. */
export type Fetch = (url: string, options: RequestInit) => Promise<Response>;

/** How addresses are dialled. */
export interface GuardedOptions {
  /** An origin that is dialled as it is written: what the operator put into the environment. */
  readonly trusted?: URL | undefined;
  /** Judges connections to the trusted origin, in place of nothing. */
  readonly guardOfTrusted?: AddressGuard;
  /** Resolves names; the system's resolver by default. */
  readonly resolve?: Resolver;
}

/** Connections that go through the address guard. */
export function createGuardedAgent(
  guard: AddressGuard,
  { trusted, guardOfTrusted, resolve }: GuardedOptions = {},
): Agent {
  const options = { timeout: connectTimeout };
  const guarded = createGuardedConnector(options, guard, resolve);
  const plain =
    guardOfTrusted === undefined ? buildConnector(options) : createGuardedConnector(options, guardOfTrusted);
  const portOf = (port: string, protocol: string) => port || (protocol === 'https:' ? '443' : '80');
  const isTrusted = ({ hostname, port, protocol }: buildConnector.Options) =>
    trusted !== undefined &&
    hostname === trusted.hostname &&
    protocol === trusted.protocol &&
    portOf(port, protocol) === portOf(trusted.port, trusted.protocol);
  return new Agent({
    connect: (target, callback) => (isTrusted(target) ? plain : guarded)(target, callback),
    // Sign-ins are rare: a connection that lies idle would be closed by the provider at any moment.
    pipelining: 0,
  });
}

/**
 * A `fetch` whose connections go through the address guard, that follows no redirects, asks for gzip alone, and hands on
 * an answer as it comes, up to a limit. Throws as `fetch` does, with AddressRefused as the cause for an address that must
 * not be dialled, and EncodingRefused. It is not the `fetch` of undici, which decodes Brotli whatever was asked for.
 * @param limit decoded bytes of an answer
 */
export function createStreamingFetch(
  guard: AddressGuard,
  limit: number,
  options?: GuardedOptions,
): typeof globalThis.fetch {
  const dispatcher = createGuardedAgent(guard, options);
  return async (target, init) => {
    // Reads options as `fetch` does: a form gets its content type, and a header that cannot be sent is refused.
    const asked = new Request(target, init);
    const body = asked.body === null ? null : Buffer.from(await asked.arrayBuffer());
    const answer = await request(asked.url, {
      method: asked.method,
      headers: {
        accept: '*/*',
        'user-agent': 'Wheelhouse',
        ...Object.fromEntries(asked.headers),
        'accept-encoding': 'gzip',
      },
      body,
      signal: init?.signal ?? null,
      dispatcher,
    }).catch((error: unknown) => {
      init?.signal?.throwIfAborted();
      throw new TypeError('fetch failed', { cause: error });
    });
    return responseOf(answer, limit);
  };
}

/** An answer as `fetch` gives it. Throws EncodingRefused. */
function responseOf({ statusCode, headers, body }: Dispatcher.ResponseData, limit: number): Response {
  // Without a listener, destroying an unread answer raises an uncaught error.
  body.on('error', () => {});
  try {
    const isCompressed = isGzip(headers['content-encoding']);
    const kept = new Headers();
    for (const [name, values = []] of Object.entries(headers)) {
      const isOfTheWire = isCompressed && /^content-(?:encoding|length)$/.test(name);
      if (!isOfTheWire) for (const value of [values].flat()) kept.append(name, value);
    }
    const init = { status: statusCode, headers: kept };
    if ([204, 205, 304].includes(statusCode)) {
      body.destroy();
      return new Response(null, init);
    }
    const decoded = isCompressed ? pipeline(body, createGunzip(), () => {}) : body;
    return new Response(bounded(Readable.toWeb(decoded) as ReadableStream<Uint8Array>, limit), init);
  } catch (error) {
    body.destroy();
    throw error;
  }
}

/** @param limit bytes, after which the stream fails */
function bounded(stream: ReadableStream<Uint8Array>, limit: number): ReadableStream<Uint8Array> {
  let length = 0;
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        length += chunk.byteLength;
        if (length > limit) controller.error(new Error(`The answer is longer than ${limit / 1024 ** 2} MB.`));
        else controller.enqueue(chunk);
      },
    }),
  );
}

/** A `fetch` as `createStreamingFetch` makes it whose answers, up to 1 MB, are read before it returns. */
export function createGuardedFetch(guard: AddressGuard, options?: GuardedOptions): Fetch {
  const fetch = createStreamingFetch(guard, maxAnswerLength, options);
  return async (url, init) => {
    const answer = await fetch(url, init);
    return new Response(answer.body === null ? null : await answer.arrayBuffer(), answer);
  };
}
