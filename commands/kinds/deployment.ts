import { type Deployment, imagesOf, revisionAnnotation } from '../../src/kube/apps.ts';
import { lastRollout } from '../../src/kube/last-change.ts';
import { formatSelector } from '../../src/kube/format-selector.ts';
import { deploymentHealth, refusedPods } from '../../src/kube/workload-status.ts';
import { isTemplateChanged } from '../../src/registry/kinds/destructive-change.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';
import { podSpecUses } from './parts/pod-spec.ts';
import { rolloutMilestones } from './parts/rollout-milestones.ts';
import {
  imageFacts,
  memoryFacts,
  pauseActions,
  setImageAction,
  setMemoryAction,
} from './parts/rollout-actions.ts';
import { blockedBy } from './parts/warnings.ts';
import {
  containersColumn,
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

const revisionOf = ({ metadata }: Deployment) => Number(metadata?.annotations?.[revisionAnnotation] ?? 0);

/**
 * Whether there is no earlier revision. The annotation may be out of date while the controller has not observed the
 * newest template, or has only scaled since without creating a pod of it.
 */
const isFirst = (object: Deployment): boolean =>
  revisionOf(object) === 1 &&
  object.metadata?.generation === object.status?.observedGeneration &&
  (object.status?.updatedReplicas ?? 0) === (object.status?.replicas ?? 0);

export const deployment = defineKind<Deployment>({
  id: 'deployment',
  kind: 'Deployment',
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  scope: 'Namespaced',
  aliases: ['dp', 'deploy', 'deployments'],
  title: 'Deployments',
  icon: 'deployment',
  permissions: { view: 'deployments.view', manage: 'deployments.manage' },
  paths: {
    list: '/clusters/:clusterId/deployments',
    detail: ['/clusters/:clusterId/namespaces/:namespaceName/deployments/:deploymentName'],
  },
  sidebar: { section: 'Resources', order: 10, keys: 'g d' },
  rollout: deploymentHealth,
  status: (object) => workloadStatus(deploymentHealth(object)),
  attention: (object) =>
    blockedBy('deployment', refusedPods(object), {
      quota: 'deployment.scale',
      other: 'deployment.rollback',
    }) ?? workloadAttention('deployment', deploymentHealth(object), 'deployment.rollback'),
  rules: ['deployment.blocked', ...workloadRules('deployment')],
  changed: (object) => lastRollout(object, revisionOf(object)),
  milestones: rolloutMilestones((object) => ({
    health: deploymentHealth(object),
    revision: revisionOf(object),
  })),
  columns: [
    'namespace',
    'name',
    readyColumn(deploymentHealth),
    'status',
    {
      id: 'updated',
      label: 'Up-to-date',
      format: 'number',
      dropAt: 3,
      value: (object) => object.status?.updatedReplicas ?? 0,
    },
    {
      id: 'available',
      label: 'Available',
      format: 'number',
      dropAt: 2,
      value: (object) => object.status?.availableReplicas ?? 0,
    },
    imagesColumn,
    containersColumn,
    {
      id: 'selector',
      label: 'Selector',
      format: 'mono',
      wide: true,
      dropAt: 6,
      value: (object) => formatSelector(object.spec?.selector) || null,
    },
    {
      id: 'strategy',
      label: 'Strategy',
      format: 'text',
      wide: true,
      dropAt: 5,
      value: (object) => object.spec?.strategy?.type ?? null,
    },
    {
      id: 'scaled-by',
      label: 'Scaled by',
      format: 'object',
      links: { to: 'object' },
      join: 'scaledBy',
      wide: true,
      dropAt: 6,
      value: () => null,
    },
    'labels',
    'age',
  ],
  facts: (object) => ({
    replicas: object.spec?.replicas ?? 1,
    isPaused: object.spec?.paused === true,
    revision: revisionOf(object),
    isFirst: isFirst(object),
    images: imagesOf(object.spec?.template),
    ...imageFacts(object.spec?.template),
    ...memoryFacts(object.spec?.template),
  }),
  refs: (object) => podSpecUses(object.spec?.template?.spec, object.metadata?.namespace),
  joins: ['scaledBy'],
  owns: ['replicaset'],
  logs: 'pods',
  pods: (object) => object.spec?.selector,
  podNames: ['hash', 'chance'],
  revisions: 'ReplicaSet',
  sections: [
    'rollout',
    {
      title: 'Spec',
      fields: [
        ...workloadFields,
        {
          label: 'Strategy',
          format: 'text',
          value: (object) => {
            const { type = 'RollingUpdate', rollingUpdate } = object.spec?.strategy ?? {};
            return rollingUpdate === undefined
              ? type
              : `${type}, surge ${rollingUpdate.maxSurge ?? '25%'}, unavailable ${rollingUpdate.maxUnavailable ?? '25%'}`;
          },
        },
        {
          label: 'Progress deadline',
          format: 'text',
          value: (object) => `${object.spec?.progressDeadlineSeconds ?? 600} s`,
        },
        {
          label: 'Selector',
          format: 'mono',
          value: (object) => formatSelector(object.spec?.selector) || null,
        },
        {
          label: 'Account',
          format: 'text',
          value: (object) => object.spec?.template?.spec?.serviceAccountName ?? 'default',
          links: { to: 'named', kind: 'serviceaccount' },
        },
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
    'owned',
    'related',
    'metadata',
    'events',
    'yaml',
  ],
  // Of a paused rollout the pods are replaced once it goes on.
  endsBy: (before, after) =>
    isTemplateChanged(before, after) || (before.spec?.paused === true && after.spec?.paused !== true),
  actions: [
    restartAction('deployment'),
    scaleAction('deployment'),
    ...pauseActions('deployment'),
    setImageAction('deployment'),
    setMemoryAction('deployment'),
    rollbackAction('deployment'),
  ],
});
