import { imagesOf, type ReplicaSet, revisionAnnotation } from '../../src/kube/apps.ts';
import { replicaSetHealth, type WorkloadHealth } from '../../src/kube/workload-status.ts';
import { defineKind, type KindStatus } from '../../src/registry/kind.ts';
import { podSpecUses } from '../../src/registry/pod-spec.ts';

const statuses: Readonly<Record<WorkloadHealth['state'], KindStatus>> = {
  available: { tone: 'ok', label: 'Available' },
  progressing: { tone: 'info', label: 'Scaling' },
  paused: { tone: 'idle', label: 'Paused' },
  stuck: { tone: 'bad', label: 'Cannot create pods' },
  unavailable: { tone: 'bad', label: 'Unavailable' },
  degraded: { tone: 'warn', label: 'Degraded' },
  empty: { tone: 'idle', label: 'Old revision' },
};

export const replicaset = defineKind<ReplicaSet>({
  id: 'replicaset',
  kind: 'ReplicaSet',
  group: 'apps',
  version: 'v1',
  plural: 'replicasets',
  scope: 'Namespaced',
  aliases: ['rs', 'replicasets'],
  title: 'ReplicaSets',
  permissions: { view: 'deployments.view', manage: 'deployments.manage' },
  // The specification has no path for it: kinds without one use the generic object paths (design, section 9).
  paths: {
    list: '/clusters/:clusterId/objects/apps/replicasets',
    detail: ['/clusters/:clusterId/namespaces/:namespaceName/objects/apps/replicasets/:replicaSetName'],
  },
  status: (object) => statuses[replicaSetHealth(object).state],
  attention: (object) => {
    const { state, message } = replicaSetHealth(object);
    if (state !== 'stuck') return undefined;
    return {
      rule: 'replicaset.replica-failure',
      tone: 'bad',
      title: 'Pods cannot be created.',
      ...(message === undefined ? {} : { detail: message }),
    };
  },
  rules: ['replicaset.replica-failure'],
  columns: [
    'namespace',
    'name',
    {
      id: 'ready',
      label: 'Ready',
      format: 'ratio',
      value: (object) => {
        const { ready, desired } = replicaSetHealth(object);
        return `${ready}/${desired}`;
      },
    },
    'status',
    {
      id: 'revision',
      label: 'Revision',
      format: 'number',
      dropAt: 3,
      value: (object) => Number(object.metadata?.annotations?.[revisionAnnotation] ?? Number.NaN) || null,
    },
    {
      id: 'images',
      label: 'Images',
      format: 'list',
      dropAt: 4,
      value: (object) => imagesOf(object.spec?.template),
    },
    'labels',
    'age',
  ],
  facts: (object) => ({ replicas: object.spec?.replicas ?? 1 }),
  refs: (object) => podSpecUses(object.spec?.template?.spec, object.metadata?.namespace),
  owns: ['pod'],
  pods: (object) => object.spec?.selector,
  sections: [
    {
      title: 'Spec',
      fields: [
        { label: 'Images', format: 'mono', value: (object) => imagesOf(object.spec?.template) },
        { label: 'Replicas', format: 'number', value: (object) => object.spec?.replicas ?? 1 },
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
