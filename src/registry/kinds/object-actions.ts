import { pausedReplicasAnnotation } from '../../kube/autoscaling.ts';
import { type ObjectAddress, objectPath, patchTypes } from '../../kube/change.ts';
import { kubectlObject, shellWord } from '../../kube/kubectl.ts';
import type { KubeObject } from '../../kube/object.ts';
import { type KindAction, kindAction } from './kind-action.ts';

type Entries = Readonly<Record<string, string | null>>;

/** `a=b c-`: kubectl's syntax for setting and removing labels and annotations. */
const kubectlArguments = (entries: Entries) =>
  Object.entries(entries).map(([key, value]) => shellWord(value === null ? `${key}-` : `${key}=${value}`));

const metadataPatch = (address: ObjectAddress, part: 'labels' | 'annotations', entries: Entries) => ({
  method: 'PATCH' as const,
  path: objectPath(address),
  contentType: patchTypes.merge,
  body: { metadata: { [part]: entries } },
});

/**
 * The request that deletes an object.
 * @param options `DeleteOptions`, besides the precondition on the uid
 */
export const deletion = (
  { metadata }: KubeObject,
  address: ObjectAddress,
  options: { readonly propagationPolicy?: string; readonly gracePeriodSeconds?: number },
) => ({
  method: 'DELETE' as const,
  path: objectPath(address),
  body: {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    ...options,
    // The uid prevents deleting another object that was created meanwhile with the same name.
    ...(metadata?.uid === undefined ? {} : { preconditions: { uid: metadata.uid } }),
  },
});

const remove = kindAction<
  KubeObject,
  {
    propagation: {
      type: 'choice';
      label: string;
      options: readonly { value: string; label: string; help: string }[];
      default: string;
      ofOwners: true;
    };
  }
>({
  id: 'object.delete',
  title: 'Delete…',
  description: 'This cannot be undone.',
  done: 'deleted',
  icon: 'delete',
  keywords: ['remove', 'rm', 'kill', 'destroy'],
  keys: 'shift+d',
  dangerous: true,
  endsPods: true,
  deletes: true,
  args: {
    propagation: {
      type: 'choice',
      label: 'Dependents',
      options: [
        {
          value: 'Background',
          label: 'Delete after it',
          help: 'The object is deleted at once, then everything that it owns.',
        },
        {
          value: 'Foreground',
          label: 'Delete before it',
          help: 'The object is deleted after everything that it owns.',
        },
        { value: 'Orphan', label: 'Keep', help: 'Everything that it owns stays, without an owner.' },
      ],
      default: 'Background',
      ofOwners: true,
    },
  },
  requests: (object, { propagation }, { address }) => [
    deletion(object, address, { propagationPolicy: propagation }),
  ],
  kubectl: (address, { propagation }) =>
    // Background is kubectl's own default.
    propagation === 'Background'
      ? `kubectl delete ${kubectlObject(address)}`
      : `kubectl delete ${kubectlObject(address)} --cascade=${propagation.toLowerCase()}`,
});

const labels = kindAction<KubeObject, { labels: { type: 'map'; label: string; of: 'labels' } }>({
  id: 'object.labels',
  title: 'Label…',
  description: 'Sets and removes labels.',
  done: 'labelled',
  icon: 'label',
  endsPods: false,
  args: { labels: { type: 'map', label: 'Labels', of: 'labels' } },
  requests: (_object, args, { address }) => [metadataPatch(address, 'labels', args.labels)],
  kubectl: (address, args) =>
    ['kubectl label --overwrite', kubectlObject(address), ...kubectlArguments(args.labels)].join(' '),
});

const annotations = kindAction<
  KubeObject,
  { annotations: { type: 'map'; label: string; of: 'annotations' } }
>({
  id: 'object.annotations',
  title: 'Annotate…',
  description: 'Sets and removes annotations.',
  done: 'annotated',
  icon: 'annotation',
  // An autoscaler that is paused at a number scales to it.
  endsPods: ({ annotations: entries }) => typeof entries[pausedReplicasAnnotation] === 'string',
  args: { annotations: { type: 'map', label: 'Annotations', of: 'annotations' } },
  requests: (_object, args, { address }) => [metadataPatch(address, 'annotations', args.annotations)],
  kubectl: (address, args) =>
    ['kubectl annotate --overwrite', kubectlObject(address), ...kubectlArguments(args.annotations)].join(' '),
});

/** Actions on objects of every kind, including kinds without a file. They need the kind's manage permission. */
export const objectActions: readonly KindAction[] = [labels, annotations, remove];
