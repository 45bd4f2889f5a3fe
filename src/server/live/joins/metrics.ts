import type { UsageState } from '../../../contract/dashboard.ts';
import type { CellValue, JoinedValues, UsageHistory } from '../../../contract/live.ts';
import { collectionPath } from '../../../kube/change.ts';
import { apiServiceName } from '../../../kube/custom.ts';
import type { KubeList, KubeObject } from '../../../kube/object.ts';
import type { Facts } from '../../../registry/kinds/kind-action.ts';
import type { AnyKind, Column } from '../../../registry/kinds/kind.ts';
import { ClusterProblem, type Transport } from '../../clusters/transport.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Budget } from '../../kit/memory-budget.ts';
import { readScoped } from '../../objects/scoped-read.ts';
import { type Fault, judge } from '../source/faults.ts';
import type { Join, JoinListener } from '../feed/join.ts';
import { hourBounds, mergeHistories, recentBounds, UsageSamples } from './usage-history.ts';
import { changedPlaces, readUsages, type ResourceMetrics, type Usage, usageCell } from './usage.ts';

/** How often usage is read, ms: the metrics server itself measures every 15 s. */
export const metricsInterval = 15_000;
/** An API that is absent or forbidden is requested this often, ms. */
export const metricsAbsent = 60_000;

const api = { group: 'metrics.k8s.io', version: 'v1beta1' } as const;

/** Recent samples are dropped when nobody has looked for this long, ms. */
export const samplesKept = 60_000;
/** Maximum size of kept hours that nobody looks at, bytes: beyond it those of pods are dropped as well. */
const unlookedBytes = 16 * 1024 * 1024;

/** The time of which a chart can be drawn, s. */
const hour = 3_600;

const loadingState: UsageState = { status: 'loading', at: null, message: null };

/** Usage of all pods or of all nodes. */
export interface MetricsJoin extends Join {
  readonly state: UsageState;
  /** The usage of one pod or node; undefined until it is known. */
  usage(place: string): Usage | undefined;
  /**
   * The usage of several together, with the history of an hour.
   * @param former tells of an object that is gone that its past usage belongs to them as well
   */
  sum(places: readonly string[], former?: (place: string, labels: Usage['labels']) => boolean): JoinedValues;
  /** The usage of everything together in the last hour. */
  total(): UsageHistory;
  /** The samples of an object from while a page showed it. */
  recent(place: string): UsageHistory;
  /** Takes a sample for the hour's history. It never throws: `failed` is a time without a sample. */
  record(signal: AbortSignal): Promise<'sampled' | 'absent' | 'failed'>;
}

/** Inputs of reading metrics.k8s.io. */
export interface MetricsOptions {
  /** Pod or Node. */
  readonly kind: AnyKind;
  /** Name of the cluster. */
  readonly cluster: () => string;
  readonly transport: () => Promise<Transport>;
  /** The namespaces to read one by one where the cluster may not be read as a whole. Throws Problem. */
  readonly namespaces: () => Promise<readonly string[]>;
  readonly clock: Clock;
  /** Of the samples of all clusters. */
  readonly budget: Budget;
}

/** Reads metrics.k8s.io while anybody listens. */
export const createMetrics = (options: MetricsOptions): MetricsJoin => new MetricsReader(options);

class MetricsReader implements MetricsJoin {
  readonly #options: MetricsOptions;
  readonly #listeners = new Set<JoinListener>();
  /** One each 15 s, from while somebody listened. */
  readonly #recent: UsageSamples;
  /** One a minute. */
  readonly #hour: UsageSamples;
  #state = loadingState;
  /** By place. */
  #usages: ReadonlyMap<string, Usage> = new Map();
  /** Ends the polling; undefined while there are no listeners. */
  #polling: AbortController | undefined;
  #cancelPoll: (() => void) | undefined;
  /** Of the timer that drops the samples. */
  #cancelClear: (() => void) | undefined;

  constructor(options: MetricsOptions) {
    this.#options = options;
    this.#recent = new UsageSamples(recentBounds, options.budget);
    this.#hour = new UsageSamples(hourBounds, options.budget);
  }

  get state(): UsageState {
    return this.#state;
  }

  usage(place: string): Usage | undefined {
    return this.#usages.get(place);
  }

  retain(listener: JoinListener): () => void {
    this.#listeners.add(listener);
    this.#cancelClear?.();
    this.#cancelClear = undefined;
    if (this.#polling === undefined) {
      this.#polling = new AbortController();
      void this.#poll(this.#polling.signal);
    }
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#stop();
    };
  }

  cell(place: string, column: Column<KubeObject>, facts: Facts): CellValue {
    const usage = this.#usages.get(place);
    return usage === undefined ? null : usageCell(usage, column, facts);
  }

  value(place: string): JoinedValues {
    const usage = this.#usages.get(place);
    return {
      usage: {
        ...this.#state,
        cpu: usage?.cpu ?? null,
        memory: usage?.memory ?? null,
        ...this.#history([place], [place]),
      },
    };
  }

  sum(places: readonly string[], former?: (place: string, labels: Usage['labels']) => boolean): JoinedValues {
    const usages = places.flatMap((place) => this.#usages.get(place) ?? []);
    const total = (name: 'cpu' | 'memory') =>
      usages.length === 0 ? null : usages.reduce((all, usage) => all + usage[name], 0);
    const all = former === undefined ? places : [...places, ...this.#hour.places(former)];
    return {
      usage: {
        ...this.#state,
        cpu: total('cpu'),
        memory: total('memory'),
        pods: usages.length,
        ...this.#history(places, all),
      },
    };
  }

  total(): UsageHistory {
    const since = this.#hourAgo();
    return mergeHistories(this.#hour.of(undefined, since), this.#recent.of(undefined, since));
  }

  recent(place: string): UsageHistory {
    return this.#recent.of([place]);
  }

  async record(signal: AbortSignal): Promise<'sampled' | 'absent' | 'failed'> {
    const { clock } = this.#options;
    const { status, at } = this.#state;
    if (status === 'absent' || status === 'forbidden') return 'absent';
    if (status === 'live' && at !== null && clock.now() - Date.parse(at) < 2 * metricsInterval) {
      this.#hour.add(clock.now(), this.#usages);
      return 'sampled';
    }
    try {
      const usages = await this.#read(signal);
      signal.throwIfAborted();
      this.#hour.add(clock.now(), usages);
      return 'sampled';
    } catch (error) {
      return this.#isWithout(error) ? 'absent' : 'failed';
    }
  }

  /** @param present what is measured now @param all with what is gone */
  #history(present: readonly string[], all: readonly string[]) {
    const since = this.#hourAgo();
    const history = mergeHistories(this.#hour.of(all, since), this.#recent.of(all, since));
    return this.#hour.lacks(present) ? { history, recorded: hourBounds.places } : { history };
  }

  #hourAgo(): number {
    return this.#options.clock.now() / 1000 - hour;
  }

  #stop(): void {
    this.#polling?.abort();
    this.#polling = undefined;
    this.#cancelPoll?.();
    this.#state = loadingState;
    this.#usages = new Map();
    // A view that is opened again soon shows the earlier usage, with a gap.
    this.#cancelClear = this.#options.clock.after(samplesKept, () => {
      const { kind, budget } = this.#options;
      this.#recent.clear();
      if (kind.scope === 'Namespaced' && budget.held > unlookedBytes) this.#hour.clear();
    });
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    let pause: number = metricsInterval;
    try {
      const usages = await this.#read(signal);
      signal.throwIfAborted();
      this.#recent.add(clock.now(), usages);
      this.#update({ status: 'live', at: new Date(clock.now()).toISOString(), message: null }, usages);
    } catch (error) {
      if (signal.aborted) return;
      pause = this.#fail(error);
    }
    this.#cancelPoll = clock.after(pause, () => void this.#poll(signal));
  }

  /** By place. Throws what the cluster or its transport does. */
  async #read(signal: AbortSignal): Promise<ReadonlyMap<string, Usage>> {
    const { kind, transport, namespaces } = this.#options;
    const connected = await transport();
    const lists = await readScoped(
      (namespace) => {
        const path = collectionPath({ ...api, plural: kind.plural }, namespace);
        return connected.json<KubeList<ResourceMetrics>>({ path, signal });
      },
      () => (kind.scope === 'Namespaced' ? namespaces() : Promise.resolve([])),
    );
    return new Map(lists.flatMap((list) => [...readUsages(list)]));
  }

  /** Whether usage cannot be read for long: no metrics server, or none for this credential. */
  #isWithout(error: unknown): boolean {
    const { type } = this.#fault(error);
    return type === 'absent' || type === 'denied' || type === 'refused';
  }

  /** Takes that a request failed; answers the pause before the next, ms. */
  #fail(error: unknown): number {
    const fault = this.#fault(error);
    const isUnanswered = error instanceof ClusterProblem && error.upstream.status === 503;
    if (fault.type === 'absent' || isUnanswered) {
      const why = isUnanswered
        ? `the server of APIService ${apiServiceName(api.group, api.version)} does not answer. The APIService says why.`
        : 'no metrics server answers there.';
      const message = `${this.#options.cluster()} has no metrics: ${why}`;
      this.#update({ status: 'absent', at: null, message }, new Map());
      return metricsAbsent;
    }
    if (fault.type === 'denied' || fault.type === 'refused') {
      this.#update({ status: 'forbidden', at: null, message: fault.message }, new Map());
      return metricsAbsent;
    }
    // The earlier usage stays: `at` says how old it is.
    const state: UsageState = { status: 'unreachable', at: this.#state.at, message: fault.message };
    this.#update(state, this.#usages);
    return Math.max(metricsInterval, fault.retryAfter ?? 0);
  }

  #fault(error: unknown): Fault {
    const { kind, cluster } = this.#options;
    const title = `Usage of ${kind.title.toLowerCase()}`;
    const subject = {
      cluster: cluster(),
      kind: { ...kind, group: api.group, title, scope: 'Cluster' as const },
    };
    return judge(error, subject, 'list');
  }

  #update(state: UsageState, usages: ReadonlyMap<string, Usage>): void {
    const before = this.#usages;
    const isOtherState = state.status !== this.#state.status || state.message !== this.#state.message;
    this.#state = state;
    this.#usages = usages;
    if (isOtherState) {
      this.#report('all');
      return;
    }
    const changed = changedPlaces(before, usages);
    if (changed.size > 0) this.#report(changed);
  }

  #report(places: ReadonlySet<string> | 'all'): void {
    for (const listener of this.#listeners) listener(places);
  }
}
