import { createObject, type World } from '../objects.ts';

const namespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** What every API server has from its start: its namespaces and its own service. */
export function plantSystem(world: World): void {
  const find = (apiVersion: string, kind: string) => {
    const resource = world.registry.ofKind(apiVersion, kind);
    if (resource === undefined) throw new Error(`the facts have no ${kind}`);
    return resource;
  };
  for (const name of namespaces) createObject(world, find('v1', 'Namespace'), '', { metadata: { name } });
  createObject(world, find('v1', 'Service'), 'default', {
    metadata: { name: 'kubernetes', labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      clusterIP: '10.96.0.1',
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 6443 }],
    },
  });
}
