import { AddressRefused } from '../clusters/address.ts';
import { UnusableAnswer } from '../clusters/answer.ts';
import { errorCode } from '../clusters/failures.ts';
import { ClusterProblem } from '../clusters/transport.ts';
import { UnreadableAnswer } from './answer.ts';

/** A Prometheus that gave no usable answer. The message is a sentence that names neither host nor Service. */
export class SourceProblem extends Error {
  readonly status: 'unreachable' | 'forbidden' | 'unusable';

  constructor(status: SourceProblem['status'], sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'SourceProblem';
    this.status = status;
  }
}

/** The source did not answer in time. @param limit ms */
export const tooSlow = (cluster: string, limit: number): SourceProblem =>
  new SourceProblem(
    'unreachable',
    `The Prometheus of ${cluster} did not answer within ${Math.round(limit / 1000)} s.`,
  );

/** What a status that is no success means, where the source itself, or what stands before it, answered so. */
export function answeredWith(status: number, cluster: string, by: 'service' | 'url'): SourceProblem {
  const name = `The Prometheus of ${cluster}`;
  if (status === 401 || status === 403)
    return new SourceProblem(
      'forbidden',
      by === 'url'
        ? `${name} refused the console (${status}). An Owner can enter its credential in the cluster settings for everyone.`
        : `${name} asks for a credential (${status}), and the cluster’s proxy passes none on. An Owner can enter its address and a credential in the cluster settings for everyone.`,
    );
  if (status >= 300 && status < 400)
    return new SourceProblem(
      'unusable',
      `${name} answered with a redirect (${status}), which the console does not follow. Enter the address that it leads to.`,
    );
  if (status === 404)
    return new SourceProblem(
      'unusable',
      `The server that answers for ${cluster} is not a Prometheus: it has no /api/v1/query (404). Check address, path and port.`,
    );
  if (status === 422)
    return new SourceProblem(
      'unusable',
      `${name} could not run this query (422), probably because it reads too many samples. Choose a shorter time.`,
    );
  if (status === 503 || status === 504)
    return new SourceProblem('unreachable', `${name} took too long, or is starting (${status}).`);
  if (status >= 500) return new SourceProblem('unreachable', `${name} failed (${status}).`);
  return new SourceProblem('unusable', `${name} rejected the query (${status}).`);
}

/** What failed on the way through a cluster's service proxy. */
function proxyProblem({ upstream, title }: ClusterProblem, cluster: string): SourceProblem {
  const { status, body } = upstream;
  // The cluster itself was not reached: its own sentence says why.
  if (status === undefined) return new SourceProblem('unreachable', title);
  // Without a Status it is not the API server that answers.
  if (body === undefined) return answeredWith(status, cluster, 'service');
  if (status === 401) return new SourceProblem('unreachable', title);
  if (status === 403)
    return new SourceProblem(
      'forbidden',
      `The console’s credential for ${cluster} may not use the proxy of the Service that Prometheus has there: it needs “get” on services/proxy in that namespace.`,
    );
  if (status === 404)
    return new SourceProblem(
      'unreachable',
      `${cluster} does not have the Service that the cluster settings for everyone name for Prometheus.`,
    );
  return new SourceProblem(
    'unreachable',
    `Nothing answers behind the Service of Prometheus on ${cluster} (${status}). Check that it is running and that the port is right.`,
  );
}

/** Turns what failed into the sentence that people read. @param limit of the time, ms */
export function sourceProblemOf(error: unknown, cluster: string, limit: number): SourceProblem {
  if (error instanceof SourceProblem) return error;
  const name = `The Prometheus of ${cluster}`;
  if (error instanceof UnreadableAnswer)
    return new SourceProblem('unusable', `${name} did not answer like a Prometheus.`);
  const cause = error instanceof ClusterProblem ? error.cause : error;
  if (cause instanceof UnusableAnswer)
    return new SourceProblem(
      'unusable',
      cause.code === 'ANSWER_UNREADABLE'
        ? `${name} answered with invalid JSON.`
        : cause.code === 'ANSWER_ENCODED'
          ? `${name} compressed its answer with something other than gzip, which the console does not decode.`
          : `${name} sent more than the console accepts in one answer.`,
    );
  if (error instanceof ClusterProblem) return proxyProblem(error, cluster);
  if (error instanceof Error && error.name === 'TimeoutError') return tooSlow(cluster, limit);
  if (error instanceof AddressRefused)
    return new SourceProblem(
      'unreachable',
      `${name} is at an address that the console does not connect to: ${error.reason}. The operator can list it in WHEELHOUSE_METRICS_SOURCE_ALLOW_CIDRS.`,
    );
  return new SourceProblem('unreachable', `${name} ${networkWords(errorCode(error) ?? '')}`);
}

function networkWords(code: string): string {
  if (code === 'ADDRESS_REFUSED') return 'is at an address that the console does not connect to.';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'cannot be found: its host name has no address.';
  if (code === 'ECONNREFUSED') return 'refused the connection: nothing listens there.';
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) return 'does not speak TLS at that port.';
  if (/^(ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code) || code.includes('CERT'))
    return 'presents a certificate that nobody vouches for, or that is for another name.';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'cannot be reached.';
  return 'ended the connection before its answer was complete.';
}
