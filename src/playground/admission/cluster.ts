import type { World } from '../store/world.ts';
import type { Resource } from '../registry/registry.ts';
import { forbidden, type ResourceName } from '../kit/status.ts';
import { at, type Obj, rec, recs, same, str, strings } from '../kit/values.ts';
import { fillLimits } from './limits.ts';

const pods: ResourceName = { group: '', plural: 'pods' };
const classes = 'scheduling.k8s.io/priorityclasses';
const runtimes = 'node.k8s.io/runtimeclasses';

/**
 * Sets a pod's priority from its priority class, or from the default class. In place. Throws 403 for an unknown
 * class.
 */
function prioritize({ store }: World, pod: Obj): void {
  const spec = rec(pod['spec']);
  const podName = pod.metadata.name ?? '';
  const name = str(spec['priorityClassName']);
  const found =
    name === '' ? store.list(classes).find((one) => one['globalDefault'] === true) : store.get(classes, name);
  if (found === undefined && name !== '') {
    throw forbidden(pods, podName, `no PriorityClass with name ${name} was found`);
  }
  const priority = Number(found?.['value'] ?? 0);
  const policy = str(found?.['preemptionPolicy'] ?? 'PreemptLowerPriority');
  const why = (fieldText: string, given: unknown, computed: unknown) =>
    `the ${fieldText} (${str(given)}) must not be provided in pod spec; priority admission controller computed ${str(computed)} from the given PriorityClass name`;
  const { priority: requestedPriority, preemptionPolicy } = spec;
  if (requestedPriority !== undefined && requestedPriority !== priority)
    throw forbidden(pods, podName, why('integer value of priority', requestedPriority, priority));
  if (preemptionPolicy !== undefined && preemptionPolicy !== policy) {
    throw forbidden(pods, podName, why('string value of PreemptionPolicy', preemptionPolicy, policy));
  }
  if (found !== undefined) spec['priorityClassName'] = found.metadata.name;
  spec['priority'] = priority;
  spec['preemptionPolicy'] = policy;
}

/**
 * Sets a pod's overhead and scheduling constraints from its runtime class. In place. Throws 403 for an unknown
 * class.
 */
function useRuntime({ store }: World, pod: Obj): void {
  const spec = rec(pod['spec']);
  const podName = pod.metadata.name ?? '';
  const name = str(spec['runtimeClassName']);
  const refuse = (why: string) => forbidden(pods, podName, `pod rejected: ${why}`);
  if (name === '') {
    if (spec['overhead'] === undefined) return;
    throw refuse('Pod Overhead set without corresponding RuntimeClass defined Overhead');
  }
  const found = store.get(runtimes, name);
  if (found === undefined) throw refuse(`RuntimeClass ${JSON.stringify(name)} not found`);
  const overhead = at(found, 'overhead', 'podFixed');
  if (overhead === undefined && spec['overhead'] !== undefined) {
    throw refuse('Pod Overhead set without corresponding RuntimeClass defined Overhead');
  }
  if (overhead !== undefined) {
    if (spec['overhead'] !== undefined && !same(spec['overhead'], overhead)) {
      throw refuse("Pod's Overhead doesn't match RuntimeClass's defined Overhead");
    }
    spec['overhead'] = structuredClone(overhead);
  }
  const wanted = strings(at(found, 'scheduling', 'nodeSelector'));
  const selector = strings(spec['nodeSelector']);
  for (const [key, value] of Object.entries(wanted)) {
    if (selector[key] === undefined || selector[key] === value) continue;
    throw forbidden(
      pods,
      podName,
      `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${selector[key] ?? ''}`,
    );
  }
  if (Object.keys(wanted).length > 0) spec['nodeSelector'] = { ...selector, ...wanted };
  const tolerations = recs(at(found, 'scheduling', 'tolerations'));
  const given = recs(spec['tolerations']);
  const missing = tolerations.filter((one) => !given.some((other) => same(one, other)));
  if (missing.length > 0) spec['tolerations'] = [...given, ...structuredClone(missing)];
}

/** Name of the object of a storage that an annotation marks as the default; the newest if there are several. */
function defaultOf({ store }: World, storage: string, annotation: string): string | undefined {
  return store
    .list(storage)
    .filter((one) => one.metadata.annotations?.[annotation] === 'true')
    .sort((a, b) => (str(a.metadata.creationTimestamp) < str(b.metadata.creationTimestamp) ? 1 : -1))[0]
    ?.metadata.name;
}

/** Sets the default class in an object that names none. In place. */
const classify =
  (field: string, storage: string, annotation: string, old: string) =>
  (world: World, object: Obj): void => {
    const spec = rec(object['spec']);
    if (spec[field] !== undefined || object.metadata.annotations?.[old] !== undefined) return;
    const name = defaultOf(world, storage, annotation);
    if (name !== undefined) spec[field] = name;
  };

const byStorage: Readonly<Record<string, (world: World, object: Obj) => void>> = {
  '/pods': (world, pod) => {
    useRuntime(world, pod);
    prioritize(world, pod);
  },
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

/**
 * Sets the fields of a new object that depend on others in the cluster: limits, priorities, default classes. In
 * place. Throws 403.
 */
export function admitToCluster(world: World, resource: Resource, object: Obj): void {
  fillLimits(world, resource, object);
  byStorage[resource.storage]?.(world, object);
}
