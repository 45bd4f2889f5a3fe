import { type usageEndpoints, usageSamples } from '../../contract/usage.ts';
import type { Handlers } from '../http/handlers.ts';
import { placeOf } from '../live/projector.ts';
import type { Services } from '../http/services.ts';

/** Usage samples of the server; reading them sends no request to the cluster. */
export function usageHandlers({ hub }: Pick<Services, 'hub'>): Handlers<typeof usageEndpoints> {
  return {
    usageOf({ body }, { cluster, kind }) {
      const metrics = hub.live(cluster).metrics(kind);
      const { status, message } = metrics.state;
      const histories = body.objects.map(
        ({ namespace, name }) => metrics.value(placeOf(namespace, name)).usage?.history,
      );
      return {
        status,
        message,
        times: histories[0]?.times.slice(-usageSamples) ?? [],
        objects: histories.map((history) => ({
          cpu: history?.cpu.slice(-usageSamples) ?? [],
          memory: history?.memory.slice(-usageSamples) ?? [],
        })),
      };
    },
  };
}
