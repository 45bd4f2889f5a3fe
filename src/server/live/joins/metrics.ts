import type { UsageState } from '../../../contract/dashboard.ts';
import type { JoinedValues } from '../../../contract/live.ts';
import type { KubeList, KubeObject } from '../../../kube/object.ts';
import { collectionPath } from '../../../kube/change.ts';
import { parseQuantity } from '../../../kube/quantity.ts';
import type { Facts } from '../../../registry/kind-action.ts';
import type { AnyKind } from '../../../registry/kind.ts';
import { ClusterProblem, type Transport } from '../../clusters/transport.ts';
import { readScoped } from '../../objects/scoped-read.ts';
import type { Clock } from '../../kit/clock.ts';
import { judge } from '../faults.ts';
import { placeOf } from '../projector.ts';
import type { Join, JoinListener } from './join.ts';
import { createUsageSamples } from './usage-history.ts';

/** How often usage is read, ms: the metrics server itself looks every 15 s. */
export const metricsInterval = 15_000;
/** An API that is absent or closed is asked for this often, ms. */
export const metricsAbsent = 60_000;

const api = { group: 'metrics.k8s.io', version: 'v1beta1' } as const;

/** Samples are forgotten when nobody has looked for so long, ms. */
export const samplesKept = 3_600_000;

/** Usage of a pod or node: cores and bytes. */
export interface Usage {
  readonly cpu: number;
  readonly memory: number;
}

interface Metrics extends KubeObject {
  /** Of a node. */
  usage?: Readonly<Record<string, string>>;
  /** Of a pod. */
  containers?: readonly { usage?: Readonly<Record<string, string>> }[];
}

/** Usage of all pods or of all nodes. */
export interface MetricsJoin extends Join {
  readonly state: UsageState;
  usage(place: string): Usage | undefined;
  /** What several use together. */
  sum(places: readonly string[]): JoinedValues;
}

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

const mebibyte = 2 ** 20;
/** Two significant digits, in the unit of people: a table shows no more, and most rows then stay as they are. */
const rounded = (value: number, unit = 1) => Number((value / unit).toPrecision(2)) * unit;

/** What an object asked for and may use at most: of a pod its requests and limits, of a node what pods may take. */
function boundsOf(
  facts: Facts,
  resource: keyof Usage,
): readonly [request: number | null, limit: number | null] {
  const known = (name: string) => {
    const value = facts[name];
    return typeof value === 'number' && value > 0 ? value : null;
  };
  return [known(`${resource}Request`), known(`${resource}Limit`) ?? known(resource)];
}

function read(list: KubeList<Metrics>): Map<string, Usage> {
  const found = new Map<string, Usage>();
  for (const { metadata, usage, containers } of list.items ?? []) {
    if (metadata?.name === undefined) continue;
    const parts = containers?.map((container) => container.usage ?? {}) ?? [usage ?? {}];
    const sum = (name: string) => parts.reduce((total, part) => total + (parseQuantity(part[name]) ?? 0), 0);
    found.set(placeOf(metadata.namespace ?? '', metadata.name), { cpu: sum('cpu'), memory: sum('memory') });
  }
  return found;
}

/** Reads metrics.k8s.io while anybody listens. */
export function createMetrics({ kind, cluster, transport, namespaces, clock }: MetricsOptions): MetricsJoin {
  const listeners = new Set<JoinListener>();
  const loading: UsageState = { status: 'loading', at: null, message: null };
  let state = loading;
  let usages: ReadonlyMap<string, Usage> = new Map();
  let polling: AbortController | undefined;
  let cancelNext: (() => void) | undefined;
  let cancelForget: (() => void) | undefined;
  const samples = createUsageSamples();

  function tell(places: ReadonlySet<string> | 'all'): void {
    for (const listener of listeners) listener(places);
  }

  function update(next: UsageState, found: ReadonlyMap<string, Usage>): void {
    const before = usages;
    const isNews = next.status !== state.status || next.message !== state.message;
    state = next;
    usages = found;
    if (isNews) {
      tell('all');
      return;
    }
    const changed = new Set<string>();
    for (const place of new Set([...before.keys(), ...found.keys()])) {
      const [old, now] = [before.get(place), found.get(place)];
      const isSame =
        rounded(old?.cpu ?? -1) === rounded(now?.cpu ?? -1) &&
        rounded(old?.memory ?? -1, mebibyte) === rounded(now?.memory ?? -1, mebibyte);
      if (!isSame) changed.add(place);
    }
    if (changed.size > 0) tell(changed);
  }

  function failed(error: unknown): number {
    const subject = {
      cluster: cluster(),
      kind: {
        ...kind,
        group: 'metrics.k8s.io',
        title: `Usage of ${kind.title.toLowerCase()}`,
        scope: 'Cluster' as const,
      },
    };
    const fault = judge(error, subject, 'list');
    if (fault.type === 'absent' || (error instanceof ClusterProblem && error.upstream.status === 503)) {
      update(
        {
          status: 'absent',
          at: null,
          message: `${cluster()} has no metrics: no metrics server answers there.`,
        },
        new Map(),
      );
      return metricsAbsent;
    }
    if (fault.type === 'denied' || fault.type === 'refused') {
      update({ status: 'forbidden', at: null, message: fault.message }, new Map());
      return metricsAbsent;
    }
    // What was read last goes on standing: `at` says how old it is.
    update({ status: 'unreachable', at: state.at, message: fault.message }, usages);
    return Math.max(metricsInterval, fault.retryAfter ?? 0);
  }

  async function poll(signal: AbortSignal): Promise<void> {
    let wait: number = metricsInterval;
    try {
      const way = await transport();
      const lists = await readScoped(
        (namespace) =>
          way.json<KubeList<Metrics>>({
            path: collectionPath({ ...api, plural: kind.plural }, namespace),
            signal,
          }),
        () => (kind.scope === 'Namespaced' ? namespaces() : Promise.resolve([])),
      );
      signal.throwIfAborted();
      const found = new Map(lists.flatMap((list) => [...read(list)]));
      samples.add(clock.now(), found);
      update({ status: 'live', at: new Date(clock.now()).toISOString(), message: null }, found);
    } catch (error) {
      if (signal.aborted) return;
      wait = failed(error);
    }
    cancelNext = clock.after(wait, () => void poll(signal));
  }

  return {
    get state() {
      return state;
    },
    usage: (place) => usages.get(place),
    retain(listener) {
      listeners.add(listener);
      cancelForget?.();
      cancelForget = undefined;
      if (polling === undefined) {
        polling = new AbortController();
        void poll(polling.signal);
      }
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return;
        polling?.abort();
        polling = undefined;
        cancelNext?.();
        state = loading;
        usages = new Map();
        // Who comes back soon sees what was used before, with a gap.
        cancelForget = clock.after(samplesKept, () => samples.clear());
      };
    },
    cell(place, column, facts) {
      const usage = usages.get(place);
      if (usage === undefined) return null;
      const resource = column.format === 'bytes' ? 'memory' : 'cpu';
      const used = resource === 'memory' ? rounded(usage.memory, mebibyte) : rounded(usage.cpu);
      const [request, limit] = boundsOf(facts, resource);
      return request === null && limit === null ? used : [used, request, limit];
    },
    value(place) {
      const usage = usages.get(place);
      return {
        usage: {
          ...state,
          cpu: usage?.cpu ?? null,
          memory: usage?.memory ?? null,
          history: samples.of([place]),
        },
      };
    },
    sum(places) {
      const known = places.flatMap((place) => usages.get(place) ?? []);
      const total = (name: keyof Usage) =>
        known.length === 0 ? null : known.reduce((all, usage) => all + usage[name], 0);
      return {
        usage: {
          ...state,
          cpu: total('cpu'),
          memory: total('memory'),
          pods: known.length,
          history: samples.of(places),
        },
      };
    },
  };
}
