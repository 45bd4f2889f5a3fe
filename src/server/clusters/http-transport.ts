import { ServedVersions } from './served-versions.ts';
import { ClusterClock } from './cluster-clock.ts';
import type { WebSocket } from 'ws';
import { createLimiter } from '../kit/limiter.ts';
import type { Budget } from '../kit/memory-budget.ts';
import { measureDelay } from '../kit/own-delay.ts';
import type { Tracer } from '../kit/tracer.ts';
import { besideTurn } from '../kit/turns.ts';
import type { AddressGuard, Resolver } from './address.ts';
import { alreadyActing } from './acting.ts';
import { type AnswerBudgets, type AnswerLimits, readJson } from './answer.ts';
import { Attempts } from './attempts.ts';
import { bounded } from './bounds.ts';
import { ClusterConnections, type Connections } from './connections.ts';
import { createCredentialSource } from './credentials.ts';
import { Exchange, prepare } from './exchange.ts';
import { networkProblem } from './failures.ts';
import { askingPerson } from './on-behalf.ts';
import { type Try, withSecondTries } from './second-try.ts';
import { openStream } from './stream.ts';
import type { Target } from './target.ts';
import { tracedRequest } from './traced-request.ts';
import {
  ClusterProblem,
  type KubeRequest,
  type KubeStream,
  type LiveTransport,
  type PingOptions,
} from './transport.ts';
import { type Clock, systemClock } from '../kit/clock.ts';

/** Time until the headers of an answer, ms. */
const headersTimeout = 15_000;
/** Time until an answer that is no stream has been read, ms. */
const answerTimeout = 120_000;
/** Requests of one cluster that run at a time. */
const concurrentRequests = 16;
/** Further tries of one cluster's requests that run at a time. */
const concurrentSecondTries = 8;
/** Tries of a request whose answer does not begin, at most: the first one ends before another could begin. */
const triesOfRequest = 6;
const triesOfStream = 2;
/** Bounds of an answer that is no page of a list. */
const answerLimits: AnswerLimits = { bytes: 16 * 1024 * 1024, values: 1_000_000 };
/** Bounds of one page of a list: only 500 objects of the largest size exceed them. */
const pageLimits: AnswerLimits = { bytes: 256 * 1024 * 1024, values: 3_000_000 };
/** Decoded bytes of all answers of one cluster that are read at a time. */
const budgetBytes = 512 * 1024 * 1024;
/** Bytes of the answer to a ping that are read; a longer one ends its connection. */
const pingBytes = 16 * 1024;

/** Whether a request only reads from the cluster itself, so that it may be sent twice. */
const isRead = ({ method = 'GET', isProxied }: KubeRequest) => method === 'GET' && isProxied !== true;

/** Inputs of a transport besides its target. */
export interface TransportOptions {
  readonly clusterId: number;
  /** The cluster's name as people know it: every failure names it. */
  readonly name: string;
  /** Identity of cluster and credential. */
  readonly credential: string;
  readonly guard: AddressGuard;
  /** Called with how each request ended: a problem when the cluster was not reached or rejected the credential. */
  readonly onOutcome?: (problem: ClusterProblem | undefined) => void;
  readonly resolve?: Resolver;
  /** The memory that answers of all clusters share; any amount without it. */
  readonly answers?: Budget | undefined;
  readonly clock?: Clock;
  /** Records each request but pings. */
  readonly tracer?: Tracer | undefined;
}

/** A transport that can also send requests while its breaker is open. */
export interface HttpTransport extends LiveTransport {
  /** The namespace of the kubeconfig's context; undefined where it names none. */
  readonly namespace: string | undefined;
  /** Whether the credential itself acts as another user. */
  readonly impersonates: boolean;
  /** As `json`, but past limiter and open breaker: a person asked for the cluster's state. */
  ask<T>(request: KubeRequest): Promise<T>;
  /**
   * Opens a WebSocket (exec, attach) by the first of these subprotocols that the cluster knows; it is paused until
   * somebody listens. Throws ClusterProblem.
   */
  socket(request: KubeRequest, protocols: readonly string[]): Promise<WebSocket>;
}

/**
 * Talks to one cluster over HTTPS: HTTP/1.1 for requests, one HTTP/2 connection for streams (HTTP/1.1 where the
 * server has no HTTP/2). It follows no redirect, forwards no header, and the guard checks every address before it is
 * dialled. Opens no connection before the first request.
 */
export class ClusterTransport implements HttpTransport {
  readonly clusterId: number;
  readonly credential: string;
  readonly namespace: string | undefined;
  readonly impersonates: boolean;
  readonly #name: string;
  readonly #server: string;
  readonly #limiter = createLimiter(concurrentRequests);
  readonly #secondTries = createLimiter(concurrentSecondTries);
  readonly #budgets: AnswerBudgets;
  readonly #connections: Connections;
  readonly #attempts: Attempts;
  readonly #exchange: Exchange;
  readonly #sockets = new Set<WebSocket>();
  readonly #tracer: Tracer | undefined;
  readonly #clock = new ClusterClock();
  readonly #versions: ServedVersions;

  constructor(target: Target, options: TransportOptions) {
    const { clusterId, name, credential, guard, onOutcome, resolve, clock = systemClock } = options;
    this.clusterId = clusterId;
    this.credential = credential;
    this.namespace = target.namespace;
    this.impersonates = target.impersonate !== undefined;
    this.#name = name;
    this.#server = target.server;
    this.#tracer = options.tracer;
    this.#budgets = {
      cluster: { limit: budgetBytes, held: 0 },
      all: options.answers ?? { limit: Number.POSITIVE_INFINITY, held: 0 },
    };
    this.#versions = new ServedVersions(
      (path) => this.#traced({ path }, () => this.#json({ path }, false)),
      clock,
    );
    this.#connections = new ClusterConnections({ target, guard, resolve });
    this.#attempts = new Attempts({ name, clock, headersTimeout, onOutcome });
    this.#exchange = new Exchange({
      target,
      name,
      credentials: createCredentialSource(target, clock),
      connections: this.#connections,
      guard,
      resolve,
      headersTimeout,
      onDate: (header) => this.#clock.note(header, clock.now()),
    });
  }

  get clockAhead(): number {
    return this.#clock.ahead;
  }

  async json<T>(request: KubeRequest): Promise<T> {
    this.#requireOneIdentity(request);
    return await besideTurn(() =>
      this.#limiter.run(
        () =>
          this.#inServedVersion(request, (one) =>
            isRead(one)
              ? this.#withSecondTries(one, triesOfRequest, (tried, asTry) =>
                  this.#json<T>(tried, false, asTry),
                )
              : this.#traced(one, () => this.#json<T>(one, false)),
          ),
        request.signal,
        askingPerson(),
      ),
    );
  }

  /** Sends a request whose tries are independent of one another. */
  #withSecondTries<T>(
    request: KubeRequest,
    most: number,
    send: (request: KubeRequest, asTry: Try) => Promise<T>,
  ): Promise<T> {
    return withSecondTries({
      signal: request.signal,
      most,
      isAnswer: (error) => error instanceof ClusterProblem && error.upstream.status !== undefined,
      send: (asTry) => {
        const one = { ...request, signal: asTry.signal };
        const run = () => this.#traced(one, () => send(one, asTry));
        return asTry.isFirst ? run() : this.#secondTries.run(run, asTry.signal, askingPerson());
      },
    });
  }

  /** Throws Problem 409 where a credential that acts as another user is to act as a person. */
  #requireOneIdentity({ as }: KubeRequest): void {
    if (this.impersonates && as !== undefined) throw alreadyActing(this.#name);
  }

  ask<T>(request: KubeRequest): Promise<T> {
    return besideTurn(() => this.#traced(request, () => this.#json<T>(request, true)));
  }

  /** Records how long a request took: of a stream or a socket, until it is open. */
  async #traced<T>(request: KubeRequest, send: () => Promise<T>): Promise<T> {
    return await tracedRequest(this.#tracer, { clusterId: this.clusterId, request }, send);
  }

  async stream(request: KubeRequest): Promise<KubeStream> {
    return await besideTurn(() =>
      this.#inServedVersion(request, (one) =>
        one.hasSecondTry === true
          ? this.#withSecondTries(one, triesOfStream, (tried) => this.#stream(tried))
          : this.#traced(one, () => this.#stream(one)),
      ),
    );
  }

  /** Sends a request, once more in a version that the cluster serves where it does not serve the one asked for. */
  async #inServedVersion<T>(request: KubeRequest, send: (request: KubeRequest) => Promise<T>): Promise<T> {
    try {
      return await send(this.#versions.adapted(request));
    } catch (error) {
      const other = await this.#versions.instead(request, error);
      if (other === undefined) throw error;
      return await send(other);
    }
  }

  async #stream(request: KubeRequest): Promise<KubeStream> {
    const outgoing = prepare(this.#server, request);
    const attempt = this.#attempts.enter();
    const bounds = bounded(request.signal);
    try {
      const answer = await this.#exchange.send(request, outgoing, {
        isStream: true,
        isFresh: false,
        signal: bounds.signal,
      });
      this.#attempts.succeeded(attempt);
      const toProblem = (error: unknown) => networkProblem(error, this.#name, 0);
      return openStream(answer, bounds, toProblem, request.keepsReturns);
    } catch (error) {
      bounds.end();
      throw this.#attempts.fail(error, request, attempt);
    }
  }

  async ping(options: PingOptions): Promise<number> {
    const { signal } = options;
    const isBusy = measureDelay();
    this.#attempts.ping();
    try {
      const answer = await this.#exchange.ping(options);
      await answer.response.body.dump({ limit: pingBytes, signal }).finally(() => answer.release());
      this.#attempts.reached();
      return answer.response.statusCode;
    } catch (error) {
      throw this.#attempts.failPing(error, signal, isBusy);
    }
  }

  renew(): void {
    this.#connections.renew();
  }

  async socket(request: KubeRequest, protocols: readonly string[]): Promise<WebSocket> {
    this.#requireOneIdentity(request);
    return await this.#traced(request, () => this.#dial(request, protocols));
  }

  async #dial(request: KubeRequest, protocols: readonly string[]): Promise<WebSocket> {
    const { path } = prepare(this.#server, request);
    const attempt = this.#attempts.enter();
    try {
      const socket = await this.#exchange.dial(request, path, protocols);
      this.#attempts.succeeded(attempt);
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      return socket;
    } catch (error) {
      throw this.#attempts.fail(error, request, attempt);
    }
  }

  async close(): Promise<void> {
    this.#attempts.close();
    for (const socket of this.#sockets) socket.terminate();
    await this.#connections.close();
  }

  async #json<T>(request: KubeRequest, isForced: boolean, asTry?: Try): Promise<T> {
    const outgoing = prepare(this.#server, request);
    const attempt = isForced ? this.#attempts.force() : this.#attempts.enter();
    const bounds = bounded(request.signal, answerTimeout);
    try {
      const answer = await this.#exchange.send(request, outgoing, {
        isStream: false,
        isFresh: asTry?.isFirst === false,
        signal: bounds.signal,
      });
      asTry?.answered();
      const usual = request.query?.['limit'] === undefined ? answerLimits : pageLimits;
      const limits =
        request.answerLimit === undefined ? usual : { ...usual, bytes: request.answerLimit.bytes };
      const body = await readJson(answer.response, limits, this.#budgets).finally(() => answer.release());
      this.#attempts.succeeded(attempt);
      return body as T;
    } catch (error) {
      throw this.#attempts.fail(error, request, attempt);
    } finally {
      bounds.end();
    }
  }
}
