import {
  collectionPath,
  type KubeChange,
  type ObjectAddress,
  objectPath,
  patchTypes,
} from '../../kube/change.ts';
import { defaultIngressClassAnnotation } from '../../kube/networking.ts';
import { defaultStorageClassAnnotation } from '../../kube/storage.ts';
import { readAll } from '../objects/read.ts';
import type { Procedure } from './procedure.ts';

/** The annotation that makes a class the default, by the plural of its kind. */
const annotations: Readonly<Record<string, string>> = {
  ingressclasses: defaultIngressClassAnnotation,
  storageclasses: defaultStorageClassAnnotation,
};

/** Classes that a cluster may have before this console looks no further. */
const maxClasses = 2_000;

/**
 * Takes the default from the classes that have it, then gives it to one: with two, the cluster refuses objects without a
 * class (ingresses) or chooses by age (claims).
 */
export const makeDefault: Procedure = async ({ transport, kind, address }) => {
  const annotation = annotations[kind.plural] ?? '';
  const set = (name: string, value: 'true' | 'false'): KubeChange => ({
    method: 'PATCH',
    path: objectPath({ ...address, name } satisfies ObjectAddress),
    contentType: patchTypes.merge,
    body: { metadata: { annotations: { [annotation]: value } } },
  });
  const classes = await readAll(transport, {
    path: collectionPath(address),
    what: kind.plural,
    limit: maxClasses,
    tooMany: `The cluster has more than ${maxClasses.toLocaleString('en')} ${kind.plural}; this console does not search more of them for the current default.`,
  });
  const others = classes.flatMap(({ metadata }) =>
    metadata?.annotations?.[annotation] === 'true' &&
    metadata.name !== undefined &&
    metadata.name !== address.name
      ? [metadata.name]
      : [],
  );
  return [...others.map((name) => set(name, 'false')), set(address.name, 'true')];
};
