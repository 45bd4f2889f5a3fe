import type { World } from '../store/world.ts';
import { at, type Obj, recs, str } from '../kit/values.ts';
import { demands, factorOf, isMeasured, memoryFactorOf, podUsage, type Usage } from '../life/usage.ts';
import { isSilent } from '../life/node-conditions.ts';
import type { Labels, Series } from './evaluate.ts';
import { nodeUsage } from './serve.ts';

const cpuMetric = 'container_cpu_usage_seconds_total';
const memoryMetric = 'container_memory_working_set_bytes';

/** Looks at the usage in a time over which a rate is taken: a counter grows evenly between two of them. */
const looks = 2;
/** The pause container of a pod uses hardly anything. */
const pause = { cpu: 0.0002, memory: 600 * 1024 };

/** The usage of the cluster at a time, read once for all series. */
class Moments {
  readonly #world: World;
  /** When the series were read, epoch ms: the clock goes on meanwhile. */
  readonly now: number;
  readonly #shared = new Map<number, ReturnType<typeof demands>>();
  readonly #pods = new Map<string, Usage[] | undefined>();
  readonly #nodes = new Map<number, ReadonlyMap<string, { cpu: number; memory: number }>>();

  constructor(world: World) {
    this.#world = world;
    this.now = world.clock.now();
  }

  /** Undefined before the pod started, and in the future. @param time epoch ms */
  pod(pod: Obj, time: number): Usage[] | undefined {
    const started = Date.parse(str(at(pod, 'status', 'startTime')));
    if (time > this.now || time < started) return undefined;
    const key = `${pod.metadata.uid ?? ''} ${time}`;
    if (!this.#pods.has(key)) {
      const factor = factorOf(pod, this.#demands(time));
      this.#pods.set(key, podUsage(pod, time, factor, memoryFactorOf(this.#world, pod)));
    }
    return this.#pods.get(key);
  }

  node(node: Obj, time: number): { cpu: number; memory: number } | undefined {
    const started = Date.parse(str(node.metadata.creationTimestamp));
    if (time > this.now || time < started) return undefined;
    const known = this.#nodes.get(time) ?? nodeUsage(this.#world, (pod) => this.pod(pod, time));
    this.#nodes.set(time, known);
    return known.get(node.metadata.name ?? '');
  }

  #demands(time: number): ReturnType<typeof demands> {
    const known = this.#shared.get(time) ?? demands(this.#world, time);
    this.#shared.set(time, known);
    return known;
  }
}

/** Both series of something that is measured. */
function seriesOf(
  labels: Labels,
  usage: (time: number) => { readonly cpu: number; readonly memory: number } | undefined,
): readonly Series[] {
  const rate = (time: number, window: number) => {
    const seen = Array.from(
      { length: looks },
      (_, index) => usage(time - (index * window) / looks)?.cpu,
    ).filter((value) => value !== undefined);
    // A rate needs two samples.
    return seen.length < 2 ? undefined : seen.reduce((sum, value) => sum + value, 0) / seen.length;
  };
  return [
    {
      metric: cpuMetric,
      labels: { ...labels, cpu: 'total' },
      value: (time) => usage(time)?.cpu,
      rate,
      isCounter: true,
    },
    { metric: memoryMetric, labels, value: (time) => usage(time)?.memory, rate, isCounter: false },
  ];
}

/**
 * The series of cAdvisor for everything that runs now, as a Prometheus has them that scrapes each kubelet: of whole
 * nodes, of pods, of their containers, and of their pause containers. They follow the same usage as metrics.k8s.io. What
 * is gone has no series any more.
 */
export function cadvisorSeries(world: World): readonly Series[] {
  const moments = new Moments(world);
  const job = { job: 'kubelet', metrics_path: '/metrics/cadvisor' };
  const instanceOf = (node: Obj | undefined) =>
    `${str(recs(at(node, 'status', 'addresses'))[0]?.['address'])}:10250`;
  const nodes = world.store.list('/nodes').filter((node) => !isSilent(node));
  const places = new Map(
    nodes.map((node) => [
      node.metadata.name,
      { ...job, node: node.metadata.name ?? '', instance: instanceOf(node) },
    ]),
  );
  const ofNodes = nodes.flatMap((node) =>
    seriesOf({ ...places.get(node.metadata.name), id: '/' }, (time) => moments.node(node, time)),
  );
  const ofPods = world.store.list('/pods').flatMap((pod) => {
    const place = places.get(str(at(pod, 'spec', 'nodeName')));
    const running = moments.pod(pod, moments.now);
    if (place === undefined || running === undefined || !isMeasured(world, pod)) return [];
    const { namespace = '', name = '', uid = '' } = pod.metadata;
    const id = `/kubepods/burstable/pod${uid}`;
    const labels = { ...place, namespace, pod: name };
    const total = (time: number) =>
      moments
        .pod(pod, time)
        ?.reduce((sum, one) => ({ cpu: sum.cpu + one.cpu, memory: sum.memory + one.memory }), { ...pause });
    return [
      ...seriesOf({ ...labels, id }, total),
      ...seriesOf({ ...labels, id: `${id}/pause`, container: 'POD' }, (time) =>
        moments.pod(pod, time) === undefined ? undefined : pause,
      ),
      ...running.flatMap(({ name: container }) =>
        seriesOf({ ...labels, id: `${id}/${container}`, container }, (time) =>
          moments.pod(pod, time)?.find((one) => one.name === container),
        ),
      ),
    ];
  });
  return [...ofNodes, ...ofPods];
}
