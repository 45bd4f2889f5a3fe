import type { WebSocket } from 'ws';
import manifest from '../../../package.json' with { type: 'json' };
import { Problem } from '../../contract/problem.ts';
import type { AddressGuard, Resolver } from './address.ts';
import { type Answer, readErrorBody, requireKnownEncoding } from './answer.ts';
import type { Connections } from './connections.ts';
import type { CredentialSource, LiveCredential } from './credentials.ts';
import { answerProblem } from './failures.ts';
import { requestHeaders, requestPath } from './request.ts';
import { dial, UpgradeRefused } from './socket.ts';
import type { Target } from './target.ts';
import type { KubeRequest, PingOptions } from './transport.ts';

/** Longest pause within the body of an answer that is no stream, ms. */
const bodyTimeout = 30_000;
const userAgent = `wheelhouse/${manifest.version}`;
/** The path that a ping requests: every credential may read it, and requests without a credential too. */
const readiness: KubeRequest = { path: '/readyz' };

/** Path and body of a request as they are sent. */
export interface Outgoing {
  readonly path: string;
  readonly body: string | null;
}

/**
 * Builds path and body. Throws Problem 400 for what cannot be sent: that is the caller's fault, and says nothing about
 * the cluster.
 */
export function prepare(server: string, request: KubeRequest): Outgoing {
  const path = requestPath(server, request);
  if (request.body === undefined) return { path, body: null };
  try {
    return { path, body: JSON.stringify(request.body) };
  } catch (error) {
    throw new Problem({ status: 400, title: 'The object is nested too deeply.' }, { cause: error });
  }
}

/** Removes the token of a credential from a text, should a cluster send it back. */
function redactor(credential: LiveCredential): (text: string) => string {
  const { token } = credential;
  return token === undefined ? (text) => text : (text) => text.replaceAll(token, '…');
}

/** How a request is sent. */
export interface Sending {
  readonly isStream: boolean;
  /** Over a connection of its own, where it is no stream. */
  readonly isFresh: boolean;
  readonly signal: AbortSignal;
}

/** Inputs of an exchange. */
export interface ExchangeParts {
  readonly target: Target;
  /** The cluster's name as people know it. */
  readonly name: string;
  readonly credentials: CredentialSource;
  readonly connections: Connections;
  readonly guard: AddressGuard;
  readonly resolve: Resolver | undefined;
  /** Time until the headers of an answer where the request names none, ms. */
  readonly headersTimeout: number;
  /** Called with the `Date` header of each answer of the cluster itself. */
  readonly onDate: (header: string | readonly string[] | undefined) => void;
}

/**
 * Sends requests to a cluster with its credential. A request whose credential was rejected is sent once more where a
 * fresh one may be had.
 */
export class Exchange {
  readonly #parts: ExchangeParts;

  constructor(parts: ExchangeParts) {
    this.#parts = parts;
  }

  /** The successful answer to a request. Throws ClusterProblem for any other, CredentialFailed, errors of the network. */
  async send(request: KubeRequest, outgoing: Outgoing, sending: Sending): Promise<Answer> {
    const { credentials, name } = this.#parts;
    for (let isRetry = false; ; isRetry = true) {
      const credential = await credentials.get();
      const answer = await this.#sendOnce(request, outgoing, credential, sending);
      const { response } = answer;
      // Without a listener, destroying an unread answer raises an uncaught error.
      response.body.on('error', () => {});
      if (request.isProxied !== true) this.#parts.onDate(response.headers['date']);
      if (response.statusCode >= 200 && response.statusCode < 300) {
        requireKnownEncoding(answer);
        return answer;
      }
      const body = await readErrorBody(response).finally(() => answer.release());
      const isRejected = response.statusCode === 401 && request.isProxied !== true;
      if (isRejected && credentials.rejected(credential) && !isRetry) continue;
      throw answerProblem(
        {
          status: response.statusCode,
          body,
          retryAfter: Number.parseInt(String(response.headers['retry-after']), 10) || undefined,
        },
        name,
        request,
        redactor(credential),
      );
    }
  }

  /** The answer to a ping, with any status. Throws CredentialFailed and errors of the network. */
  async ping({ isFresh, signal }: PingOptions): Promise<Answer> {
    const { target, credentials, connections } = this.#parts;
    const credential = await credentials.get();
    const answer = await connections.ping(
      credential,
      {
        path: requestPath(target.server, readiness),
        method: 'GET',
        headers: requestHeaders(readiness, { credential, target, userAgent, gzip: false }),
        signal,
      },
      isFresh,
    );
    this.#parts.onDate(answer.response.headers['date']);
    return answer;
  }

  /** Opens a paused WebSocket. Throws ClusterProblem when it is refused, CredentialFailed, errors of the network. */
  async dial(request: KubeRequest, path: string, protocols: readonly string[]): Promise<WebSocket> {
    const { target, name, credentials, guard, resolve } = this.#parts;
    const { signal } = request;
    for (let isRetry = false; ; isRetry = true) {
      const credential = await credentials.get();
      const headers = requestHeaders(request, { credential, target, userAgent, gzip: false });
      try {
        return await dial({ target, credential, guard, resolve, path, headers, protocols, signal });
      } catch (error) {
        if (!(error instanceof UpgradeRefused)) throw error;
        if (error.status === 401 && credentials.rejected(credential) && !isRetry) continue;
        const { status, body } = error;
        throw answerProblem({ status, body, retryAfter: undefined }, name, request, redactor(credential));
      }
    }
  }

  #sendOnce(
    request: KubeRequest,
    { path, body }: Outgoing,
    credential: LiveCredential,
    { isStream, isFresh, signal }: Sending,
  ): Promise<Answer> {
    const { target, connections, headersTimeout } = this.#parts;
    const gzip = !isStream && !target.disableCompression;
    const options = {
      path,
      method: request.method ?? 'GET',
      headers: requestHeaders(request, { credential, target, userAgent, gzip }),
      body,
      signal,
      headersTimeout: request.timeoutMs ?? headersTimeout,
      bodyTimeout: isStream ? 0 : bodyTimeout,
    };
    return isStream
      ? connections.stream(credential, options)
      : connections.request(credential, options, isFresh);
  }
}
