import { type ReplicaSet, revisionAnnotation } from '../../src/kube/apps.ts';
import { refusedPods, replicaSetHealth } from '../../src/kube/workload-status.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';
import { podSpecUses } from './parts/pod-spec.ts';
import { blockedBy } from './parts/warnings.ts';
import { imagesColumn, ownerColumn, readyColumn, workloadFields, workloadStatus } from './parts/workload.ts';

const statusLabels = {
  progressing: { tone: 'info', label: 'Scaling' },
  stuck: { tone: 'bad', label: 'Cannot create pods' },
  empty: { tone: 'idle', label: 'Old revision' },
} as const;

export const replicaset = defineKind<ReplicaSet>({
  id: 'replicaset',
  kind: 'ReplicaSet',
  group: 'apps',
  version: 'v1',
  plural: 'replicasets',
  scope: 'Namespaced',
  aliases: ['rs', 'replicasets'],
  title: 'ReplicaSets',
  icon: 'replicaset',
  permissions: { view: 'deployments.view', manage: 'deployments.manage' },
  sidebar: { section: 'More', order: 30 },
  status: (object) => workloadStatus(replicaSetHealth(object), statusLabels),
  attention: (object) => blockedBy('replicaset', refusedPods(object)),
  rules: ['replicaset.blocked'],
  columns: [
    'namespace',
    'name',
    readyColumn(replicaSetHealth),
    'status',
    {
      id: 'revision',
      label: 'Revision',
      format: 'number',
      dropAt: 3,
      value: (object) => Number(object.metadata?.annotations?.[revisionAnnotation] ?? Number.NaN) || null,
    },
    { ...ownerColumn, dropAt: 4 },
    imagesColumn,
    'labels',
    'age',
  ],
  facts: (object) => ({ replicas: object.spec?.replicas ?? 1 }),
  refs: (object) => podSpecUses(object.spec?.template?.spec, object.metadata?.namespace),
  owns: ['pod'],
  logs: 'pods',
  pods: (object) => object.spec?.selector,
  podNames: ['chance'],
  sections: [
    {
      title: 'Spec',
      fields: [
        ...workloadFields,
        {
          label: 'Revision',
          format: 'text',
          value: (object) => object.metadata?.annotations?.[revisionAnnotation] ?? null,
        },
      ],
    },
    'conditions',
    'containers',
    'pods',
    'related',
    'metadata',
    'events',
    'yaml',
  ],
});
