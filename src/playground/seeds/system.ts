import { registerApiServices } from '../objects/api-services.ts';
import { serviceRange } from '../admission/services.ts';
import { resourceAt } from '../life/write.ts';
import { createObject } from '../objects/objects.ts';
import type { World } from '../store/world.ts';
import { seededChance } from '../kit/random.ts';
import type { Rec } from '../kit/values.ts';
import { plantBootstrap } from './bootstrap.ts';

const namespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

const priorities = [
  {
    name: 'system-cluster-critical',
    value: 2_000_000_000,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
  {
    name: 'system-node-critical',
    value: 2_000_001_000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
];

/** Creates what every API server has from its start: namespaces, priority classes and its own service. */
export function plantSystem(world: World): void {
  const find = (apiVersion: string, kind: string) => {
    const resource = world.registry.ofKind(apiVersion, kind);
    if (resource === undefined) throw new Error(`the facts have no ${kind}`);
    return resource;
  };
  for (const name of namespaces) createObject(world, find('v1', 'Namespace'), '', { metadata: { name } });
  // A separate random source, so that later names do not depend on these objects.
  const isolatedWorld = { ...world, chance: seededChance(36) };
  for (const { name, value, description } of priorities) {
    const body = { metadata: { name }, value, description, preemptionPolicy: 'PreemptLowerPriority' };
    createObject(isolatedWorld, find('scheduling.k8s.io/v1', 'PriorityClass'), '', body);
  }
  plantBootstrap(isolatedWorld);
  registerApiServices(isolatedWorld);
  plantAddresses(isolatedWorld);
  createObject(world, find('v1', 'Service'), 'default', {
    metadata: { name: 'kubernetes', labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      clusterIP: '10.96.0.1',
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 6443 }],
    },
  });
}

/** Creates the API server's endpoints and the range of service addresses. */
function plantAddresses(world: World): void {
  const make = (storage: string, namespace: string, body: Rec) =>
    createObject(world, resourceAt(world, storage), namespace, body);
  const ports = [{ name: 'https', port: 6443, protocol: 'TCP' }];
  const address = '10.20.0.10';
  make('/endpoints', 'default', {
    metadata: { name: 'kubernetes', labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
    subsets: [{ addresses: [{ ip: address }], ports }],
  });
  make('discovery.k8s.io/endpointslices', 'default', {
    metadata: { name: 'kubernetes', labels: { 'kubernetes.io/service-name': 'kubernetes' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports,
  });
  const ranges = 'networking.k8s.io/servicecidrs';
  const range = make(ranges, '', { metadata: { name: 'kubernetes' }, spec: { cidrs: [serviceRange] } });
  const condition = {
    type: 'Ready',
    status: 'True',
    lastTransitionTime: range.metadata.creationTimestamp,
    reason: '',
    message: 'Kubernetes default Service CIDR is ready',
  };
  world.store.commit(ranges, 'kubernetes', { ...range, status: { conditions: [condition] } });
}
