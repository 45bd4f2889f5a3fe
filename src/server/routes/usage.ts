import { Problem } from '../../contract/problem.ts';
import { type HistorySeconds, historyRanges } from '../../contract/usage-ranges.ts';
import { type usageEndpoints, usageSamples } from '../../contract/usage.ts';
import { podNamePattern } from '../../kube/pod-names.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { type Reach, requireHeld } from '../access/grants.ts';
import { viewPlace } from '../access/place.ts';
import { noneExcluded } from '../access/sight.ts';
import type { Handlers } from '../http/handlers.ts';
import { placeOf } from '../live/source/projector.ts';
import type { Selection } from '../prometheus/queries.ts';
import type { RouteParts } from './parts.ts';

/** The range of a call: its schema takes no other. */
const secondsOf = (text: `${HistorySeconds}`): HistorySeconds =>
  historyRanges.find(({ seconds }) => String(seconds) === text)?.seconds ?? historyRanges[0].seconds;

/** What is asked of a Prometheus for an object that somebody may view. Throws Problem 400. */
function selectionOf(
  kind: Pick<AnyKind, 'usage' | 'podNames' | 'title'>,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Selection {
  if (kind.usage === 'node') return { of: 'node', name };
  const pods =
    kind.usage === 'pod'
      ? { name }
      : kind.podNames === undefined
        ? undefined
        : { pattern: podNamePattern(name, kind.podNames) };
  if (pods === undefined || namespace === '')
    throw new Problem({ status: 400, title: `There is no usage history of ${kind.title}.` });
  // Somebody looks at this very object: that its namespace is left out of their lists does not matter.
  return { of: 'pods', namespaces: new Set([namespace]), excluded: noneExcluded, pods };
}

/** Usage: samples of the server, which send no request to the cluster, and the history that a Prometheus keeps. */
export function usageHandlers({
  hub,
  grants,
  histories,
}: Pick<RouteParts, 'hub' | 'grants' | 'histories'>): Handlers<typeof usageEndpoints> {
  /** The permission to view pods, whose usage that of workloads and namespaces is. */
  const podsNeed = (cluster: Reach['cluster']) =>
    hub.live(cluster).kind('pod')?.permissions.view ?? 'pods.view';
  return {
    async objectUsageHistory({ query }, { cluster, kind, person, signal }) {
      const { namespace, name, seconds } = query;
      const selection = selectionOf(kind, { namespace, name });
      if (selection.of === 'pods') await grants.require(person, cluster.id, podsNeed(cluster), { namespace });
      return await histories.history(cluster, selection, secondsOf(seconds), signal);
    },
    async clusterUsageHistory({ query }, { cluster, person, signal }) {
      const reach = await grants.access(person, cluster.id);
      const seconds = secondsOf(query.seconds);
      const node = hub.live(cluster).kind('node');
      if (node !== undefined && reach.held.may(node.permissions.view, 'cluster'))
        return { ...(await histories.history(cluster, { of: 'nodes' }, seconds, signal)), of: 'nodes' };
      const need = podsNeed(cluster);
      requireHeld(reach, need, 'anywhere');
      const namespaces = reach.held.namespacesFor(need);
      const selection: Selection = {
        of: 'pods',
        namespaces,
        excluded: query.excluded === undefined ? reach.excluded : noneExcluded,
      };
      return { ...(await histories.history(cluster, selection, seconds, signal)), of: 'namespaces' };
    },
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
