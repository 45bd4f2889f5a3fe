import { at, type Obj, type Rec, rec, str } from '../values.ts';
import { type Controller, controllerOf, type Life } from './engine.ts';
import {
  create,
  isActive,
  isReady,
  lastRefusal,
  ownedBy,
  putStatus,
  readySince,
  remove,
  report,
} from './write.ts';

const storage = 'apps/replicasets';

/** Keeps as many pods as a ReplicaSet wants. */
export const replicaSetController: Controller = {
  name: 'replicaset-controller',
  interested: ({ storage: place, key, before, after }) => {
    if (place === storage) return [key];
    if (place !== '/pods') return [];
    const owner = controllerOf(after ?? before);
    const namespace = (after ?? before)?.metadata.namespace ?? '';
    return owner?.kind === 'ReplicaSet' ? [`${namespace}/${owner.name}`] : [];
  },
  reconcile: (key, life) => {
    const set = life.world.store.get(storage, key);
    if (set === undefined) return;
    if (set.metadata.deletionTimestamp === undefined) manage(set, key, life);
    summarise(set, key, life);
  },
};

function manage(set: Obj, key: string, life: Life): void {
  const { world } = life;
  const pods = life.children.of(set.metadata.uid, '/pods').filter(isActive);
  const wanted = Number(at(set, 'spec', 'replicas') ?? 1);
  const component = replicaSetController.name;
  for (let missing = wanted - pods.length; missing > 0; missing--) {
    const pod = createPod(life, set, {});
    if (pod === undefined) {
      const message = `Error creating: ${lastRefusal(world)}`;
      report(world, set, { type: 'Warning', reason: 'FailedCreate', message, component });
      life.look(replicaSetController, key, 15_000);
      return;
    }
    const message = `Created pod: ${pod.metadata.name}`;
    report(world, set, { type: 'Normal', reason: 'SuccessfulCreate', message, component });
  }
  const doomed = [...pods].sort(firstToGo).slice(0, Math.max(0, pods.length - wanted));
  for (const pod of doomed) {
    remove(world, '/pods', pod);
    const message = `Deleted pod: ${pod.metadata.name}`;
    report(world, set, { type: 'Normal', reason: 'SuccessfulDelete', message, component });
  }
}

/** Makes a pod from an owner's template. */
export function createPod(
  life: Life,
  owner: Obj,
  extra: { name?: string; labels?: Record<string, string>; spec?: Rec; annotations?: Record<string, string> },
): Obj | undefined {
  const { namespace = '', name = '' } = owner.metadata;
  const template = rec(at(owner, 'spec', 'template'));
  const metadata = rec(template['metadata']);
  const annotations = { ...rec(metadata['annotations']), ...extra.annotations };
  return create(life.world, '/pods', namespace, {
    metadata: {
      ...(extra.name === undefined ? { generateName: `${name}-` } : { name: extra.name }),
      labels: { ...rec(metadata['labels']), ...extra.labels },
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      ownerReferences: [ownedBy(owner)],
    },
    spec: structuredClone({ ...rec(template['spec']), ...extra.spec }),
  });
}

/** The order in which surplus pods go: not placed, not running, not ready, youngest. */
function firstToGo(a: Obj, b: Obj): number {
  const rank = (pod: Obj) => {
    if (str(at(pod, 'spec', 'nodeName')) === '') return 0;
    if (at(pod, 'status', 'phase') !== 'Running') return 1;
    return isReady(pod) ? 3 : 2;
  };
  const born = (pod: Obj) => pod.metadata.creationTimestamp ?? '';
  return rank(a) - rank(b) || (born(a) < born(b) ? 1 : born(a) > born(b) ? -1 : 0);
}

function summarise(set: Obj, key: string, life: Life): void {
  const { world } = life;
  const pods = life.children.of(set.metadata.uid, '/pods');
  const active = pods.filter(isActive);
  const now = world.clock.now();
  const wait = Number(at(set, 'spec', 'minReadySeconds') ?? 0) * 1000;
  const ready = active.filter(isReady);
  const available = ready.filter((pod) => now - (readySince(pod) ?? now) >= wait);
  if (ready.length > available.length) life.look(replicaSetController, key, Math.max(500, wait / 2));
  const terminating = pods.filter((pod) => pod.metadata.deletionTimestamp !== undefined).length;
  putStatus(world, storage, set, {
    replicas: active.length,
    ...(active.length === 0 ? {} : { fullyLabeledReplicas: active.length }),
    ...(ready.length === 0 ? {} : { readyReplicas: ready.length }),
    ...(available.length === 0 ? {} : { availableReplicas: available.length }),
    terminatingReplicas: terminating,
    observedGeneration: set.metadata.generation ?? 1,
  });
}
