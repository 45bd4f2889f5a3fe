import { type usageEndpoints, usageSamples } from '../../contract/usage.ts';
import { requireHeld } from '../access/grants.ts';
import { viewPlace } from '../access/place.ts';
import type { Handlers } from '../http/handlers.ts';
import { placeOf } from '../live/projector.ts';
import type { Services } from '../http/services.ts';

/** Usage samples of the server; reading them sends no request to the cluster. */
export function usageHandlers({
  hub,
  grants,
}: Pick<Services, 'hub' | 'grants'>): Handlers<typeof usageEndpoints> {
  return {
    async usageOf({ body }, { cluster, kind, person }) {
      const reach = await grants.access(person, cluster.id);
      for (const one of body.objects) requireHeld(reach, kind.permissions.view, viewPlace(kind, one));
      const metrics = hub.live(cluster).metrics(kind);
      const { status, message } = metrics.state;
      const histories = body.objects.map(({ namespace, name }) => metrics.recent(placeOf(namespace, name)));
      return {
        status,
        message,
        times: histories[0]?.times.slice(-usageSamples) ?? [],
        objects: histories.map((history) => ({
          cpu: history.cpu.slice(-usageSamples),
          memory: history.memory.slice(-usageSamples),
        })),
      };
    },
    clusterUsage(_call, { cluster }) {
      const live = hub.live(cluster);
      const node = live.kind('node');
      const metrics = node === undefined ? undefined : live.metrics(node);
      const { times = [], cpu = [], memory = [] } = metrics?.total() ?? {};
      return {
        message: metrics?.state.message ?? null,
        times: [...times],
        cpu: [...cpu],
        memory: [...memory],
      };
    },
  };
}
