import type { KubeObject } from '../../kube/object.ts';
import { cleanText } from '../../kube/text.ts';
import { releaseAnnotations } from '../../kube/writers/packages.ts';

/**
 * Why an object on the cluster is not an object of a release, a whole sentence; undefined if its annotations name it.
 * Manifests name objects that somebody else made since, or that another release took over.
 */
export function strangerReason({ metadata }: KubeObject, release: ReleaseName): string | undefined {
  const annotations = metadata?.annotations ?? {};
  const name = annotations[releaseAnnotations.name];
  const namespace = annotations[releaseAnnotations.namespace];
  if (name === release.name && namespace === release.namespace) return undefined;
  const own = `${release.namespace}/${release.name}`;
  return name === undefined
    ? `It is on the cluster, but its annotations do not say that it belongs to the release ${own}.`
    : `It belongs to the release ${cleanText(`${namespace ?? '?'}/${name}`).slice(0, 400)} by its annotations, not to ${own}.`;
}

/** Where a release is. */
export interface ReleaseName {
  readonly namespace: string;
  readonly name: string;
}
