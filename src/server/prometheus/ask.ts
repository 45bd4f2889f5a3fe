import { Agent, request } from 'undici';
import type { PrometheusSource } from '../../contract/metrics-source.ts';
import { type AddressGuard, createGuardedConnector, type Resolver } from '../clusters/address.ts';
import { readJson } from '../clusters/answer.ts';
import type { Transport } from '../clusters/transport.ts';
import { answeredWith, sourceProblemOf } from './source-problem.ts';

/** An answer may take this long in all, ms. */
export const answerMs = 10_000;
/** A connection may take this long, ms. */
const connectMs = 5_000;
/** What is taken of an answer: one series of some hundred points is a few kilobytes. */
const limits = { bytes: 1024 * 1024, values: 100_000 };

/** A question to Prometheus: one of our own expressions. */
export interface Question {
  readonly path: '/api/v1/query' | '/api/v1/query_range';
  readonly params: Readonly<Record<string, string>>;
}

/** What is needed to ask one source. */
export interface SourceAccess {
  readonly source: PrometheusSource;
  /** Value of the header, for a source at an address. */
  readonly authorization: string | undefined;
  /** The cluster's name as people know it. */
  readonly cluster: string;
  readonly clusterId: number;
  readonly transport: () => Promise<Transport>;
  readonly guard: AddressGuard;
  readonly resolve: Resolver | undefined;
  /** In place of `answerMs`. */
  readonly limitMs?: number | undefined;
}

/**
 * The parsed JSON of an answer. No redirect is followed, and every address is judged when it is dialled. Throws
 * SourceProblem.
 */
export async function askPrometheus(way: SourceAccess, question: Question): Promise<unknown> {
  const { source, cluster, limitMs = answerMs } = way;
  const signal = AbortSignal.timeout(limitMs);
  try {
    return source.from === 'service'
      ? await askService(source, way, question, signal)
      : await askUrl(source, way, question, signal);
  } catch (error) {
    throw sourceProblemOf(signal.aborted ? signal.reason : error, cluster, limitMs);
  }
}

/** By the API server's proxy, as the console's credential: it passes on neither the credential nor one for the Service. */
async function askService(
  { namespace, service, port, isTls }: Extract<PrometheusSource, { from: 'service' }>,
  { cluster, transport }: SourceAccess,
  { path, params }: Question,
  signal: AbortSignal,
): Promise<unknown> {
  const connected = await transport();
  return await connected.json({
    path: `/api/v1/namespaces/${namespace}/services/${isTls ? 'https:' : ''}${service}:${port}/proxy${path}`,
    query: params,
    isProxied: true,
    // The signal ends it sooner: a slow Prometheus is no sign that the cluster is out of reach.
    signal,
    answerLimit: {
      bytes: limits.bytes,
      sentence: `The Prometheus of ${cluster} sent more than the console accepts in one answer.`,
    },
  });
}

async function askUrl(
  { url, ca }: Extract<PrometheusSource, { from: 'url' }>,
  { authorization, cluster, guard, resolve }: SourceAccess,
  { path, params }: Question,
  signal: AbortSignal,
): Promise<unknown> {
  // Of its own: a connection is never used for another address or credential.
  const agent = new Agent({
    connect: createGuardedConnector({ timeout: connectMs, ...(ca === '' ? {} : { ca }) }, guard, resolve),
  });
  try {
    const response = await request(`${url}${path}?${new URLSearchParams(params).toString()}`, {
      headers: {
        accept: 'application/json',
        'accept-encoding': 'gzip',
        'user-agent': 'Wheelhouse',
        ...(authorization === undefined ? {} : { authorization }),
      },
      dispatcher: agent,
      signal,
    });
    if (response.statusCode < 200 || response.statusCode >= 300) {
      response.body.on('error', () => {}).destroy();
      throw answeredWith(response.statusCode, cluster, 'url');
    }
    return await readJson(response, limits);
  } finally {
    await agent.destroy();
  }
}
