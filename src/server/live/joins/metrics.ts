import type { UsageState } from '../../../contract/dashboard.ts';
import type { CellValue, JoinedValues } from '../../../contract/live.ts';
import { collectionPath } from '../../../kube/change.ts';
import type { KubeList, KubeObject } from '../../../kube/object.ts';
import type { Facts } from '../../../registry/kind-action.ts';
import type { AnyKind, Column } from '../../../registry/kind.ts';
import { ClusterProblem, type Transport } from '../../clusters/transport.ts';
import type { Clock } from '../../kit/clock.ts';
import { readScoped } from '../../objects/scoped-read.ts';
import { type Fault, judge } from '../faults.ts';
import type { Join, JoinListener } from './join.ts';
import { createUsageSamples } from './usage-history.ts';
import { changedPlaces, readUsages, type ResourceMetrics, type Usage, usageCell } from './usage.ts';

/** How often usage is read, ms: the metrics server itself measures every 15 s. */
export const metricsInterval = 15_000;
/** An API that is absent or forbidden is requested this often, ms. */
export const metricsAbsent = 60_000;

const api = { group: 'metrics.k8s.io', version: 'v1beta1' } as const;

/** Samples are dropped when nobody has looked for this long, ms. */
export const samplesKept = 3_600_000;

const loadingState: UsageState = { status: 'loading', at: null, message: null };

/** Usage of all pods or of all nodes. */
export interface MetricsJoin extends Join {
  readonly state: UsageState;
  /** The usage of one pod or node; undefined until it is known. */
  usage(place: string): Usage | undefined;
  /** The usage of several together, with its history. */
  sum(places: readonly string[]): JoinedValues;
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
}

/** Reads metrics.k8s.io while anybody listens. */
export const createMetrics = (options: MetricsOptions): MetricsJoin => new MetricsReader(options);

class MetricsReader implements MetricsJoin {
  readonly #options: MetricsOptions;
  readonly #listeners = new Set<JoinListener>();
  readonly #samples = createUsageSamples();
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
        history: this.#samples.of([place]),
      },
    };
  }

  sum(places: readonly string[]): JoinedValues {
    const usages = places.flatMap((place) => this.#usages.get(place) ?? []);
    const total = (name: keyof Usage) =>
      usages.length === 0 ? null : usages.reduce((all, usage) => all + usage[name], 0);
    return {
      usage: {
        ...this.#state,
        cpu: total('cpu'),
        memory: total('memory'),
        pods: usages.length,
        history: this.#samples.of(places),
      },
    };
  }

  #stop(): void {
    this.#polling?.abort();
    this.#polling = undefined;
    this.#cancelPoll?.();
    this.#state = loadingState;
    this.#usages = new Map();
    // A view that is opened again soon shows the earlier usage, with a gap.
    this.#cancelClear = this.#options.clock.after(samplesKept, () => this.#samples.clear());
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    let pause: number = metricsInterval;
    try {
      const lists = await this.#request(signal);
      signal.throwIfAborted();
      const usages = new Map(lists.flatMap((list) => [...readUsages(list)]));
      this.#samples.add(clock.now(), usages);
      this.#update({ status: 'live', at: new Date(clock.now()).toISOString(), message: null }, usages);
    } catch (error) {
      if (signal.aborted) return;
      pause = this.#fail(error);
    }
    this.#cancelPoll = clock.after(pause, () => void this.#poll(signal));
  }

  async #request(signal: AbortSignal): Promise<readonly KubeList<ResourceMetrics>[]> {
    const { kind, transport, namespaces } = this.#options;
    const connected = await transport();
    return readScoped(
      (namespace) => {
        const path = collectionPath({ ...api, plural: kind.plural }, namespace);
        return connected.json<KubeList<ResourceMetrics>>({ path, signal });
      },
      () => (kind.scope === 'Namespaced' ? namespaces() : Promise.resolve([])),
    );
  }

  /** Takes that a request failed; answers the pause before the next, ms. */
  #fail(error: unknown): number {
    const fault = this.#fault(error);
    if (fault.type === 'absent' || (error instanceof ClusterProblem && error.upstream.status === 503)) {
      const message = `${this.#options.cluster()} has no metrics: no metrics server answers there.`;
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
