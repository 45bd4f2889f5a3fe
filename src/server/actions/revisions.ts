import {
  changeCauseAnnotation,
  type ControllerRevision,
  type Deployment,
  imagesOf,
  type PodTemplate,
  podTemplateHashLabel,
  type ReplicaSet,
  revisionAnnotation,
} from '../../kube/apps.ts';
import { collectionPath } from '../../kube/change.ts';
import type { KubeObject } from '../../kube/object.ts';
import { formatSelector } from '../../kube/format-selector.ts';
import type { LabelSelector } from '../../kube/selector.ts';
import type { AnyKind, RevisionSource } from '../../registry/kinds/kind.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import { readAll, shaped } from '../objects/read.ts';

/** A workload as far as its revisions need it: Deployment, StatefulSet or DaemonSet. */
export interface Workload extends KubeObject {
  spec?: { selector?: LabelSelector; template?: PodTemplate };
}

/** One earlier (or the present) state of a workload's pod template. */
export interface StoredRevision {
  readonly number: number;
  /** The object that keeps it. */
  readonly keeper: KubeObject;
  /** Without what controllers add. */
  readonly template: PodTemplate;
  readonly images: readonly string[];
  readonly cause: string | undefined;
}

const resources: Readonly<Record<RevisionSource, { group: string; version: string; plural: string }>> = {
  ReplicaSet: { group: 'apps', version: 'v1', plural: 'replicasets' },
  ControllerRevision: { group: 'apps', version: 'v1', plural: 'controllerrevisions' },
};
/** `revisionHistoryLimit` is 10 by default, but the labels of one workload may be those of others too. */
const maxRevisions = 20_000;

/** The pod template that a ReplicaSet got from its Deployment. */
function templateOf({ spec }: ReplicaSet): PodTemplate {
  const { metadata = {}, ...rest } = spec?.template ?? {};
  const { [podTemplateHashLabel]: _hash, ...labels } = metadata.labels ?? {};
  return { ...rest, metadata: { ...metadata, labels } };
}

function readReplicaSet(object: ReplicaSet): StoredRevision {
  const { annotations = {} } = object.metadata ?? {};
  const template = templateOf(object);
  return {
    number: Number(annotations[revisionAnnotation] ?? Number.NaN),
    keeper: object,
    template,
    images: imagesOf(template),
    cause: annotations[changeCauseAnnotation],
  };
}

function readControllerRevision(object: ControllerRevision): StoredRevision {
  const { $patch: _patch, ...template } = object.data?.spec?.template ?? {};
  return {
    number: object.revision ?? Number.NaN,
    keeper: object,
    template,
    images: imagesOf(template),
    cause: object.metadata?.annotations?.[changeCauseAnnotation],
  };
}

/** The revisions of a workload that the cluster still keeps, newest first. Throws ClusterProblem. */
export async function readRevisions(
  transport: Transport,
  source: RevisionSource,
  workload: Workload,
): Promise<StoredRevision[]> {
  const { namespace, uid, name = 'The workload' } = workload.metadata ?? {};
  const { plural } = resources[source];
  const found = await readAll(transport, {
    path: collectionPath(resources[source], namespace),
    // The cluster cannot select by owner; what a workload owns has its labels.
    labelSelector: shaped(name, () => formatSelector(workload.spec?.selector)) || undefined,
    what: plural,
    limit: maxRevisions,
    tooMany: `More than ${maxRevisions.toLocaleString('en')} ${plural} have the labels of ${name}; this console does not search more of them for its revisions.`,
  });
  const owned = found.filter((item) =>
    item.metadata?.ownerReferences?.some((owner) => owner.uid === uid && owner.controller === true),
  );
  return shaped(name, () =>
    owned
      .map((item) => (source === 'ReplicaSet' ? readReplicaSet(item) : readControllerRevision(item)))
      .filter(({ number }) => Number.isInteger(number) && number > 0)
      .sort((a, b) => b.number - a.number),
  );
}

/** The current revision of a workload: its newest, or the one that its Deployment names. */
export function currentRevision(
  kind: Pick<AnyKind, 'revisions'>,
  workload: Workload,
  revisions: readonly StoredRevision[],
): number | undefined {
  const [newest] = revisions;
  if (kind.revisions !== 'ReplicaSet') return newest?.number;
  const named = Number((workload as Deployment).metadata?.annotations?.[revisionAnnotation] ?? Number.NaN);
  return Number.isInteger(named) ? named : newest?.number;
}

/** Number of revisions of an object besides the current one; undefined where the cluster does not say. */
export async function otherRevisions(
  transport: Transport,
  kind: AnyKind,
  object: KubeObject,
): Promise<number | undefined> {
  const { status } = object as { readonly status?: { readonly observedGeneration?: number } };
  // The newest template has no revision yet: what looks like the current one is an earlier one.
  const isSeen = status?.observedGeneration === object.metadata?.generation;
  if (kind.revisions === undefined || !isSeen) return undefined;
  try {
    const all = await readRevisions(transport, kind.revisions, object);
    const current = currentRevision(kind, object, all);
    return all.filter(({ number }) => number !== current).length;
  } catch (error) {
    if (error instanceof ClusterProblem) return undefined;
    throw error;
  }
}
