import { randomUUID } from 'node:crypto';
import type { MetricsSourceChange, PrometheusSource } from '../../contract/metrics-source.ts';
import { type HistorySeconds, historyRanges } from '../../contract/usage-ranges.ts';
import type { StoredHistory } from '../../contract/usage.ts';
import type { Resolver } from '../clusters/address.ts';
import {
  guardOfSource,
  metricsSourceOf,
  openAuthorization,
  readEnteredSource,
  type SourceConfig,
} from '../clusters/metrics-source.ts';
import type { ClusterDirectory } from '../clusters/directory.ts';
import { ClusterProblem } from '../clusters/transport.ts';
import type { KubeList } from '../../kube/object.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import { SealError, type Vault } from '../store/vault.ts';
import { type Points, readCount, readMatrix } from './answer.ts';
import type { Question, SourceAccess } from './ask.ts';
import { countQueries, metricNames, type Selection, type UsageQueries, usageQueries } from './queries.ts';
import { Questions } from './questions.ts';
import { SharedAnswers } from './shared-answers.ts';
import { SourceProblem, sourceProblemOf } from './source-problem.ts';
import type { Clock } from '../kit/clock.ts';

/** An answer, or that there is none, holds this long, ms: usage is measured no more often. */
const keptMs = 15_000;
/** Answers that are kept at most. */
const keptAnswers = 500;
/** What a source has at all holds this long, ms. */
const countsMs = 60_000;

/** Inputs of reading histories. */
export interface HistoriesParts {
  readonly vault: Vault;
  readonly config: SourceConfig;
  readonly clusters: Pick<ClusterDirectory, 'transport'>;
  readonly clock: Clock;
  /** Resolves host names; as the system does without it. */
  readonly resolve?: Resolver | undefined;
  /** Time until an answer is no longer waited for, ms. */
  readonly limitMs?: number | undefined;
}

/** A cluster as its history needs it. */
type Cluster = Pick<ClusterRow, 'id' | 'name' | 'metricsSource' | 'metricsCredential' | 'carriedOver'>;

/** A way to a source, for who waits for the answer. */
interface Asking extends SourceAccess {
  readonly key: string;
  readonly signal: AbortSignal | undefined;
}

/** What is read of a source, for who waits for it. */
interface ReadingOf extends Pick<Asking, 'key' | 'signal'> {
  readonly queries: UsageQueries;
  readonly selection: Selection;
  readonly grid: Grid;
}

/** How many series of each metric a source has, and what it says is wrong with that. */
interface Counts {
  readonly cpu: number;
  readonly memory: number;
  readonly nodes: number;
  readonly warning: string | undefined;
}

/** The times of an answer: its first and last point, epoch seconds, and their number. */
interface Grid {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly count: number;
}

/**
 * Reads usage from the Prometheuses of clusters: with expressions of our own alone, bounded in time, points and bytes. An
 * answer is shared by everybody who asks the same within some seconds; what somebody may see stands in the question.
 */
export class UsageHistories {
  readonly #parts: HistoriesParts;
  readonly #questions: Questions;
  readonly #answers: SharedAnswers<StoredHistory>;
  readonly #known: SharedAnswers<Counts>;

  constructor(parts: HistoriesParts) {
    this.#parts = parts;
    this.#questions = new Questions(parts.clock);
    this.#answers = new SharedAnswers(parts.clock, { keptMs, count: keptAnswers });
    this.#known = new SharedAnswers(parts.clock, { keptMs: countsMs, count: keptAnswers });
  }

  /**
   * The usage of a selection. Why there is none is a part of the answer.
   * @param signal of who asks: what nobody waits for any more is not asked. Throws its reason then, and Problem
   * 429 where one person asks for too much at once.
   */
  history(
    cluster: Cluster,
    selection: Selection,
    seconds: HistorySeconds,
    signal?: AbortSignal,
  ): Promise<StoredHistory> {
    const { clock } = this.#parts;
    const grid = gridOf(seconds, clock.now());
    const source = metricsSourceOf(cluster);
    if (source.from === 'metrics.k8s.io') return Promise.resolve(withoutFigures(grid, 'none', null));
    const queries = usageQueries(selection, source.label, grid.step);
    if (queries === undefined)
      return Promise.resolve(
        withoutFigures(
          grid,
          'unusable',
          'These are too many namespaces for one query. Open a workload or pod instead.',
        ),
      );
    const key = keyOf(cluster, source);
    return this.#answers.get(JSON.stringify([key, queries, grid]), signal, (whileAwaited) =>
      this.#read(cluster, source, { queries, selection, grid, key, signal: whileAwaited }),
    );
  }

  /**
   * Asks a source once, as it was entered. Throws Problem 400 for one that cannot be saved.
   * @param cluster as it is stored
   */
  async test(
    cluster: Cluster,
    change: MetricsSourceChange,
  ): Promise<{ readonly isWorking: boolean; readonly message: string }> {
    const { vault, config } = this.#parts;
    const { source, authorization } = readEnteredSource(change, cluster, { config, vault });
    if (source.from === 'metrics.k8s.io') return await this.#testMetricsApi(cluster);
    // Of its own: what is tried waits for nothing that was saved, nor says that it is out of reach.
    const key = `trial ${randomUUID()}`;
    const way = { ...this.#wayOf(cluster, source, authorization), key, signal: undefined };
    try {
      const { cpu, memory, nodes, warning } = await this.#counts(way);
      const missing = sentenceOfMissing(way, { cpu, memory }, true);
      const partial = warning === undefined ? '' : ` It says that its answer may be incomplete: “${warning}”`;
      return missing === undefined
        ? {
            isWorking: true,
            message: `The source answers: ${memory} series${nodes === 0 ? ', and none of whole nodes (id="/")' : ` of containers and ${nodes} of nodes`}.${partial}`,
          }
        : { isWorking: false, message: `${missing}${partial}` };
    } catch (error) {
      if (error instanceof SourceProblem) return { isWorking: false, message: error.message };
      throw error;
    }
  }

  async #testMetricsApi({
    id,
    name,
  }: Cluster): Promise<{ readonly isWorking: boolean; readonly message: string }> {
    try {
      const transport = await this.#parts.clusters.transport(id);
      const list = await transport.json<KubeList>({ path: '/apis/metrics.k8s.io/v1beta1/nodes' });
      return {
        isWorking: true,
        message: `The source answers: ${list.items?.length ?? 0} nodes are measured.`,
      };
    } catch (error) {
      if (!(error instanceof ClusterProblem)) throw error;
      const { status } = error.upstream;
      const isAbsent = status === 404 || status === 503;
      return {
        isWorking: false,
        message: isAbsent ? `${name} has no metrics: no metrics server answers there.` : error.title,
      };
    }
  }

  /** @param authorization what is sent as its credential */
  #wayOf(cluster: Cluster, source: PrometheusSource, authorization: string | undefined): SourceAccess {
    const { config, clusters, resolve, limitMs } = this.#parts;
    return {
      source,
      authorization,
      cluster: cluster.name,
      clusterId: cluster.id,
      transport: () => clusters.transport(cluster.id),
      guard: guardOfSource(config, cluster, source.from === 'url' ? source.url : ''),
      resolve,
      limitMs,
    };
  }

  /** What is stored for a source at an address. Throws SourceProblem. */
  #authorizationOf(cluster: Cluster, source: PrometheusSource): string | undefined {
    if (source.from !== 'url') return undefined;
    try {
      return openAuthorization(cluster, source, this.#parts.vault);
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      const sentence = `The stored credential of the Prometheus of ${cluster.name} cannot be decrypted. An Owner can enter it again in the cluster settings for everyone.`;
      throw new SourceProblem('forbidden', sentence, { cause: error });
    }
  }

  async #read(
    cluster: Cluster,
    source: PrometheusSource,
    { queries, selection, grid, ...asking }: ReadingOf,
  ): Promise<StoredHistory> {
    try {
      const way = { ...this.#wayOf(cluster, source, this.#authorizationOf(cluster, source)), ...asking };
      const [cpu, memory] = await Promise.all([
        this.#points(way, queries.cpu, grid),
        this.#points(way, queries.memory, grid),
      ]);
      const isWithout = { cpu: isEmpty(cpu), memory: isEmpty(memory) };
      const missing =
        isWithout.cpu || isWithout.memory ? await this.#missing(way, selection, isWithout) : undefined;
      if (isWithout.cpu && isWithout.memory) {
        const sentence = missing ?? `The Prometheus of ${way.cluster} has no data for the chosen time.`;
        return withoutFigures(grid, 'empty', sentence);
      }
      return {
        ...figuresOf(grid, cpu, memory),
        message:
          missing ??
          (cpu.isPartial || memory.isPartial ? 'Prometheus says that its answer may be incomplete.' : null),
      };
    } catch (error) {
      if (error instanceof SourceProblem) return withoutFigures(grid, error.status, error.message);
      throw error;
    }
  }

  async #points(way: Asking, query: string, grid: Grid): Promise<Points> {
    const body = await this.#ask(way, {
      path: '/api/v1/query_range',
      params: {
        query,
        start: String(grid.from),
        end: String(grid.to),
        step: String(grid.step),
        timeout: '9s',
      },
    });
    return this.#judged(way, () => readMatrix(body, grid));
  }

  /** Why a whole metric is missing: a source that has none of it at all is set up in another way. */
  async #missing(
    way: Asking,
    selection: Selection,
    isWithout: { readonly cpu: boolean; readonly memory: boolean },
  ): Promise<string | undefined> {
    const counts = await this.#known.get(way.key, way.signal, (signal) => this.#counts({ ...way, signal }));
    if (selection.of === 'pods')
      return sentenceOfMissing(
        way,
        { cpu: isWithout.cpu ? counts.cpu : 1, memory: isWithout.memory ? counts.memory : 1 },
        false,
      );
    return counts.nodes > 0
      ? undefined
      : `The Prometheus of ${way.cluster} has no series of whole nodes: ${metricNames.memory}{id="/"} of cAdvisor.`;
  }

  async #counts(way: Asking): Promise<Counts> {
    const queries = countQueries(way.source.label);
    const count = async (query: string) => {
      const body = await this.#ask(way, { path: '/api/v1/query', params: { query, timeout: '9s' } });
      return this.#judged(way, () => readCount(body));
    };
    const [cpu, memory, nodes] = await Promise.all([
      count(queries.cpu),
      count(queries.memory),
      count(queries.nodes),
    ]);
    return {
      cpu: cpu.count,
      memory: memory.count,
      nodes: nodes.count,
      warning: cpu.warning ?? memory.warning ?? nodes.warning,
    };
  }

  /** Reads an answer. Throws SourceProblem. */
  #judged<T>(way: SourceAccess, read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw sourceProblemOf(error, way.cluster, 0);
    }
  }

  #ask(way: Asking, question: Question): Promise<unknown> {
    return this.#questions.ask(way, way.key, question, way.signal);
  }
}

/** What names a source with its credential. */
const keyOf = ({ id, metricsCredential }: Cluster, source: PrometheusSource) =>
  JSON.stringify([id, source, metricsCredential?.toString('base64')]);

/** The points of a range that ends now. Their times are multiples of the step, so that equal questions are equal. */
function gridOf(seconds: HistorySeconds, now: number): Grid {
  const step = historyRanges.find((one) => one.seconds === seconds)?.step ?? seconds;
  const to = Math.floor(now / 1000 / step) * step;
  return { from: to - seconds, to, step, count: Math.floor(seconds / step) + 1 };
}

const isEmpty = ({ values }: Points) => values.every((value) => value === null);

const withoutFigures = (
  { step, to }: Grid,
  status: StoredHistory['status'],
  message: string | null,
): StoredHistory => ({ status, message, step, to, times: [], cpu: [], memory: [] });

/** Three significant digits: a chart shows no more. */
const short = (value: number | null | undefined) =>
  value === null || value === undefined ? null : Number(value.toPrecision(3));

/** The points at which something was measured. */
function figuresOf(grid: Grid, cpu: Points, memory: Points): StoredHistory {
  const measured = Array.from({ length: grid.count }, (_, index) => index).filter(
    (index) => (cpu.values[index] ?? memory.values[index] ?? null) !== null,
  );
  return {
    status: 'answered',
    message: null,
    step: grid.step,
    to: grid.to,
    times: measured.map((index) => grid.from + index * grid.step),
    cpu: measured.map((index) => short(cpu.values[index])),
    memory: measured.map((index) => short(memory.values[index])),
  };
}

/**
 * That a source has none of the metrics that usage is read from; undefined where it has.
 * @param isForOwner who sees the label's value
 */
function sentenceOfMissing(
  { cluster, source }: SourceAccess,
  counts: { readonly cpu: number; readonly memory: number },
  isForOwner: boolean,
): string | undefined {
  const names = (['cpu', 'memory'] as const)
    .filter((resource) => counts[resource] === 0)
    .map((resource) => metricNames[resource]);
  if (names.length === 0) return undefined;
  const { label } = source;
  const own = isForOwner ? `${label?.name ?? ''}="${label?.value ?? ''}"` : 'the label of this cluster';
  const where = label === null ? '' : ` and ${own}`;
  return `The Prometheus of ${cluster} answers, but has no ${names.join(' and no ')} with the labels namespace, pod and container${where}. Configure it to scrape cAdvisor on the kubelets.`;
}
