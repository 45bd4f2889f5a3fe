import type { Where } from '../../contract/problem-schema.ts';
import { Problem } from '../../contract/problem.ts';
import type { Status } from '../../kube/object.ts';

/** As whom a request reaches a cluster, in place of the console's own credential. */
export interface ActingIdentity {
  readonly user: string;
  readonly groups: readonly string[];
  /** Further facts about the person, each value percent-encoded. */
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** One request to a cluster's API server. */
export interface KubeRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute path; every segment from outside is encoded by the caller. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Content type of the body; application/json without it (patches name theirs). */
  readonly contentType?: string;
  readonly accept?: string;
  readonly signal?: AbortSignal;
  /** As whom it is sent; as the credential says without it. */
  readonly as?: ActingIdentity;
  /**
   * The cluster only passes it on, to a Service: how that answers, or that it breaks off, says nothing of the cluster and
   * of how it takes the credential.
   */
  readonly isProxied?: true;
  /** Of a stream: a carriage return at the end of a line is part of the line. */
  readonly keepsReturns?: boolean;
  /** Time until the answer's headers, ms; 15,000 without it. */
  readonly timeoutMs?: number;
  /** Of a stream: sent once more beside itself where no answer has begun after a while, as every GET without a stream is. */
  readonly hasSecondTry?: true;
  /** Takes no answer of more decoded bytes than these, and says this sentence of one; the transport's own bounds without it. */
  readonly answerLimit?: { readonly bytes: number; readonly sentence: string };
}

/** A cluster's answer that is read line by line (watch, log). */
export interface KubeStream {
  /** Lines without their end, at the reader's pace; a last line without an end is given too. */
  readonly lines: AsyncIterable<string>;
  /**
   * Instead of `lines`: calls with each as it comes, for a reader that never falls behind and never throws.
   * Resolves at the end; rejects as `lines` does.
   */
  each(onLine: (line: string) => void): Promise<void>;
  close(): void;
}

/** The way to one cluster with one credential. */
export interface Transport {
  readonly clusterId: number;
  /** Identity of cluster and credential: part of every cache key. */
  readonly credential: string;
  /** The namespace of the kubeconfig's context; absent where it names none. */
  readonly namespace?: string | undefined;
  /** Sends a request and parses the JSON answer. Throws ClusterProblem. */
  json<T>(request: KubeRequest): Promise<T>;
  /** Opens a stream; throws ClusterProblem when the answer is not 2xx. Watches share one HTTP/2 connection. */
  stream(request: KubeRequest): Promise<KubeStream>;
  close(): Promise<void>;
}

/** A transport by which a cluster can be followed. */
export interface LiveTransport extends Transport {
  /** How far the cluster's clock is ahead of the console's, ms, by its last answer; absent where it is not known. */
  readonly clockAhead?: number;
  /**
   * Asks the API server whether it is ready, bypassing limiter and circuit breaker; resolves with the HTTP status of
   * the answer. Throws ClusterProblem when no answer comes, the signal's reason when aborted.
   */
  ping(options: PingOptions): Promise<number>;
  /** Sends later requests over new connections; requests in progress may finish on the old ones. */
  renew(): void;
}

/** How a cluster is pinged. */
export interface PingOptions {
  /** Over a connection of its own; else over one that watches use, of which an answer proves that it is alive. */
  readonly isFresh: boolean;
  readonly signal: AbortSignal;
}

/**
 * A cluster that refused, failed or could not be reached. Never a 401 or "you lack" of our own:
 * `status` is what the console answers (403 for the credential's own limits, 404/409/422 … as they are, else 502),
 * `upstream` what the cluster said.
 */
export class ClusterProblem extends Problem {
  readonly upstream: {
    /** HTTP status of the cluster, undefined when it never answered. */
    readonly status: number | undefined;
    readonly reason: string | undefined;
    /** Seconds it asked us to wait. */
    readonly retryAfter: number | undefined;
    /** The Status body, when there was one. */
    readonly body: Status | undefined;
  };

  constructor(
    body: {
      status: number;
      title: string;
      detail?: string;
      retryable?: boolean;
      where?: Omit<Where, 'source'>;
    },
    upstream: Partial<ClusterProblem['upstream']>,
    options?: ErrorOptions,
  ) {
    super({ ...body, where: { source: 'cluster', ...body.where } }, options);
    this.name = 'ClusterProblem';
    this.upstream = {
      status: undefined,
      reason: undefined,
      retryAfter: undefined,
      body: undefined,
      ...upstream,
    };
  }
}
