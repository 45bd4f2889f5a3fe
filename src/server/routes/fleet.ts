import type { fleetEndpoints } from '../../contract/fleet.ts';
import type { Handlers } from '../http/handlers.ts';
import type { RouteParts } from './parts.ts';

/** How all clusters do that somebody reaches, by their current grants. */
export function fleetHandlers({
  grants,
  fleet,
}: Pick<RouteParts, 'grants' | 'fleet'>): Handlers<typeof fleetEndpoints> {
  return {
    fleet: async (_request, { person }) => ({ clusters: [...(await fleet.of(await grants.reach(person)))] }),
  };
}
