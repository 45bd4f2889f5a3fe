import type { WebSocket } from 'ws';
import manifest from '../../../package.json' with { type: 'json' };
import { Problem } from '../../contract/problem.ts';
import type { AddressGuard, Resolver } from './address.ts';
import { type AnswerBudget, type AnswerLimits, readErrorBody, readJson, UnusableAnswer } from './answer.ts';
import { bounded } from './bounds.ts';
import { type Attempt, createBreaker, type Now } from './breaker.ts';
import { type Answer, createConnections } from './connections.ts';
import { createCredentialSource, type LiveCredential } from './credentials.ts';
import { CredentialFailed } from './exec-plugin.ts';
import { answerProblem, isCredentialRejected, networkProblem } from './failures.ts';
import { abortReason, createLimiter } from '../kit/limiter.ts';
import { askingPerson } from './on-behalf.ts';
import { requestHeaders, requestPath } from './request.ts';
import { openStream } from './stream.ts';
import type { Target } from './target.ts';
import { dial, UpgradeRefused } from './socket.ts';
import { ClusterProblem, type KubeRequest, type LiveTransport } from './transport.ts';

const headersTimeoutMs = 15_000;
const answerTimeoutMs = 120_000;
const concurrentRequests = 16;
/** An answer that is no list page. */
const answerLimits: AnswerLimits = { bytes: 16 * 1024 * 1024, values: 1_000_000 };
/** One page of a list: 500 objects of the largest size are more, and nobody has those. */
const pageLimits: AnswerLimits = { bytes: 256 * 1024 * 1024, values: 3_000_000 };
/** Decoded bytes of all answers of one cluster that are being read. */
const budgetBytes = 512 * 1024 * 1024;

/** What a ping asks for: every credential may, and so may nobody's. */
const readiness: KubeRequest = { path: '/readyz' };
/** An answer to a ping is read as far as this, bytes. */
const pingBytes = 16 * 1024;

/** What a transport needs beside its target. */
export interface TransportOptions {
  readonly clusterId: number;
  /** The cluster's name as people know it: every failure names it. */
  readonly name: string;
  /** Identity of cluster and credential. */
  readonly credential: string;
  readonly guard: AddressGuard;
  /** Told how each request came out: a problem when the cluster was not reached or rejected the credential. */
  readonly onOutcome?: (problem: ClusterProblem | undefined) => void;
  readonly resolve?: Resolver;
  readonly now?: Now;
}

/** A transport that can also ask while its breaker is open. */
export interface HttpTransport extends LiveTransport {
  /** The namespace of the kubeconfig's context; undefined where it names none. */
  readonly namespace: string | undefined;
  /** As `json`, but asks even where the cluster was given up for the moment: a person wants to know. */
  ask<T>(request: KubeRequest): Promise<T>;
  /**
   * Opens a WebSocket (exec, attach) by the first of these subprotocols that the cluster knows; it is paused until
   * somebody listens. Throws ClusterProblem.
   */
  socket(request: KubeRequest, protocols: readonly string[]): Promise<WebSocket>;
}

/**
 * The way to one cluster over HTTPS: HTTP/1.1 for requests, one HTTP/2 connection for streams (HTTP/1.1 where the
 * server has no HTTP/2), nothing followed, nothing forwarded, every address checked by the guard before it is dialled.
 * Opens no connection before the first request.
 */
export function createTransport(target: Target, options: TransportOptions): HttpTransport {
  const { name } = options;
  const now = options.now ?? Date.now;
  const breaker = createBreaker(now);
  const limiter = createLimiter(concurrentRequests);
  const budget: AnswerBudget = { limit: budgetBytes, held: 0 };
  const source = createCredentialSource(target, now);
  const connections = createConnections(target, options.guard, options.resolve);
  const userAgent = `wheelhouse/${manifest.version}`;
  const sockets = new Set<WebSocket>();
  let lastFailure = `${name} is unreachable.`;
  let isClosed = false;

  const replaced = () =>
    new ClusterProblem(
      {
        status: 502,
        title: `The connection to ${name} was replaced. Try again.`,
        retryable: true,
        where: { cluster: name },
      },
      {},
    );

  const enter = (): Attempt => {
    if (isClosed) throw replaced();
    const entered = breaker.enter();
    if (typeof entered !== 'number') return entered;
    const seconds = Math.max(1, Math.ceil(entered / 1000));
    // The sentence stays on screens for a while: a time of day stays true there, seconds left would not.
    const nextTry = new Date(now() + entered + 999).toISOString().slice(11, 19);
    throw new ClusterProblem(
      {
        status: 502,
        title: `${lastFailure} The console retries at ${nextTry} UTC.`,
        retryable: true,
        where: { cluster: name },
      },
      { retryAfter: seconds },
    );
  };

  const unusable = (error: UnusableAnswer, { most }: KubeRequest): ClusterProblem =>
    most !== undefined && error.code === 'ANSWER_TOO_LARGE'
      ? new ClusterProblem(
          { status: 502, title: most.sentence, retryable: false, where: { cluster: name } },
          {},
          { cause: error },
        )
      : networkProblem(error, name, 0);

  const unusableCredential = (error: CredentialFailed) =>
    new ClusterProblem(
      {
        status: 502,
        title: `${name} cannot be asked. ${error.message}`,
        retryable: true,
        where: { cluster: name },
      },
      {},
      { cause: error },
    );

  /** Turns whatever went wrong into what the caller is told, and the breaker with it. */
  const conclude = (error: unknown, request: KubeRequest, attempt: Attempt): Error => {
    if (request.signal?.aborted === true) {
      attempt.abandoned();
      return abortReason(request.signal);
    }
    if (isClosed) {
      attempt.abandoned();
      return replaced();
    }
    if (error instanceof ClusterProblem || error instanceof UnusableAnswer) {
      // It answered, so it is alive; what it answered is another matter.
      attempt.succeeded();
      const problem = error instanceof ClusterProblem ? error : unusable(error, request);
      options.onOutcome?.(isCredentialRejected(problem) ? problem : undefined);
      return problem;
    }
    if (error instanceof CredentialFailed) {
      attempt.abandoned();
      const problem = unusableCredential(error);
      options.onOutcome?.(problem);
      return problem;
    }
    const problem = networkProblem(error, name, request.timeoutMs ?? headersTimeoutMs);
    attempt.failed();
    lastFailure = problem.title;
    options.onOutcome?.(problem);
    return problem;
  };

  const send = (
    request: KubeRequest,
    { path, body }: Outgoing,
    credential: LiveCredential,
    isStream: boolean,
    signal: AbortSignal,
  ): Promise<Answer> =>
    connections[isStream ? 'stream' : 'request'](credential, {
      path,
      method: request.method ?? 'GET',
      headers: requestHeaders(request, {
        credential,
        target,
        userAgent,
        gzip: !isStream && !target.disableCompression,
      }),
      body,
      signal,
      headersTimeout: request.timeoutMs ?? headersTimeoutMs,
      bodyTimeout: isStream ? 0 : 30_000,
    });

  /** Sends, again with a fresh credential when the first was rejected; throws the problem of an answer that is no success. */
  const exchange = async (
    request: KubeRequest,
    outgoing: Outgoing,
    isStream: boolean,
    signal: AbortSignal,
  ) => {
    for (let isRetry = false; ; isRetry = true) {
      const credential = await source.get();
      const answer = await send(request, outgoing, credential, isStream, signal);
      const { response } = answer;
      // Destroying an answer nobody reads would otherwise be an uncaught error.
      response.body.on('error', () => {});
      if (response.statusCode >= 200 && response.statusCode < 300) return answer;
      const body = await readErrorBody(response).finally(() => answer.release());
      if (response.statusCode === 401 && source.rejected(credential) && !isRetry) continue;
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
  };

  const json = async <T>(request: KubeRequest, force: boolean): Promise<T> => {
    const outgoing = prepare(target.server, request);
    const attempt = force ? breaker.force() : enter();
    const limits = bounded(request.signal, answerTimeoutMs);
    try {
      const answer = await exchange(request, outgoing, false, limits.signal);
      const usual = request.query?.['limit'] === undefined ? answerLimits : pageLimits;
      const most = request.most === undefined ? usual : { ...usual, bytes: request.most.bytes };
      const body = await readJson(answer.response, most, budget).finally(() => answer.release());
      attempt.succeeded();
      options.onOutcome?.(undefined);
      return body as T;
    } catch (error) {
      throw conclude(error, request, attempt);
    } finally {
      limits.end();
    }
  };

  return {
    clusterId: options.clusterId,
    credential: options.credential,
    namespace: target.namespace,
    json: (request) => limiter.run(() => json(request, false), request.signal, askingPerson()),
    ask: (request) => json(request, true),
    async stream(request) {
      const outgoing = prepare(target.server, request);
      const attempt = enter();
      const limits = bounded(request.signal);
      try {
        const answer = await exchange(request, outgoing, true, limits.signal);
        attempt.succeeded();
        options.onOutcome?.(undefined);
        return openStream(answer, limits, (error) => networkProblem(error, name, 0), request.keepsReturns);
      } catch (error) {
        limits.end();
        throw conclude(error, request, attempt);
      }
    },
    async ping({ isFresh, signal }) {
      if (isClosed) throw replaced();
      try {
        const credential = await source.get();
        const sender = { credential, target, userAgent, gzip: false };
        const answer = await connections.ping(
          credential,
          {
            path: requestPath(target.server, readiness),
            method: 'GET',
            headers: requestHeaders(readiness, sender),
            signal,
          },
          isFresh,
        );
        await answer.response.body.dump({ limit: pingBytes, signal }).finally(() => answer.release());
        breaker.reached();
        options.onOutcome?.(undefined);
        return answer.response.statusCode;
      } catch (error) {
        if (signal.aborted) throw abortReason(signal);
        if (isClosed) throw replaced();
        const problem =
          error instanceof CredentialFailed
            ? unusableCredential(error)
            : networkProblem(error, name, headersTimeoutMs);
        options.onOutcome?.(problem);
        throw problem;
      }
    },
    renew: () => connections.renew(),
    async socket(request, protocols) {
      const { path } = prepare(target.server, request);
      const attempt = enter();
      try {
        for (let isRetry = false; ; isRetry = true) {
          const credential = await source.get();
          const headers = requestHeaders(request, { credential, target, userAgent, gzip: false });
          try {
            const socket = await dial({
              target,
              credential,
              guard: options.guard,
              resolve: options.resolve,
              path,
              headers,
              protocols,
              signal: request.signal,
            });
            attempt.succeeded();
            options.onOutcome?.(undefined);
            sockets.add(socket);
            socket.on('close', () => sockets.delete(socket));
            return socket;
          } catch (error) {
            if (!(error instanceof UpgradeRefused)) throw error;
            if (error.status === 401 && source.rejected(credential) && !isRetry) continue;
            const { status, body } = error;
            throw answerProblem({ status, body, retryAfter: undefined }, name, request, redactor(credential));
          }
        }
      } catch (error) {
        throw conclude(error, request, attempt);
      }
    },
    async close() {
      isClosed = true;
      for (const socket of sockets) socket.terminate();
      await connections.close();
    },
  };
}

/** The parts of a request that its maker may get wrong. */
interface Outgoing {
  readonly path: string;
  readonly body: string | null;
}

/** Throws Problem 400 for what cannot be sent: that is the caller's fault, and says nothing about the cluster. */
function prepare(server: string, request: KubeRequest): Outgoing {
  const path = requestPath(server, request);
  if (request.body === undefined) return { path, body: null };
  try {
    return { path, body: JSON.stringify(request.body) };
  } catch (error) {
    throw new Problem({ status: 400, title: 'The object is nested too deeply.' }, { cause: error });
  }
}

/** Takes what a credential consists of out of a text, should a cluster send it back. */
function redactor(credential: LiveCredential): (text: string) => string {
  const { token } = credential;
  return token === undefined ? (text) => text : (text) => text.replaceAll(token, '…');
}
