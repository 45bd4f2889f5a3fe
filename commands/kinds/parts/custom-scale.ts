import { objectPath, patchTypes } from '../../../src/kube/change.ts';
import { shellWord } from '../../../src/kube/kubectl.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { kindAction, lowers } from '../../../src/registry/kinds/kind-action.ts';

/**
 * Sets the replica count of a custom resource with a scale subresource. Needs the fact `replicas`, read from the path
 * in the definition.
 */
export const customScale = kindAction<
  KubeObject,
  { replicas: { type: 'number'; label: string; min: number; max: number; from: string } }
>({
  id: 'custom.scale',
  title: 'Scale…',
  description: 'Sets how many it should run, by the scale of its definition.',
  done: 'scaled',
  icon: 'scale',
  keys: 'shift+s',
  prominent: true,
  // Scaling to 0 removes what it runs.
  dangerousWith: { replicas: 0 },
  endsPods: ({ replicas }, facts) => lowers(replicas, facts['replicas']),
  args: { replicas: { type: 'number', label: 'Replicas', min: 0, max: 1000, from: 'replicas' } },
  requests: (_object, { replicas }, { address }) => [
    {
      method: 'PATCH',
      path: objectPath(address, 'scale'),
      contentType: patchTypes.merge,
      body: { spec: { replicas } },
    },
  ],
  kubectl: ({ group, plural, namespace, name }, { replicas }) =>
    `kubectl scale ${shellWord(`${plural}.${group}/${name}`)}${namespace === undefined ? '' : ` -n ${shellWord(namespace)}`} --replicas=${replicas}`,
});
