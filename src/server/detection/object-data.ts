import type { Ref } from '../../contract/objects.ts';
import { objectParams } from '../../registry/commands/kind-commands.ts';
import { fillPath } from '../../registry/path.ts';
import type { ClusterLive } from '../live/cluster/cluster.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import { type HappeningData, storableData } from '../webhooks/bodies.ts';

/** The cluster of an object, and its kinds. */
export interface ObjectPlace {
  readonly cluster: Pick<ClusterRow, 'id' | 'name'>;
  readonly live: Pick<ClusterLive, 'kind'>;
}

/**
 * The names of an object, its state and its page, as they are told.
 * @param state in our own words
 * @param since epoch seconds, where it is known
 */
export function objectData(
  place: ObjectPlace,
  ref: Ref,
  { state, since = null }: { readonly state: string; readonly since?: number | null },
): HappeningData {
  const { id, name: clusterName } = place.cluster;
  const { kind, namespace, name } = ref;
  return storableData({
    // Sentences of the dashboard end with a full stop, titles do not.
    title: `${[namespace, name].filter(Boolean).join('/')}: ${state.replace(/\.$/, '')}`,
    cluster: { id, name: clusterName },
    object: { kind, ...(namespace === undefined ? {} : { namespace }), name },
    state,
    ...(since === null ? {} : { since: new Date(since * 1000).toISOString() }),
    path: pathOf(place, ref),
  });
}

/** The page of an object; that of the cluster where there is none. */
function pathOf({ cluster, live }: ObjectPlace, ref: Ref): string {
  const path = live.kind(ref.kind)?.paths.detail?.[0];
  if (path === undefined) return `/clusters/${cluster.id}`;
  const address = {
    cluster: String(cluster.id),
    kind: ref.kind,
    ...(ref.namespace === undefined ? {} : { namespace: ref.namespace }),
    name: ref.name,
  };
  return fillPath(path, objectParams(path, address));
}
