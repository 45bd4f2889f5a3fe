import type { World } from '../objects.ts';
import type { Resource } from '../registry.ts';
import { forbidden, type Named } from '../status.ts';
import { type Obj, rec, str } from '../values.ts';

const pods: Named = { group: '', plural: 'pods' };
const classes = 'scheduling.k8s.io/priorityclasses';

/** Gives a pod the priority of its class, or of the default one. In place. Throws 403 for an unknown class. */
function prioritize({ store }: World, pod: Obj): void {
  const spec = rec(pod['spec']);
  const name = str(spec['priorityClassName']);
  const found =
    name === '' ? store.list(classes).find((one) => one['globalDefault'] === true) : store.get(classes, name);
  if (found === undefined) {
    if (name === '') return;
    throw forbidden(pods, pod.metadata.name ?? '', `no PriorityClass with name ${name} was found`);
  }
  spec['priorityClassName'] = found.metadata.name;
  spec['priority'] = found['value'] ?? 0;
  spec['preemptionPolicy'] = found['preemptionPolicy'] ?? 'PreemptLowerPriority';
}

/** The object of a storage that an annotation makes the default; the newest of several. */
function defaultOf({ store }: World, storage: string, annotation: string): string | undefined {
  return store
    .list(storage)
    .filter((one) => one.metadata.annotations?.[annotation] === 'true')
    .sort((a, b) => (str(a.metadata.creationTimestamp) < str(b.metadata.creationTimestamp) ? 1 : -1))[0]
    ?.metadata.name;
}

/** Names the default class in an object that names none. In place. */
const classify =
  (field: string, storage: string, annotation: string, old: string) =>
  (world: World, object: Obj): void => {
    const spec = rec(object['spec']);
    if (spec[field] !== undefined || object.metadata.annotations?.[old] !== undefined) return;
    const name = defaultOf(world, storage, annotation);
    if (name !== undefined) spec[field] = name;
  };

const byStorage: Readonly<Record<string, (world: World, object: Obj) => void>> = {
  '/pods': prioritize,
  '/persistentvolumeclaims': classify(
    'storageClassName',
    'storage.k8s.io/storageclasses',
    'storageclass.kubernetes.io/is-default-class',
    'volume.beta.kubernetes.io/storage-class',
  ),
  'networking.k8s.io/ingresses': classify(
    'ingressClassName',
    'networking.k8s.io/ingressclasses',
    'ingressclass.kubernetes.io/is-default-class',
    'kubernetes.io/ingress.class',
  ),
};

/** What a new object gets from others in the cluster: priorities and default classes. In place. Throws 403. */
export function admitToCluster(world: World, { storage }: Resource, object: Obj): void {
  byStorage[storage]?.(world, object);
}
