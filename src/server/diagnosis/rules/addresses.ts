import type { Service } from '../../../kube/infrastructure.ts';
import { endpointCounts, serviceNameLabel } from '../../../kube/networking.ts';
import { allOf, type World } from '../world.ts';

/** The ready addresses and all addresses behind a service; undefined while they are not known. */
export function addressesOf(service: Service, world: World) {
  const { namespace, name = '' } = service.metadata ?? {};
  const slices = allOf(world, 'EndpointSlice', { namespace })?.filter(
    ({ metadata }) => metadata?.labels?.[serviceNameLabel] === name,
  );
  if (slices === undefined) return undefined;
  const counts = slices.map(endpointCounts);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  return { ready: sum(counts.map((one) => one.ready)), all: sum(counts.map((one) => one.all)), slices };
}
