import type { World } from '../objects.ts';
import type { Resource } from '../registry.ts';
import { type Cause, cause } from '../status.ts';
import { at, type Obj, rec, recs, str } from '../values.ts';

/** Addresses and ports given to services, per store. */
interface Allocations {
  readonly addresses: Set<string>;
  readonly ports: Set<number>;
}
const allocations = new WeakMap<object, Allocations>();

function of(world: World): Allocations {
  let found = allocations.get(world.store);
  if (found === undefined) {
    found = { addresses: new Set(['10.96.0.1']), ports: new Set() };
    allocations.set(world.store, found);
  }
  return found;
}

const first = 30000;
const last = 32767;

/** Gives a service its cluster address and node ports, in place. Returns why it cannot. */
export function allocate(world: World, resource: Resource, object: Obj): Cause[] {
  if (resource.storage !== '/services') return [];
  const spec = rec(object['spec']);
  const type = spec['type'];
  if (type === 'ExternalName') return [];
  const { addresses, ports } = of(world);
  const causes: Cause[] = [];
  const taken: number[] = [];
  if (type === 'NodePort' || type === 'LoadBalancer') {
    for (const [index, port] of recs(spec['ports']).entries()) {
      const wanted = port['nodePort'];
      const field = `spec.ports[${index}].nodePort`;
      if (typeof wanted !== 'number') continue;
      if (wanted < first || wanted > last) {
        const range = `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
        causes.push(cause.invalid(field, wanted, range));
      } else if (ports.has(wanted))
        causes.push(cause.invalid(field, wanted, 'provided port is already allocated'));
      else taken.push(wanted);
    }
    if (causes.length > 0) return causes;
    for (const port of taken) ports.add(port);
    for (const port of recs(spec['ports'])) port['nodePort'] ??= freePort(world, ports);
  }
  spec['clusterIP'] ??= freeAddress(world, addresses);
  addresses.add(str(spec['clusterIP']));
  spec['clusterIPs'] ??= [spec['clusterIP']];
  spec['ipFamilies'] ??= ['IPv4'];
  spec['ipFamilyPolicy'] ??= 'SingleStack';
  return [];
}

/** Takes a removed service's address and ports back. */
export function release(world: World, resource: Resource, object: Obj): void {
  if (resource.storage !== '/services') return;
  const { addresses, ports } = of(world);
  addresses.delete(str(at(object, 'spec', 'clusterIP')));
  for (const port of recs(at(object, 'spec', 'ports'))) ports.delete(Number(port['nodePort']));
}

function freeAddress(world: World, taken: ReadonlySet<string>): string {
  for (;;) {
    const number = 2 + Math.floor(world.chance.next() * 65_000);
    const address = `10.96.${number >> 8}.${number & 255}`;
    if (!taken.has(address)) return address;
  }
}

function freePort(world: World, taken: Set<number>): number {
  for (;;) {
    const port = first + Math.floor(world.chance.next() * (last - first));
    if (taken.has(port)) continue;
    taken.add(port);
    return port;
  }
}
