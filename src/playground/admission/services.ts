import { timestamp } from '../kit/clock.ts';
import type { World } from '../store/world.ts';
import { type ChanceState, seededChance } from '../kit/random.ts';
import { apiVersionOf, type Resource } from '../registry/registry.ts';
import { type Cause, cause } from '../kit/status.ts';
import { at, type Obj, type Rec, rec, recs, str } from '../kit/values.ts';
import { addressCauses } from './rules/service-address.ts';

/** Allocated addresses and ports, per store. */
interface Allocations {
  readonly addresses: Set<string>;
  readonly ports: Set<number>;
  /** A separate random source for the uids of addresses: other generated names do not depend on it. */
  readonly chance: ChanceState;
}

/** The range of cluster addresses. */
export const serviceRange = '10.96.0.0/12';
const inRange = (address: string) => {
  const [a = 0, b = 0] = address.split('.').map(Number);
  return a === 10 && b >= 96 && b < 112;
};

const allocationsOf = ({ store }: World) =>
  store.memory.of(
    'allocations of services',
    (): Allocations => ({ addresses: new Set(), ports: new Set(), chance: { last: 96 } }),
  );

const firstNodePort = 30000;
const lastNodePort = 32767;
const hasAddress = (type: unknown) => type !== 'ExternalName';
const hasPorts = (type: unknown) => type === 'NodePort' || type === 'LoadBalancer';

/**
 * Allocates a service's cluster address and node ports, in place, and releases those it no longer has. Returns
 * the causes for which it cannot. `commit` keeps the allocation; without it nothing is taken.
 */
export function allocate(
  world: World,
  resource: Resource,
  object: Obj,
  before?: Obj,
): { readonly causes: readonly Cause[]; readonly commit: () => void } {
  if (resource.storage !== '/services') return { causes: [], commit: () => undefined };
  const { addresses, ports } = allocationsOf(world);
  const spec = rec(object['spec']);
  const ownPorts = new Set(before === undefined ? [] : portsOf(before));
  const newPorts: number[] = [];
  const causes: Cause[] = hasAddress(spec['type']) ? allocateAddress(world, object, before) : [];
  if (causes.length === 0 && hasPorts(spec['type'])) {
    const isWanted = spec['type'] === 'NodePort' || spec['allocateLoadBalancerNodePorts'] !== false;
    for (const [index, port] of recs(spec['ports']).entries()) {
      const wanted = port['nodePort'];
      const field = `spec.ports[${index}].nodePort`;
      if (typeof wanted !== 'number' || wanted === 0 || ownPorts.has(wanted)) continue;
      if (wanted < firstNodePort || wanted > lastNodePort) {
        const range = `provided port is not in the valid range. The range of valid ports is ${firstNodePort}-${lastNodePort}`;
        causes.push(cause.invalid(field, wanted, range));
      } else if (ports.has(wanted)) {
        causes.push(cause.invalid(field, wanted, 'provided port is already allocated'));
      } else newPorts.push(wanted);
    }
    if (causes.length === 0 && isWanted) shareNodePorts(world, recs(spec['ports']), ports, newPorts);
    if (causes.length === 0 && checksHealth(spec)) {
      spec['healthCheckNodePort'] ||= freePort(world, ports, newPorts);
    }
  }
  const commit = () => {
    const address = addressOf(object);
    if (before !== undefined && addressOf(before) !== address) release(world, resource, before);
    else if (before !== undefined) releasePorts(world, before);
    for (const port of portsOf(object)) ports.add(port);
    if (address === undefined) return;
    addresses.add(address);
    recordAddress(world, address, object);
  };
  return { causes, commit };
}

/** Whether a load balancer checks each node for local endpoints. */
const checksHealth = (spec: Rec) =>
  spec['type'] === 'LoadBalancer' && spec['externalTrafficPolicy'] === 'Local';

/** Allocates a node port for each port without one; ports of one number share it across protocols. */
function shareNodePorts(
  world: World,
  list: readonly Rec[],
  ports: ReadonlySet<number>,
  newPorts: number[],
): void {
  const given = new Map(
    list.map((port) => [port['port'], port['nodePort']] as const).filter(([, one]) => one),
  );
  for (const port of list) {
    port['nodePort'] ||= given.get(port['port']) ?? freePort(world, ports, newPorts);
    given.set(port['port'], port['nodePort']);
  }
}

const portsOf = (service: Obj): number[] =>
  [...recs(at(service, 'spec', 'ports')), rec(service['spec'])].flatMap((holder) => {
    const port = holder['nodePort'] ?? holder['healthCheckNodePort'];
    return typeof port === 'number' && port !== 0 ? [port] : [];
  });

/** The cluster address of a service; undefined for a headless service and for one without an address. */
function addressOf(service: Obj): string | undefined {
  const address = str(at(service, 'spec', 'clusterIP'));
  return address === '' || address === 'None' ? undefined : address;
}

function allocateAddress(world: World, object: Obj, before: Obj | undefined): Cause[] {
  const { addresses } = allocationsOf(world);
  const spec = rec(object['spec']);
  const contradictory = addressCauses(spec);
  if (contradictory.length > 0) return contradictory;
  const unserved = familyCauses(spec);
  if (unserved.length > 0) return unserved;
  const ownAddress = before === undefined ? undefined : addressOf(before);
  const wanted = addressOf(object);
  if (wanted !== undefined && wanted !== ownAddress) {
    const field = 'spec.clusterIPs';
    const refuse = (why: string) => [
      cause.invalid(field, [wanted], `failed to allocate IP ${wanted}: ${why}`),
    ];
    if (!inRange(wanted)) {
      return refuse(
        `the provided IP (${wanted}) is not in the valid range. The range of valid IPs is ${serviceRange}`,
      );
    }
    if (addresses.has(wanted)) return refuse('provided IP is already allocated');
  }
  spec['clusterIP'] ||= freeAddress(world, addresses);
  spec['clusterIPs'] ??= [spec['clusterIP']];
  // Services without a selector may have addresses of both families, even where others have one.
  spec['ipFamilyPolicy'] ??= isFree(spec) ? 'RequireDualStack' : 'SingleStack';
  const dualStack = isFree(spec) && spec['ipFamilyPolicy'] !== 'SingleStack';
  spec['ipFamilies'] ??= dualStack ? ['IPv4', 'IPv6'] : ['IPv4'];
  return [];
}

/** Whether a service is headless and has no selector. */
const isFree = (spec: Rec) => spec['clusterIP'] === 'None' && Object.keys(rec(spec['selector'])).length === 0;

/** The causes for which IP families are refused: the cluster has IPv4 only. */
function familyCauses(spec: Rec): Cause[] {
  const policy = spec['ipFamilyPolicy'];
  const families = (Array.isArray(spec['ipFamilies']) ? spec['ipFamilies'] : []) as string[];
  if ((policy === undefined || policy === 'SingleStack') && families.length === 2) {
    const why = "must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified";
    return [cause.invalid('spec.ipFamilyPolicy', policy ?? 'SingleStack', why)];
  }
  if (isFree(spec)) return [];
  const dualStack = 'this cluster is not configured for dual-stack services';
  return [
    ...(policy === 'RequireDualStack' ? [cause.invalid('spec.ipFamilyPolicy', policy, dualStack)] : []),
    ...families.flatMap((family, index) =>
      family === 'IPv6'
        ? [cause.invalid(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster')]
        : [],
    ),
  ];
}

const addressStorage = 'networking.k8s.io/ipaddresses';

/** Creates the IPAddress object that records which service an address belongs to. */
function recordAddress(world: World, address: string, service: Obj): void {
  const resource = world.registry.ofStorage(addressStorage);
  if (resource === undefined || world.store.get(addressStorage, address) !== undefined) return;
  const { name = '', namespace = '' } = service.metadata;
  world.store.commit(addressStorage, address, {
    kind: resource.kind,
    apiVersion: apiVersionOf(resource),
    metadata: {
      name: address,
      uid: seededChance(allocationsOf(world).chance).uuid(),
      creationTimestamp: timestamp(world.clock.now()),
      labels: {
        'ipaddress.kubernetes.io/ip-family': 'IPv4',
        'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
      },
    },
    spec: { parentRef: { resource: 'services', namespace, name } },
  });
}

function releasePorts(world: World, service: Obj): void {
  const { addresses, ports } = allocationsOf(world);
  for (const port of portsOf(service)) ports.delete(port);
  const address = addressOf(service);
  if (address !== undefined) addresses.delete(address);
}

/** Releases the address and ports of a removed service. */
export function release(world: World, resource: Resource, object: Obj): void {
  if (resource.storage !== '/services') return;
  releasePorts(world, object);
  const address = addressOf(object);
  if (address === undefined || world.store.get(addressStorage, address) === undefined) return;
  world.store.commit(addressStorage, address, undefined);
}

function freeAddress(world: World, usedAddresses: ReadonlySet<string>): string {
  for (;;) {
    const number = 2 + Math.floor(world.chance.next() * 65_000);
    const address = `10.96.${number >> 8}.${number & 255}`;
    if (!usedAddresses.has(address)) return address;
  }
}

function freePort(world: World, usedPorts: ReadonlySet<number>, newPorts: number[]): number {
  for (;;) {
    const port = firstNodePort + Math.floor(world.chance.next() * (lastNodePort - firstNodePort));
    if (usedPorts.has(port) || newPorts.includes(port)) continue;
    newPorts.push(port);
    return port;
  }
}
