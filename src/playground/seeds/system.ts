import { registerApiServices } from '../api-services.ts';
import { createObject, type World } from '../objects.ts';
import { seededChance } from '../random.ts';
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

/** What every API server has from its start: its namespaces, its priorities and its own service. */
export function plantSystem(world: World): void {
  const find = (apiVersion: string, kind: string) => {
    const resource = world.registry.ofKind(apiVersion, kind);
    if (resource === undefined) throw new Error(`the facts have no ${kind}`);
    return resource;
  };
  for (const name of namespaces) createObject(world, find('v1', 'Namespace'), '', { metadata: { name } });
  // With chance of their own: what is planted after them stays the same.
  const steady = { ...world, chance: seededChance(36) };
  for (const { name, value, description } of priorities) {
    const body = { metadata: { name }, value, description, preemptionPolicy: 'PreemptLowerPriority' };
    createObject(steady, find('scheduling.k8s.io/v1', 'PriorityClass'), '', body);
  }
  plantBootstrap(steady);
  registerApiServices(steady);
  createObject(world, find('v1', 'Service'), 'default', {
    metadata: { name: 'kubernetes', labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      clusterIP: '10.96.0.1',
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 6443 }],
    },
  });
}
