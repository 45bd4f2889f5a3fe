import { timestamp } from '../kit/clock.ts';
import { keyOf } from '../store/store.ts';
import { at, type Obj, type Rec, rec, recs, same, str, strings } from '../kit/values.ts';
import type { Controller, Life } from './engine.ts';
import { create, isReady, ownedBy, put, remove } from './write.ts';

const slices = 'discovery.k8s.io/endpointslices';
const endpointsStorage = '/endpoints';
const triggerNote = 'endpoints.kubernetes.io/last-change-trigger-time';
/** Maximum number of endpoints in one slice. */
const maxEndpointsPerSlice = 100;

/** Maintains each service's endpoint slices and its Endpoints object: the addresses of the selected pods. */
export const endpointsController: Controller = {
  name: 'endpointslice-controller',
  interested: ({ storage, key, before, after }, life) => {
    if (storage === '/services') return [key];
    if (storage !== '/pods') return [];
    if (before !== undefined && after !== undefined && !moved(before, after)) return [];
    const namespace = (after ?? before)?.metadata.namespace ?? '';
    const labels = (after ?? before)?.metadata.labels ?? {};
    const found: string[] = [];
    for (const [name, service] of life.world.store.entries('/services', `${namespace}/`)) {
      if (selects(service, labels) || selects(service, before?.metadata.labels ?? {})) found.push(name);
    }
    return found;
  },
  reconcile: (key, life) => {
    const service = life.world.store.get('/services', key);
    if (service === undefined) {
      const endpoints = life.world.store.get(endpointsStorage, key);
      if (endpoints?.metadata.labels?.[managedLabel] === manager)
        remove(life.world, endpointsStorage, endpoints);
      return;
    }
    if (service.metadata.deletionTimestamp !== undefined) return;
    if (Object.keys(strings(at(service, 'spec', 'selector'))).length > 0) update(service, life);
  },
};

const managedLabel = 'endpoints.kubernetes.io/managed-by';
const manager = 'endpoint-controller';
const headlessLabel = 'service.kubernetes.io/headless';

const moved = (before: Obj, after: Obj) =>
  isReady(before) !== isReady(after) ||
  at(before, 'status', 'podIP') !== at(after, 'status', 'podIP') ||
  at(before, 'status', 'phase') !== at(after, 'status', 'phase') ||
  before.metadata.deletionTimestamp !== after.metadata.deletionTimestamp ||
  before.metadata.labels !== after.metadata.labels;

function selects(service: Obj, labels: Readonly<Record<string, string>>): boolean {
  const selector = Object.entries(strings(at(service, 'spec', 'selector')));
  return selector.length > 0 && selector.every(([key, value]) => labels[key] === value);
}

/** A service's ports on a pod; named target ports are looked up in its containers. */
function portsOn(service: Obj, pod: Obj): Rec[] {
  return recs(at(service, 'spec', 'ports')).flatMap((port): Rec[] => {
    const protocol = str(port['protocol']) || 'TCP';
    const target = port['targetPort'] ?? port['port'];
    const number =
      typeof target === 'number'
        ? target
        : recs(at(pod, 'spec', 'containers'))
            .flatMap((container) => recs(container['ports']))
            .find((item) => item['name'] === target && (str(item['protocol']) || 'TCP') === protocol)?.[
            'containerPort'
          ];
    if (number === undefined) return [];
    const { appProtocol } = port;
    return [
      {
        name: str(port['name']),
        protocol,
        port: number,
        ...(appProtocol === undefined ? {} : { appProtocol }),
      },
    ];
  });
}

/** A pod behind a service. */
interface Reached {
  readonly pod: Obj;
  readonly endpoint: Rec;
  readonly ports: Rec[];
  readonly ready: boolean;
  readonly stopping: boolean;
}

function reach(service: Obj, life: Life): Reached[] {
  const { store } = life.world;
  const { namespace = '', name = '' } = service.metadata;
  const publishesNotReady = at(service, 'spec', 'publishNotReadyAddresses') === true;
  const found: Reached[] = [];
  for (const [, pod] of store.entries('/pods', `${namespace}/`)) {
    const address = str(at(pod, 'status', 'podIP'));
    if (address === '' || !selects(service, pod.metadata.labels ?? {})) continue;
    const phase = at(pod, 'status', 'phase');
    if (phase === 'Succeeded' || phase === 'Failed') continue;
    const node = str(at(pod, 'spec', 'nodeName'));
    const zone = store.get('/nodes', node)?.metadata.labels?.['topology.kubernetes.io/zone'];
    const stopping = pod.metadata.deletionTimestamp !== undefined;
    const serving = isReady(pod);
    const ready = publishesNotReady || (serving && !stopping);
    const hostname = str(at(pod, 'spec', 'hostname'));
    const hasOwnHostname = hostname !== '' && at(pod, 'spec', 'subdomain') === name;
    found.push({
      pod,
      ready,
      stopping,
      ports: portsOn(service, pod),
      endpoint: {
        addresses: [address],
        conditions: { ready, serving, terminating: stopping },
        ...(hasOwnHostname ? { hostname } : {}),
        targetRef: { kind: 'Pod', namespace, name: pod.metadata.name, uid: pod.metadata.uid },
        nodeName: node,
        ...(zone === undefined ? {} : { zone }),
      },
    });
  }
  return found;
}

function update(service: Obj, life: Life): void {
  const reached = reach(service, life);
  updateSlices(service, reached, life);
  updateEndpoints(service, reached, life);
}

const isHeadless = (service: Obj) => at(service, 'spec', 'clusterIP') === 'None';

function updateSlices(service: Obj, reached: readonly Reached[], life: Life): void {
  const { world } = life;
  const { namespace = '', name = '' } = service.metadata;
  const labels = {
    ...service.metadata.labels,
    'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
    'kubernetes.io/service-name': name,
    ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
  };
  const wanted = new Map<string, { ports: Rec[]; endpoints: Rec[] }>();
  for (const { ports, endpoint } of reached) {
    const base = JSON.stringify(ports);
    for (let part = 0; ; part++) {
      const id = `${base}#${part}`;
      const group = wanted.get(id) ?? { ports, endpoints: [] };
      if (group.endpoints.length >= maxEndpointsPerSlice) continue;
      group.endpoints.push(endpoint);
      wanted.set(id, group);
      break;
    }
  }
  const old = life.children.of(service.metadata.uid, slices);
  // A service without pods keeps one empty slice.
  const groups = wanted.size === 0 ? [{ ports: null, endpoints: null }] : Array.from(wanted.values());
  for (const { ports, endpoints } of groups) {
    const at = Math.max(
      0,
      old.findIndex((slice) => same(slice['ports'], ports)),
    );
    const [existing] = old.splice(at, 1);
    const annotations = { [triggerNote]: timestamp(world.clock.now()) };
    if (existing === undefined) {
      create(world, slices, namespace, {
        metadata: {
          generateName: `${name}-`,
          labels,
          ...(endpoints === null ? {} : { annotations }),
          ownerReferences: [ownedBy(service)],
        },
        addressType: 'IPv4',
        endpoints,
        ports,
      });
      continue;
    }
    const equal = same(existing['endpoints'] ?? null, endpoints) && same(existing['ports'] ?? null, ports);
    if (equal && same(existing.metadata.labels, labels)) continue;
    const generation = (existing.metadata.generation ?? 1) + 1;
    put(world, slices, {
      ...existing,
      metadata: {
        ...existing.metadata,
        generation,
        labels,
        annotations: { ...existing.metadata.annotations, ...annotations },
      },
      endpoints,
      ports,
    });
  }
  for (const slice of old) remove(world, slices, slice);
}

function updateEndpoints(service: Obj, reached: readonly Reached[], life: Life): void {
  const { world } = life;
  const { namespace = '', name = '' } = service.metadata;
  const publishesNotReady = at(service, 'spec', 'publishNotReadyAddresses') === true;
  const groups = new Map<string, { addresses: Rec[]; notReadyAddresses: Rec[]; ports: Rec[] }>();
  for (const { endpoint, ports, ready, stopping } of reached) {
    if (stopping && !publishesNotReady) continue;
    const unnamed = ports.map(({ name: port, ...rest }) => (port === '' ? rest : { name: port, ...rest }));
    const id = JSON.stringify(unnamed);
    const group = groups.get(id) ?? { addresses: [], notReadyAddresses: [], ports: unnamed };
    groups.set(id, group);
    const { addresses, hostname, nodeName, targetRef } = endpoint;
    const ip = Array.isArray(addresses) ? str(addresses[0]) : '';
    const address = { ip, ...(hostname === undefined ? {} : { hostname }), nodeName, targetRef };
    (ready ? group.addresses : group.notReadyAddresses).push(address);
  }
  const subsets = Array.from(groups.values(), ({ addresses, notReadyAddresses, ports }) => ({
    ...(addresses.length === 0 ? {} : { addresses }),
    ...(notReadyAddresses.length === 0 ? {} : { notReadyAddresses }),
    ports,
  }));
  const labels = {
    ...service.metadata.labels,
    [managedLabel]: manager,
    ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
  };
  const annotations = { [triggerNote]: timestamp(world.clock.now()) };
  const existing = world.store.get(endpointsStorage, keyOf(namespace, name));
  const body = subsets.length === 0 ? {} : { subsets };
  if (existing === undefined) {
    create(world, endpointsStorage, namespace, { metadata: { name, labels, annotations }, ...body });
    return;
  }
  const { subsets: before, ...rest } = existing;
  if (same(before ?? [], subsets) && same(existing.metadata.labels, labels)) return;
  const metadata = {
    ...rec(rest['metadata']),
    labels,
    annotations: { ...existing.metadata.annotations, ...annotations },
  };
  put(world, endpointsStorage, { ...rest, metadata, ...body });
}
