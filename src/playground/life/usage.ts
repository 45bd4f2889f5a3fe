import { type LabelSelector, matchesSelector } from '../../kube/selector.ts';
import { parseQuantity } from '../../kube/quantity.ts';
import { steady } from '../kit/behaviour.ts';
import { isSilent, nodeBehaviourOf } from './node-conditions.ts';
import type { World } from '../store/world.ts';
import { at, type Obj, recs, str } from '../kit/values.ts';
import { controllerOf } from '../../kube/owners.ts';

/** The usage of a container. */
export interface Usage {
  readonly name: string;
  /** Cores. */
  readonly cpu: number;
  /** Bytes. */
  readonly memory: number;
}

/** Interval between measurements, ms; usage is constant in between. */
export const measuredEvery = 15_000;

/** The time of the last measurement before `now`. */
export const measuredAt = (now: number): number => Math.floor(now / measuredEvery) * measuredEvery;

const minute = 60_000;

/** A wave around 1 with two periods of several minutes; it differs for different words. */
function breath(now: number, depth: number, ...parts: string[]): number {
  const slow = (4 + steady('slow', ...parts) * 8) * minute;
  const fast = (1.2 + steady('fast', ...parts)) * minute;
  const phase = steady('phase', ...parts) * 2 * Math.PI;
  const wave =
    Math.sin((now / slow) * 2 * Math.PI + phase) * 0.75 + Math.sin((now / fast) * 2 * Math.PI) * 0.25;
  return 1 + depth * wave;
}

/** The workload of a pod without its revision: "shop/ReplicaSet/web". */
function workloadOf(pod: Obj): string {
  const owner = controllerOf(pod);
  const hash = pod.metadata.labels?.['pod-template-hash'];
  const name = owner?.name ?? pod.metadata.name ?? '';
  const plain = hash !== undefined && name.endsWith(`-${hash}`) ? name.slice(0, -hash.length - 1) : name;
  return `${pod.metadata.namespace ?? ''}/${owner?.kind ?? 'Pod'}/${plain}`;
}

/** Whether a pod's usage is measured: its node's kubelet answers. */
export const isMeasured = (world: World, pod: Obj): boolean =>
  !isSilent(world.store.get('/nodes', str(at(pod, 'spec', 'nodeName'))));

/** Whether a pod runs and so uses resources. */
const runs = (pod: Obj) =>
  at(pod, 'status', 'phase') === 'Running' && typeof at(pod, 'spec', 'nodeName') === 'string';

const amount = (value: unknown): number => parseQuantity(str(value)) ?? 0;

/** The annotation of a pod that fixes its usage: "cpu=250m,memory=64Mi", shared equally by its containers. */
const usageNote = 'playground/usage';

/** The usage in a pod's annotation; undefined without one. */
function fixedUsage(pod: Obj): { cpu: number; memory: number } | undefined {
  const note = pod.metadata.annotations?.[usageNote];
  if (note === undefined) return undefined;
  const parts = new Map(note.split(',').map((part) => part.split('=') as [string, string]));
  return { cpu: amount(parts.get('cpu')), memory: amount(parts.get('memory')) };
}

/** The share of its CPU request that a pod of a workload uses at a time: about 0.1 to 0.9. */
function cpuShare(workload: string, now: number): number {
  const usual = 0.12 + steady('cpu', workload) * 0.55;
  return usual * breath(now, 0.35, workload);
}

/** Factor on the memory usage of pods on a node with the behaviour `memory-pressure`. */
const memoryPressureFactor = 1.9;

/** The factor on a pod's memory usage: above 1 on a node short of memory. */
export const memoryFactorOf = (world: World, pod: Obj): number =>
  nodeBehaviourOf(world.store.get('/nodes', str(at(pod, 'spec', 'nodeName')))) === 'memory-pressure'
    ? memoryPressureFactor
    : 1;

/**
 * The usage of each running container of a pod; undefined for a pod that does not run. `factor`: on CPU; `memoryFactor`:
 * on memory.
 */
export function podUsage(pod: Obj, now: number, factor = 1, memoryFactor = 1): Usage[] | undefined {
  if (!runs(pod)) return undefined;
  const time = measuredAt(now);
  const workload = workloadOf(pod);
  const uid = pod.metadata.uid ?? '';
  const started = Date.parse(str(at(pod, 'status', 'startTime'))) || time;
  const states = recs(at(pod, 'status', 'containerStatuses'));
  const fixed = fixedUsage(pod);
  const containers = recs(at(pod, 'spec', 'containers'));
  if (fixed !== undefined) {
    const [cpu, memory] = [fixed.cpu / containers.length, fixed.memory / containers.length];
    return containers.map((container) => ({ name: str(container['name']), cpu, memory }));
  }
  return containers.flatMap((container): Usage[] => {
    const name = str(container['name']);
    const state = states.find((item) => item['name'] === name);
    if (at(state, 'state', 'running') === undefined) return [];
    const requested = (resource: string) => amount(at(container, 'resources', 'requests', resource));
    const limited = (resource: string) =>
      amount(at(container, 'resources', 'limits', resource)) || Number.POSITIVE_INFINITY;
    const processor = requested('cpu') || 0.02 + steady('cpu', workload, name) * 0.06;
    const store = requested('memory') || (24 + steady('memory', workload, name) * 160) * 2 ** 20;
    const cpu = processor * cpuShare(workload, time) * factor * breath(time, 0.12, uid, name);
    // Memory grows in the first minutes and then hardly changes.
    const warm = 1 - 0.35 * Math.exp(-(time - started) / (5 * minute));
    const memory =
      store *
      (0.45 + steady('memory', workload, name) * 0.4) *
      warm *
      breath(time, 0.02, uid, name) *
      memoryFactor;
    return [{ name, cpu: Math.min(cpu, limited('cpu')), memory: Math.min(memory, limited('memory') * 0.97) }];
  });
}

/** The load of a workload with an autoscaler, which its pods share. */
interface Demand {
  readonly namespace: string;
  readonly selector: LabelSelector | undefined;
  /** The CPU usage of each pod as a factor on that without load sharing. */
  readonly factor: number;
}

const targets: Readonly<Record<string, string>> = {
  Deployment: 'apps/deployments',
  StatefulSet: 'apps/statefulsets',
  ReplicaSet: 'apps/replicasets',
};

/** The object that an autoscaler scales. */
export function scaleTarget(world: World, autoscaler: Obj): { storage: string; object: Obj } | undefined {
  const reference = at(autoscaler, 'spec', 'scaleTargetRef');
  const storage = targets[str(at(reference, 'kind'))];
  if (storage === undefined) return undefined;
  const key = `${autoscaler.metadata.namespace ?? ''}/${str(at(reference, 'name'))}`;
  const object = world.store.get(storage, key);
  return object === undefined ? undefined : { storage, object };
}

/**
 * The load of autoscaled workloads. It varies around what the minimum of pods can carry at the target utilization
 * and is divided among the ready pods, so that scaling has an effect.
 */
export function demands(world: World, now: number): Demand[] {
  return world.store.list('autoscaling/horizontalpodautoscalers').flatMap((autoscaler): Demand[] => {
    const target = scaleTarget(world, autoscaler);
    if (target === undefined) return [];
    const minReplicas = Number(at(autoscaler, 'spec', 'minReplicas') ?? 1);
    const ready = Math.max(1, Number(at(target.object, 'status', 'readyReplicas') ?? 1));
    const workload = `${autoscaler.metadata.namespace ?? ''}/${target.object.kind}/${target.object.metadata.name ?? ''}`;
    const wanted = Number(
      at(recs(at(autoscaler, 'spec', 'metrics'))[0], 'resource', 'target', 'averageUtilization') ?? 80,
    );
    const work =
      minReplicas * (wanted / 100) * (1.15 + 0.55 * (breath(measuredAt(now), 1, 'work', workload) - 1));
    const familyWords = `${autoscaler.metadata.namespace ?? ''}/${
      target.object.kind === 'Deployment' ? 'ReplicaSet' : target.object.kind
    }/${target.object.metadata.name ?? ''}`;
    return [
      {
        namespace: autoscaler.metadata.namespace ?? '',
        selector: at(target.object, 'spec', 'selector') as LabelSelector | undefined,
        factor: work / ready / cpuShare(familyWords, measuredAt(now)),
      },
    ];
  });
}

/** The factor on a pod's CPU usage; 1 for a pod without an autoscaler. */
export function factorOf(pod: Obj, all: readonly Demand[]): number {
  return (
    all.find(
      ({ namespace, selector }) =>
        namespace === pod.metadata.namespace && matchesSelector(selector, pod.metadata.labels),
    )?.factor ?? 1
  );
}
