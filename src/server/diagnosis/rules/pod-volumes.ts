import type { Pod } from '../../../kube/core.ts';
import type { Node } from '../../../kube/infrastructure.ts';
import { formatSelector } from '../../../kube/format-selector.ts';
import { type LabelSelector, matchesSelector } from '../../../kube/selector.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../kube/storage.ts';
import { oneOf, type World } from '../world.ts';

/** A claim of a pod with the volume that it has got. */
export interface ClaimedVolume {
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume;
}

/** The names of the claims that a pod mounts. */
export const claimNames = ({ spec }: Pod): readonly string[] =>
  (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim: claim }) => claim?.claimName ?? []);

/** The volumes of a pod's claims, as far as they are known. */
export function volumesOf(pod: Pod, world: World): readonly ClaimedVolume[] {
  return claimNames(pod).flatMap((name) => {
    const claim = oneOf(world, 'PersistentVolumeClaim', name, pod.metadata?.namespace);
    const volumeName = claim?.spec?.volumeName ?? '';
    const volume = volumeName === '' ? undefined : oneOf(world, 'PersistentVolume', volumeName);
    return claim && volume ? [{ claim, volume }] : [];
  });
}

/** One alternative of what nodes have to be like. */
export interface NodeTerm {
  readonly matchExpressions?: LabelSelector['matchExpressions'];
  readonly matchFields?: LabelSelector['matchExpressions'];
}

/** Whether a node is as one of these terms says. */
export function isWithin(terms: readonly NodeTerm[], { metadata }: Node): boolean {
  const names = { 'metadata.name': metadata?.name ?? '' };
  return terms.some(
    ({ matchExpressions = [], matchFields = [] }) =>
      matchesSelector({ matchExpressions }, metadata?.labels) &&
      matchesSelector({ matchExpressions: matchFields }, names),
  );
}

const termsOf = ({ spec }: PersistentVolume): readonly NodeTerm[] | undefined =>
  (spec?.['nodeAffinity'] as { required?: { nodeSelectorTerms?: NodeTerm[] } } | undefined)?.required
    ?.nodeSelectorTerms;

/** Whether all volumes can be used on a node. */
export const isReached = (volumes: readonly PersistentVolume[], node: Node): boolean =>
  volumes.every((volume) => {
    const terms = termsOf(volume);
    return terms === undefined || isWithin(terms, node);
  });

/** Where a volume can be used, in words; undefined for one without limits. */
export const nodesOf = (volume: PersistentVolume): string | undefined =>
  termsOf(volume)
    ?.map(({ matchExpressions = [], matchFields = [] }) =>
      formatSelector({ matchExpressions: [...matchExpressions, ...matchFields] }),
    )
    .join(' or ');
