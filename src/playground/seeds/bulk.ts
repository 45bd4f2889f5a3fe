import { timestamp } from '../kit/clock.ts';
import { identity } from '../life/identity.ts';
import { create, ownedBy } from '../life/write.ts';
import { generateName } from '../objects/generated-name.ts';
import type { World } from '../store/world.ts';
import { randomName } from '../kit/random.ts';
import { keyOf } from '../store/store.ts';
import { at, type Obj, type Rec, rec } from '../kit/values.ts';
import { createNode } from './nodes.ts';
import { createWorkload, type Workload } from './workload.ts';

const perDeployment = 20;
const perNode = 100;
const perNamespace = 1_000;

/** Creates `pods` running pods with their deployments and nodes. */
export function plantBulk(world: World, pods: number): void {
  const nodes = Math.max(1, Math.ceil(pods / perNode));
  for (let index = 0; index < nodes; index++) {
    const zone = `eu-central-1${'abc'[index % 3] ?? 'a'}`;
    createNode(
      world,
      { name: `worker-${zone.at(-1) ?? 'a'}${index + 1}`, zone, cpu: 64, memory: 256, pods: 250 },
      index,
    );
  }
  const names = world.store.list('/nodes').map((node) => node.metadata.name ?? '');
  let createdCount = 0;
  for (let group = 0; createdCount < pods; group++) {
    const namespace = `team-${String(Math.floor((group * perDeployment) / perNamespace) + 1).padStart(2, '0')}`;
    if (world.store.get('/namespaces', namespace) === undefined) {
      create(world, '/namespaces', '', { metadata: { name: namespace } });
    }
    const count = Math.min(perDeployment, pods - createdCount);
    createdCount += fill(world, namespace, group, count, names, createdCount);
  }
}

function fill(
  world: World,
  namespace: string,
  group: number,
  count: number,
  nodes: readonly string[],
  from: number,
): number {
  const name = `service-${String(group + 1).padStart(4, '0')}`;
  const workload: Workload = {
    namespace,
    name,
    image: `registry.acme.example/bulk/${name}:1.0.0`,
    replicas: count,
    port: 8080,
    service: false,
  };
  const deployment = createWorkload(world, workload);
  if (deployment === undefined) return count;
  const hash = randomName(world.chance, 10);
  const template = rec(at(deployment, 'spec', 'template'));
  const labels = { ...rec(at(template, 'metadata', 'labels')), 'pod-template-hash': hash };
  const set = create(world, 'apps/replicasets', namespace, {
    metadata: {
      name: `${name}-${hash}`,
      labels,
      annotations: { 'deployment.kubernetes.io/revision': '1' },
      ownerReferences: [ownedBy(deployment)],
    },
    spec: {
      replicas: count,
      selector: { matchLabels: labels },
      template: { ...template, metadata: { labels } },
    },
  });
  if (set === undefined) return count;
  const first = create(world, '/pods', namespace, {
    metadata: { generateName: `${set.metadata.name}-`, labels, ownerReferences: [ownedBy(set)] },
    spec: structuredClone(template['spec']),
  });
  if (first === undefined) return count;
  for (let index = 0; index < count; index++) {
    const position = from + index;
    const node = nodes[position % nodes.length] ?? '';
    const pod = index === 0 ? first : sibling(world, first);
    world.store.commit(
      '/pods',
      keyOf(namespace, pod.metadata.name ?? ''),
      running(world, pod, node, position),
    );
  }
  const summary = { replicas: count, readyReplicas: count, availableReplicas: count, observedGeneration: 1 };
  const key = (object: Obj) => keyOf(namespace, object.metadata.name ?? '');
  world.store.commit('apps/replicasets', key(set), {
    ...set,
    status: { ...summary, fullyLabeledReplicas: count },
  });
  world.store.commit('apps/deployments', key(deployment), {
    ...deployment,
    status: { ...summary, updatedReplicas: count },
  });
  return count;
}

/** A copy of a pod with its own identity; everything else is shared. */
function sibling(world: World, pod: Obj): Obj {
  const { namespace, generateName: base = '' } = pod.metadata;
  const name = generateName(world, '/pods', namespace, base);
  return { ...pod, metadata: { ...pod.metadata, name, uid: world.chance.uuid() } };
}

function running(world: World, pod: Obj, node: string, position: number): Obj {
  const started = timestamp(world.clock.now() - 3600_000 - (position % 977) * 60_000);
  const address = `10.${64 + (position >> 16)}.${(position >> 8) & 255}.${position & 255}`;
  const spec = rec(pod['spec']);
  const container = (Array.isArray(spec['containers']) ? spec['containers'][0] : {}) as Rec;
  const name = String(container['name']);
  const image = String(container['image']);
  const condition = (type: string) => ({
    type,
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: started,
  });
  return {
    ...pod,
    metadata: { ...pod.metadata, creationTimestamp: started },
    spec: { ...spec, nodeName: node },
    status: {
      phase: 'Running',
      conditions: [
        'PodReadyToStartContainers',
        'Initialized',
        'Ready',
        'ContainersReady',
        'PodScheduled',
      ].map(condition),
      hostIP: '10.20.0.10',
      podIP: address,
      podIPs: [{ ip: address }],
      startTime: started,
      containerStatuses: [
        {
          name,
          state: { running: { startedAt: started } },
          lastState: {},
          ready: true,
          restartCount: 0,
          image,
          ...identity(pod, name, image, 0),
          started: true,
        },
      ],
      qosClass: 'Burstable',
    },
  };
}
