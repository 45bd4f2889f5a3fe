import { timestamp } from '../kit/clock.ts';
import { conflict } from '../kit/status.ts';
import { at, type Obj, rec, recs } from '../kit/values.ts';
import { keyOf } from '../store/store.ts';
import type { World } from '../store/world.ts';

const topology = ['topology.kubernetes.io/region', 'topology.kubernetes.io/zone'];

/** A node's topology labels, which bound pods inherit. */
function topologyOf(node: Obj | undefined): Record<string, string> {
  const labels = node?.metadata.labels ?? {};
  return Object.fromEntries(
    topology.flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]]])),
  );
}

/** Throws 409 for a pod that already has a node. */
export function checkUnbound(pod: Obj): void {
  const { name = '' } = pod.metadata;
  const assigned = at(pod, 'spec', 'nodeName');
  if (typeof assigned === 'string' && assigned !== '') {
    throw conflict(
      { group: '', plural: 'pods/binding' },
      name,
      `pod ${name} is already assigned to node "${assigned}"`,
    );
  }
}

/** Stores a pod's node and its PodScheduled condition. Throws 409 when it already has a node. */
export function bindPod(world: World, pod: Obj, node: string): Obj {
  checkUnbound(pod);
  const { name = '', namespace = '' } = pod.metadata;
  const status = rec(pod['status']);
  const conditions = recs(status['conditions']).filter((item) => item['type'] !== 'PodScheduled');
  const labels = topologyOf(world.store.get('/nodes', node));
  return world.store.commit('/pods', keyOf(namespace, name), {
    ...pod,
    ...(Object.keys(labels).length === 0
      ? {}
      : { metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, ...labels } } }),
    spec: { ...rec(pod['spec']), nodeName: node },
    status: {
      ...status,
      conditions: [
        ...conditions,
        {
          type: 'PodScheduled',
          status: 'True',
          lastProbeTime: null,
          lastTransitionTime: timestamp(world.clock.now()),
        },
      ],
    },
  });
}
