import { isDeepStrictEqual } from 'node:util';
import { Problem } from '../../contract/problem.ts';
import type { ControllerRevision, PodTemplate } from '../../kube/apps.ts';
import { type KubeChange, objectPath, patchTypes } from '../../kube/change.ts';
import { shaped } from '../objects/read.ts';
import type { Procedure } from './procedure.ts';
import { readRevisions, type StoredRevision, type Workload } from './revisions.ts';

/**
 * Annotations of a Deployment that a roll-back leaves as they are; the others come from the ReplicaSet.
 * Source: kubectl pkg/polymorphichelpers/rollback.go, annotationsToSkip.
 */
const preservedAnnotations: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deployment.kubernetes.io/revision',
  'deployment.kubernetes.io/revision-history',
  'deployment.kubernetes.io/desired-replicas',
  'deployment.kubernetes.io/max-replicas',
  'deprecated.deployment.rollback.to',
]);

type Annotations = Readonly<Record<string, string>>;

const pick = (annotations: Annotations | undefined, isWanted: (key: string) => boolean) =>
  Object.entries(annotations ?? {}).filter(([key]) => isWanted(key));

/** The patch that `kubectl rollout undo` sends for a Deployment, bound to the version that was read. */
function deploymentChange(path: string, workload: Workload, revision: StoredRevision): KubeChange {
  const { metadata } = workload;
  const annotations = Object.fromEntries([
    ...pick(metadata?.annotations, (key) => preservedAnnotations.has(key)),
    ...pick(revision.keeper.metadata?.annotations, (key) => !preservedAnnotations.has(key)),
  ]);
  return {
    method: 'PATCH',
    path,
    contentType: patchTypes.json,
    body: [
      { op: 'replace', path: '/metadata/resourceVersion', value: metadata?.resourceVersion },
      { op: 'replace', path: '/spec/template', value: revision.template },
      { op: 'add', path: '/metadata/annotations', value: annotations },
    ],
  };
}

/** A ControllerRevision is a patch of its workload: it is sent back as it was kept. */
function controllerChange(path: string, workload: Workload, revision: StoredRevision): KubeChange {
  const { data } = revision.keeper as ControllerRevision;
  return {
    method: 'PATCH',
    path,
    contentType: patchTypes.strategic,
    body: { ...data, metadata: { resourceVersion: workload.metadata?.resourceVersion } },
  };
}

/** Brings back the pod template of an earlier revision, as `kubectl rollout undo --to-revision` does. */
export const rollback: Procedure = async ({ transport, kind, object, address, args }) => {
  const source = kind.revisions;
  if (source === undefined) {
    throw new Problem({ status: 409, title: `${kind.title} keep no earlier revisions.` });
  }
  const workload: Workload = object;
  const wanted = Number(args['revision']);
  const revisions = await readRevisions(transport, source, workload);
  const revision = revisions.find(({ number }) => number === wanted);
  if (revision === undefined) {
    const numbers = revisions.map(({ number }) => number).join(', ');
    throw new Problem({
      status: 409,
      title: `Revision ${wanted} of ${address.name} is no longer kept.${numbers === '' ? '' : ` These are kept: ${numbers}.`}`,
    });
  }
  const { template } = revision;
  const isSame = () =>
    isDeepStrictEqual(withoutDefaults(template), withoutDefaults(workload.spec?.template ?? {}));
  if (shaped(address.name, isSame)) {
    throw new Problem({
      status: 409,
      title: `${address.name} has the pod template of revision ${wanted} already.`,
    });
  }
  const path = objectPath(address);
  return [
    source === 'ReplicaSet'
      ? deploymentChange(path, workload, revision)
      : controllerChange(path, workload, revision),
  ];
};

/** A template without what the API server writes although it says nothing. */
function withoutDefaults({ metadata, ...rest }: PodTemplate) {
  const { creationTimestamp: _created, labels = {}, annotations = {}, ...more } = metadata ?? {};
  return { ...rest, metadata: { ...more, labels, annotations } };
}
