import { imagesOf, type StatefulSet } from '../../src/kube/apps.ts';
import { isSame } from '../../src/kube/json-diff.ts';
import { lastEdit } from '../../src/kube/last-change.ts';
import { formatSelector } from '../../src/kube/format-selector.ts';
import { statefulSetHealth } from '../../src/kube/workload-status.ts';
import { isTemplateChanged } from '../../src/registry/kinds/destructive-change.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';
import { podSpecUses } from './parts/pod-spec.ts';
import { rolloutMilestones } from './parts/rollout-milestones.ts';
import { imageFacts, memoryFacts, setImageAction, setMemoryAction } from './parts/rollout-actions.ts';
import { blockedAttention } from './parts/warnings.ts';
import {
  imagesColumn,
  readyColumn,
  restartAction,
  rollbackAction,
  scaleAction,
  workloadAttention,
  workloadFields,
  workloadRules,
  workloadStatus,
} from './parts/workload.ts';

export const statefulset = defineKind<StatefulSet>({
  id: 'statefulset',
  kind: 'StatefulSet',
  group: 'apps',
  version: 'v1',
  plural: 'statefulsets',
  scope: 'Namespaced',
  aliases: ['sts', 'statefulsets'],
  title: 'StatefulSets',
  icon: 'statefulset',
  asksForName: true,
  deletionReaches: 'claims',
  permissions: { view: 'statefulsets.view', manage: 'statefulsets.manage' },
  paths: {
    list: '/clusters/:clusterId/statefulsets',
    detail: ['/clusters/:clusterId/namespaces/:namespaceName/statefulsets/:statefulSetName'],
  },
  sidebar: { section: 'Resources', order: 20, keys: 'g t' },
  rollout: statefulSetHealth,
  status: (object) => workloadStatus(statefulSetHealth(object)),
  attention: (object, around) =>
    blockedAttention('statefulset', around, (object.status?.replicas ?? 0) < (object.spec?.replicas ?? 1), {
      quota: 'statefulset.scale',
    }) ?? workloadAttention('statefulset', statefulSetHealth(object)),
  around: ['warnings'],
  rules: ['statefulset.blocked', ...workloadRules('statefulset')],
  changed: lastEdit,
  milestones: rolloutMilestones((object) => {
    const health = statefulSetHealth(object);
    const { currentRevision, updateRevision = '' } = object.status ?? {};
    const isOnDelete = object.spec?.updateStrategy?.type === 'OnDelete';
    // With this strategy a person replaces the pods, one by one.
    if (isOnDelete && currentRevision !== updateRevision && health.updated < health.desired) return undefined;
    return { health, revision: updateRevision };
  }),
  columns: [
    'namespace',
    'name',
    readyColumn(statefulSetHealth),
    'status',
    {
      id: 'updated',
      label: 'Up-to-date',
      format: 'number',
      dropAt: 3,
      value: (object) => object.status?.updatedReplicas ?? 0,
    },
    imagesColumn,
    {
      id: 'service',
      label: 'Service',
      format: 'text',
      links: { to: 'named', kind: 'service' },
      wide: true,
      dropAt: 5,
      value: (object) => object.spec?.serviceName ?? null,
    },
    'labels',
    'age',
  ],
  facts: (object) => ({
    replicas: object.spec?.replicas ?? 1,
    revision: object.status?.updateRevision ?? null,
    images: imagesOf(object.spec?.template),
    ...imageFacts(object.spec?.template),
    ...memoryFacts(object.spec?.template),
  }),
  refs: (object) => {
    const namespace = object.metadata?.namespace;
    const service = object.spec?.serviceName;
    return [
      ...(service === undefined || service === ''
        ? []
        : [
            {
              relation: 'uses' as const,
              apiVersion: 'v1',
              kind: 'Service',
              ...(namespace === undefined ? {} : { namespace }),
              name: service,
            },
          ]),
      ...podSpecUses(object.spec?.template?.spec, namespace),
    ];
  },
  joins: ['scaledBy'],
  owns: ['pod'],
  logs: 'pods',
  pods: (object) => object.spec?.selector,
  podNames: ['ordinal'],
  revisions: 'ControllerRevision',
  sections: [
    'rollout',
    {
      title: 'Spec',
      fields: [
        ...workloadFields,
        {
          label: 'Service',
          format: 'text',
          value: (object) => object.spec?.serviceName ?? null,
          links: { to: 'named', kind: 'service' },
        },
        {
          label: 'Update strategy',
          format: 'text',
          value: (object) => {
            const { type = 'RollingUpdate', rollingUpdate } = object.spec?.updateStrategy ?? {};
            const { partition = 0 } = rollingUpdate ?? {};
            return partition === 0 ? type : `${type}, from pod ${partition} on`;
          },
        },
        {
          label: 'Pod order',
          format: 'text',
          value: (object) => object.spec?.podManagementPolicy ?? 'OrderedReady',
        },
        {
          label: 'Claims',
          format: 'list',
          value: (object) =>
            (object.spec?.volumeClaimTemplates ?? []).flatMap(({ metadata }) => metadata?.name ?? []),
        },
        {
          label: 'Selector',
          format: 'mono',
          value: (object) => formatSelector(object.spec?.selector) || null,
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
  endsBy: (before, after) =>
    isTemplateChanged(before, after) || !isSame(before.spec?.updateStrategy, after.spec?.updateStrategy),
  actions: [
    restartAction('statefulset'),
    scaleAction('statefulset'),
    setImageAction('statefulset'),
    setMemoryAction('statefulset'),
    rollbackAction('statefulset'),
  ],
});
