import { at, type Obj, type Rec, recs, same, str, strings } from '../values.ts';
import type { Controller, Life } from './engine.ts';
import { create, isReady, ownedBy, put } from './write.ts';

const slices = 'discovery.k8s.io/endpointslices';

/** Keeps each service's endpoint slice: the addresses of the pods it selects. */
export const endpointsController: Controller = {
  name: 'endpointslice-controller',
  interested: ({ storage, key, before, after }, life) => {
    if (storage === '/services') return after === undefined ? [] : [key];
    if (storage !== '/pods') return [];
    if (before !== undefined && after !== undefined && !moved(before, after)) return [];
    const namespace = (after ?? before)?.metadata.namespace ?? '';
    const labels = (after ?? before)?.metadata.labels ?? {};
    const found: string[] = [];
    for (const [name, service] of life.world.store.entries('/services', `${namespace}/`)) {
      if (selects(service, labels)) found.push(name);
    }
    return found;
  },
  reconcile: (key, life) => {
    const service = life.world.store.get('/services', key);
    if (service === undefined || service.metadata.deletionTimestamp !== undefined) return;
    if (Object.keys(strings(at(service, 'spec', 'selector'))).length > 0) update(service, life);
  },
};

const moved = (before: Obj, after: Obj) =>
  isReady(before) !== isReady(after) ||
  at(before, 'status', 'podIP') !== at(after, 'status', 'podIP') ||
  before.metadata.deletionTimestamp !== after.metadata.deletionTimestamp ||
  before.metadata.labels !== after.metadata.labels;

function selects(service: Obj, labels: Readonly<Record<string, string>>): boolean {
  const selector = Object.entries(strings(at(service, 'spec', 'selector')));
  return selector.length > 0 && selector.every(([key, value]) => labels[key] === value);
}

function update(service: Obj, life: Life): void {
  const { world } = life;
  const { namespace = '', name = '' } = service.metadata;
  const endpoints: Rec[] = [];
  for (const [, pod] of world.store.entries('/pods', `${namespace}/`)) {
    const address = str(at(pod, 'status', 'podIP'));
    if (address === '' || !selects(service, pod.metadata.labels ?? {})) continue;
    const phase = at(pod, 'status', 'phase');
    if (phase === 'Succeeded' || phase === 'Failed') continue;
    const node = str(at(pod, 'spec', 'nodeName'));
    const zone = world.store.get('/nodes', node)?.metadata.labels?.['topology.kubernetes.io/zone'];
    const leaving = pod.metadata.deletionTimestamp !== undefined;
    const ready = isReady(pod);
    endpoints.push({
      addresses: [address],
      conditions: { ready: ready && !leaving, serving: ready, terminating: leaving },
      targetRef: { kind: 'Pod', namespace, name: pod.metadata.name, uid: pod.metadata.uid },
      nodeName: node,
      ...(zone === undefined ? {} : { zone }),
    });
  }
  const ports = recs(at(service, 'spec', 'ports')).map((port) => ({
    name: str(port['name']),
    protocol: str(port['protocol']) || 'TCP',
    port: typeof port['targetPort'] === 'number' ? port['targetPort'] : port['port'],
  }));
  const existing = life.children.of(service.metadata.uid, slices)[0];
  if (existing !== undefined) {
    if (same(existing['endpoints'], endpoints) && same(existing['ports'], ports)) return;
    const generation = (existing.metadata.generation ?? 1) + 1;
    put(world, slices, { ...existing, metadata: { ...existing.metadata, generation }, endpoints, ports });
    return;
  }
  create(world, slices, namespace, {
    metadata: {
      generateName: `${name}-`,
      labels: {
        ...service.metadata.labels,
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
        'kubernetes.io/service-name': name,
      },
      ownerReferences: [ownedBy(service)],
    },
    addressType: 'IPv4',
    endpoints,
    ports,
  });
}
