import { z } from 'zod';
import type { SecondCluster } from '../product.ts';

const resourceList = z.object({
  resources: z.array(z.object({ name: z.string(), verbs: z.array(z.string()) })),
});
const groupList = z.object({
  groups: z.array(z.object({ preferredVersion: z.object({ groupVersion: z.string() }) })),
});
const objectSchema = z.looseObject({
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.optional(z.string()),
    uid: z.string(),
    generation: z.optional(z.number()),
    deletionTimestamp: z.optional(z.string()),
    labels: z.optional(z.record(z.string(), z.string())),
  }),
});
const objectList = z.object({ items: z.array(objectSchema) });

/** An object as the cluster holds it. */
export type ClusterObject = z.infer<typeof objectSchema>;

/** Every object of a cluster, by its resource: `deployments.apps`, `pods.`. */
export type ClusterState = ReadonlyMap<string, readonly ClusterObject[]>;

/** Reads every object that the cluster lists, of each resource once. */
export async function readState(cluster: Pick<SecondCluster, 'call'>): Promise<ClusterState> {
  const { groups } = groupList.parse(await cluster.call('GET', '/apis'));
  const places = [
    { group: '', path: '/api/v1' },
    ...groups.map(({ preferredVersion: { groupVersion } }) => ({
      group: groupVersion.split('/')[0] ?? '',
      path: `/apis/${groupVersion}`,
    })),
  ];
  const state = new Map<string, readonly ClusterObject[]>();
  for (const { group, path } of places) {
    const { resources } = resourceList.parse(await cluster.call('GET', path));
    for (const { name, verbs } of resources) {
      if (!verbs.includes('list') || !verbs.includes('watch')) continue;
      const { items } = objectList.parse(await cluster.call('GET', `${path}/${name}`));
      state.set(`${name}.${group}`, items);
    }
  }
  return state;
}

/** The fields of an object that only a change of it changes, without those that controllers and kubelets write. */
function changeable({ metadata, ...rest }: ClusterObject): string {
  const { uid, generation, deletionTimestamp, labels, annotations, finalizers } = metadata;
  return JSON.stringify({
    uid,
    generation,
    deletionTimestamp,
    labels,
    annotations,
    finalizers,
    ...rest,
    status: undefined,
  });
}

/** The leases are renewed and events are reported by the cluster itself. */
const ownLife: readonly string[] = ['leases.coordination.k8s.io', 'events.', 'events.events.k8s.io'];

const byName = (objects: readonly ClusterObject[] = []): ReadonlyMap<string, ClusterObject> =>
  new Map(objects.map((one) => [`${one.metadata.namespace ?? ''}/${one.metadata.name}`, one]));

/** Differences between two states, a line for each object: created, deleted, being deleted, replaced or changed. */
export function differences(before: ClusterState, after: ClusterState): string[] {
  const lines: string[] = [];
  for (const resource of new Set([...before.keys(), ...after.keys()])) {
    if (ownLife.includes(resource)) continue;
    const old = byName(before.get(resource));
    const current = byName(after.get(resource));
    for (const name of new Set([...old.keys(), ...current.keys()])) {
      const was = old.get(name);
      const is = current.get(name);
      const say = (what: string): void => void lines.push(`${resource} ${name} ${what}`);
      if (was === undefined) say('was created');
      else if (is === undefined) say('was deleted');
      else if (is.metadata.uid !== was.metadata.uid) say('was replaced');
      else if (is.metadata.deletionTimestamp !== was.metadata.deletionTimestamp) say('is being deleted');
      else if (changeable(is) !== changeable(was)) say('was changed');
    }
  }
  return lines;
}
