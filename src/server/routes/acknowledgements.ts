import { acknowledgementDays, type acknowledgementEndpoints } from '../../contract/acknowledgements.ts';
import { Problem } from '../../contract/problem.ts';
import { requireHeld } from '../access/grants.ts';
import { viewPlace } from '../access/place.ts';
import type { Handlers } from '../http/handlers.ts';
import { Acknowledgements } from '../notifications/acknowledgements.ts';
import { addressOf } from '../objects/address.ts';
import type { RouteParts } from './parts.ts';

const dayMs = 86_400_000;

/** Acknowledging trouble: each person's own. */
export function acknowledgementHandlers({
  store,
  grants,
  kinds,
  clock,
}: Pick<RouteParts, 'store' | 'grants' | 'kinds' | 'clock'>): Handlers<typeof acknowledgementEndpoints> {
  const acknowledgements = new Acknowledgements({ store, grants });
  return {
    acknowledgements: (_, { person }) => acknowledgements.list(person),

    async acknowledge({ body: { object, causes, until } }, { person, cluster }) {
      const left = Date.parse(until) - clock.now();
      if (!(left > 0))
        throw new Problem({ status: 400, title: 'The end is in the past. Choose a later one.' });
      if (left > acknowledgementDays * dayMs)
        throw new Problem({
          status: 400,
          title: `A problem can be acknowledged for ${acknowledgementDays} days at most. Choose an earlier end.`,
        });
      const reach = await grants.access(person, cluster.id);
      const kind = await kinds.find(cluster, object.kind);
      requireHeld(reach, kind.permissions.view, viewPlace(kind, object));
      addressOf(kind, object);
      const named = { ...object, kind: kind.id };
      return await acknowledgements.add(person, { clusterId: cluster.id, object: named, causes, until });
    },

    async unacknowledge({ params: { acknowledgementId } }, { person }) {
      await acknowledgements.remove(person, acknowledgementId);
      return undefined;
    },
  };
}
