import { abortReason } from '../kit/limiter.ts';
import { measureDelay } from '../kit/own-delay.ts';
import { UnusableAnswer } from './answer.ts';
import { type Attempt, createBreaker } from './breaker.ts';
import { CredentialFailed } from './exec-plugin.ts';
import { errorCode, isCredentialRejected, networkProblem } from './failures.ts';
import {
  busyLimit,
  credentialProblem,
  memoryLimit,
  pausedProblem,
  replacedProblem,
  unusableAnswerProblem,
} from './transport-problems.ts';
import { ClusterProblem, type KubeRequest } from './transport.ts';
import type { Clock } from '../kit/clock.ts';

/** A cluster that was pinged within this time is pinged until it answers, ms. */
const pingedWithin = 10_000;

/** Codes of errors by which an answer did not come in time. */
const timeouts: ReadonlySet<string> = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/** Inputs of a transport's attempts. */
export interface AttemptsParts {
  /** The cluster's name as people know it. */
  readonly name: string;
  readonly clock: Clock;
  /** Time until the headers of an answer where the request names none, ms: for the sentence about a timeout. */
  readonly headersTimeout: number;
  /** Called with how each request ended: a problem when the cluster was not reached or rejected the credential. */
  readonly onOutcome: ((problem: ClusterProblem | undefined) => void) | undefined;
}

/** Decides whether a request may be sent to a cluster, and turns what went wrong into the problem that callers see. */
export class Attempts {
  readonly #parts: AttemptsParts;
  readonly #breaker: ReturnType<typeof createBreaker>;
  /** Whether this process was too busy to read an answer in time, since each attempt began. */
  readonly #isBusySince = new WeakMap<Attempt, () => boolean>();
  #lastFailure: string;
  #isClosed = false;
  /** When the cluster was pinged last, epoch ms. */
  #pingedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: AttemptsParts) {
    this.#parts = parts;
    this.#breaker = createBreaker(parts.clock);
    this.#lastFailure = `${parts.name} is unreachable.`;
  }

  /** Starts an attempt. Throws ClusterProblem when the transport is closed or its breaker open. */
  enter(): Attempt {
    const { name, clock } = this.#parts;
    this.throwIfClosed();
    const entered = this.#breaker.enter();
    if (typeof entered !== 'number') return this.#measured(entered);
    const isPinged = clock.now() - this.#pingedAt < pingedWithin;
    throw pausedProblem(name, this.#lastFailure, { wait: entered, now: clock.now(), isPinged });
  }

  /** Starts an attempt even while the breaker is open. */
  force(): Attempt {
    return this.#measured(this.#breaker.force());
  }

  #measured(attempt: Attempt): Attempt {
    this.#isBusySince.set(attempt, measureDelay());
    return attempt;
  }

  /** Whether an answer that is missing may have come while this process had no time to read it. */
  #isOurDelay(error: unknown, attempt: Attempt): boolean {
    return timeouts.has(errorCode(error) ?? '') && this.#isBusySince.get(attempt)?.() === true;
  }

  /** The cluster answered an attempt with success. */
  succeeded(attempt: Attempt): void {
    attempt.succeeded();
    this.#parts.onOutcome?.(undefined);
  }

  /** The cluster is being pinged. Throws ClusterProblem when the transport is closed. */
  ping(): void {
    this.throwIfClosed();
    this.#pingedAt = this.#parts.clock.now();
  }

  /** The cluster answered a ping. */
  reached(): void {
    this.#breaker.reached();
    this.#parts.onOutcome?.(undefined);
  }

  /** Ends an attempt that failed; returns what its caller is to throw. */
  fail(error: unknown, request: KubeRequest, attempt: Attempt): Error {
    const { name, headersTimeout, onOutcome } = this.#parts;
    if (request.signal?.aborted === true) {
      attempt.abandoned();
      return abortReason(request.signal);
    }
    if (this.#isClosed) {
      attempt.abandoned();
      return replacedProblem(name);
    }
    if (error instanceof UnusableAnswer && error.code === 'ANSWERS_TOO_MANY') {
      attempt.succeeded();
      onOutcome?.(undefined);
      return memoryLimit(name, error);
    }
    if (error instanceof ClusterProblem || error instanceof UnusableAnswer) {
      // Any answer proves that the cluster is reachable, so the breaker counts no failure.
      attempt.succeeded();
      const problem = error instanceof ClusterProblem ? error : unusableAnswerProblem(name, error, request);
      onOutcome?.(request.isProxied !== true && isCredentialRejected(problem) ? problem : undefined);
      return problem;
    }
    if (error instanceof CredentialFailed) {
      attempt.abandoned();
      const problem = credentialProblem(name, error);
      onOutcome?.(problem);
      return problem;
    }
    if (this.#isOurDelay(error, attempt)) {
      attempt.abandoned();
      return busyLimit(name, error);
    }
    const problem = networkProblem(error, name, request.timeoutMs ?? headersTimeout);
    if (request.isProxied === true) {
      // What is behind the cluster may break off as well: that says nothing of the cluster.
      attempt.abandoned();
      return problem;
    }
    attempt.failed();
    this.#lastFailure = problem.title;
    onOutcome?.(problem);
    return problem;
  }

  /**
   * Ends a ping that failed, which the breaker does not count; returns what its caller is to throw.
   * @param isBusy whether this process was too busy to read the answer in time
   */
  failPing(error: unknown, signal: AbortSignal, isBusy: () => boolean): Error {
    const { name, headersTimeout, onOutcome } = this.#parts;
    if (signal.aborted) return abortReason(signal);
    if (this.#isClosed) return replacedProblem(name);
    if (timeouts.has(errorCode(error) ?? '') && isBusy()) return busyLimit(name, error);
    const problem =
      error instanceof CredentialFailed
        ? credentialProblem(name, error)
        : networkProblem(error, name, headersTimeout);
    onOutcome?.(problem);
    return problem;
  }

  /** Throws ClusterProblem when the transport is closed. */
  throwIfClosed(): void {
    if (this.#isClosed) throw replacedProblem(this.#parts.name);
  }

  /** From now on every attempt fails with the problem that the connection was replaced. */
  close(): void {
    this.#isClosed = true;
  }
}
