import { registerApiServices } from '../objects/api-services.ts';
import { timestamp } from '../kit/clock.ts';
import { parseQuantity } from '../../kube/quantity.ts';
import { lowMemory } from '../life/eviction.ts';
import { isSilent, nodeBehaviourOf } from '../life/node-conditions.ts';
import type { World } from '../store/world.ts';
import { seededChance } from '../kit/random.ts';
import type { Resource } from '../registry/registry.ts';
import { notFound } from '../kit/status.ts';
import { keyOf } from '../store/store.ts';
import { at, type Obj, str } from '../kit/values.ts';
import {
  demands,
  factorOf,
  isMeasured,
  measuredAt,
  podUsage,
  memoryFactorOf,
  type Usage,
} from '../life/usage.ts';

const offer = (plural: string, kind: string, namespaced: boolean): Resource => ({
  group: 'metrics.k8s.io',
  version: 'v1beta1',
  plural,
  singular: '',
  kind,
  namespaced,
  verbs: ['get', 'list'],
  shortNames: [],
  categories: [],
  subresources: new Map(),
  patchTypes: [],
  shape: undefined,
  storage: `metrics.k8s.io/${plural}`,
  computed: true,
});

/** Registers metrics.k8s.io, as a metrics server does. */
export function offerMetrics(world: World): void {
  world.registry.register(offer('nodes', 'NodeMetrics', false));
  world.registry.register(offer('pods', 'PodMetrics', true));
  registerApiServices({ ...world, chance: seededChance(36) });
}

/** Quantities in the metrics server's units: nanocores and kibibytes. */
const quantities = ({ cpu, memory }: { cpu: number; memory: number }) => ({
  cpu: `${Math.round(cpu * 1e9)}n`,
  memory: `${Math.round(memory / 1024)}Ki`,
});

const sum = (usages: readonly { cpu: number; memory: number }[]) =>
  usages.reduce((total, { cpu, memory }) => ({ cpu: total.cpu + cpu, memory: total.memory + memory }), {
    cpu: 0,
    memory: 0,
  });

/** The usage of a node; one short of memory uses nearly all of it. */
function pressed(node: Obj, usage: { cpu: number; memory: number }): { cpu: number; memory: number } {
  if (nodeBehaviourOf(node) !== 'memory-pressure') return usage;
  const all = parseQuantity(str(at(node, 'status', 'capacity', 'memory'))) ?? usage.memory;
  const available = parseQuantity(lowMemory.available) ?? 0;
  return { ...usage, memory: Math.max(usage.memory, all - available) };
}

function head(kind: string, object: Obj, now: number) {
  const { name = '', namespace, labels } = object.metadata;
  return {
    kind,
    apiVersion: 'metrics.k8s.io/v1beta1',
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      creationTimestamp: timestamp(now),
      ...(labels === undefined ? {} : { labels }),
    },
    timestamp: timestamp(measuredAt(now)),
    window: '15s',
  };
}

/** The last measured usage of pods or nodes; `namespace`: '' for all. */
export function measured(world: World, resource: Resource, namespace: string): Obj[] {
  const now = world.clock.now();
  const shared = demands(world, now);
  const usageOf = (pod: Obj): Usage[] | undefined =>
    isMeasured(world, pod)
      ? podUsage(pod, now, factorOf(pod, shared), memoryFactorOf(world, pod))
      : undefined;
  if (resource.plural === 'pods') {
    return world.store.list('/pods', namespace === '' ? '' : `${namespace}/`).flatMap((pod): Obj[] => {
      const usages = usageOf(pod);
      if (usages === undefined || usages.length === 0) return [];
      const containers = usages.map((usage) => ({ name: usage.name, usage: quantities(usage) }));
      return [{ ...head('PodMetrics', pod, now), containers }];
    });
  }
  const all = nodeUsage(world, usageOf);
  return world.store.list('/nodes').flatMap((node): Obj[] => {
    const usage = all.get(node.metadata.name ?? '');
    return usage === undefined ? [] : [{ ...head('NodeMetrics', node, now), usage: quantities(usage) }];
  });
}

/** The usage of each node whose kubelet answers, by name. @param usageOf that of a pod; undefined for one that has none */
export function nodeUsage(
  world: World,
  usageOf: (pod: Obj) => Usage[] | undefined,
): ReadonlyMap<string, { readonly cpu: number; readonly memory: number }> {
  const byNode = new Map<unknown, Usage[]>();
  for (const pod of world.store.list('/pods')) {
    const node = at(pod, 'spec', 'nodeName');
    const list = byNode.get(node) ?? [];
    list.push(...(usageOf(pod) ?? []));
    byNode.set(node, list);
  }
  // Usage beside the pods: kubelet, container runtime, system.
  const system = { cpu: 0.12, memory: 900 * 2 ** 20 };
  return new Map(
    world.store
      .list('/nodes')
      .filter((node) => !isSilent(node))
      .map((node) => [
        node.metadata.name ?? '',
        pressed(node, sum([system, ...(byNode.get(node.metadata.name) ?? [])])),
      ]),
  );
}

/** The usage of one pod or node. Throws 404 when it does not run. */
export function measuredOne(world: World, resource: Resource, namespace: string, name: string): Obj {
  const found = world.store.get(`/${resource.plural}`, keyOf(namespace, name));
  const usage = measured(world, resource, namespace).find((item) => item.metadata.name === name);
  if (found === undefined || usage === undefined) throw notFound(resource, name);
  return usage;
}
