import type { World } from '../store/world.ts';
import { keyOf } from '../store/store.ts';
import { at, type Obj, type Rec, rec, recs, str } from '../kit/values.ts';

const kinds = { Secret: '/secrets', ConfigMap: '/configmaps' } as const;
type Kind = keyof typeof kinds;

/**
 * The kubelet's message about a missing ConfigMap or Secret, or a missing key in it; undefined when the reference
 * resolves.
 */
function missingProblem(world: World, namespace: string, kind: Kind, reference: unknown): string | undefined {
  if (reference === undefined || at(reference, 'optional') === true) return undefined;
  const name = str(at(reference, 'name'));
  const object = world.store.get(kinds[kind], keyOf(namespace, name));
  if (object === undefined) return `${kind.toLowerCase()} "${name}" not found`;
  const key = str(at(reference, 'key'));
  const hasKey = key === '' || key in rec(object['data']) || key in rec(object['binaryData']);
  return hasKey ? undefined : `couldn't find key ${key} in ${kind} ${namespace}/${name}`;
}

/** The error in a container's environment; undefined when it resolves. */
export function environmentProblem(world: World, pod: Obj, container: Rec): string | undefined {
  const { namespace = '' } = pod.metadata;
  const sources = recs(container['envFrom']).flatMap((source) => [
    missingProblem(world, namespace, 'ConfigMap', source['configMapRef']),
    missingProblem(world, namespace, 'Secret', source['secretRef']),
  ]);
  const values = recs(container['env']).flatMap((entry) => [
    missingProblem(world, namespace, 'ConfigMap', at(entry, 'valueFrom', 'configMapKeyRef')),
    missingProblem(world, namespace, 'Secret', at(entry, 'valueFrom', 'secretKeyRef')),
  ]);
  return [...sources, ...values].find((problem) => problem !== undefined);
}

/** The kubelet's error about a pod's volumes (FailedMount); undefined when all can be mounted. */
export function mountProblem(world: World, pod: Obj): string | undefined {
  const { namespace = '' } = pod.metadata;
  for (const volume of recs(at(pod, 'spec', 'volumes'))) {
    const secret = volume['secret'];
    const problem =
      missingProblem(world, namespace, 'ConfigMap', volume['configMap']) ??
      missingProblem(
        world,
        namespace,
        'Secret',
        secret === undefined ? undefined : { ...rec(secret), name: at(secret, 'secretName') },
      );
    if (problem !== undefined) {
      return `MountVolume.SetUp failed for volume "${str(volume['name'])}" : ${problem}`;
    }
  }
  return undefined;
}
