import { type DaemonSet, imagesOf } from '../../src/kube/apps.ts';
import { isSame } from '../../src/kube/json-diff.ts';
import { lastEdit } from '../../src/kube/last-change.ts';
import { formatSelector } from '../../src/kube/format-selector.ts';
import { daemonSetHealth } from '../../src/kube/workload-status.ts';
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
  workloadAttention,
  workloadRules,
  workloadStatus,
} from './parts/workload.ts';

export const daemonset = defineKind<DaemonSet>({
  id: 'daemonset',
  kind: 'DaemonSet',
  group: 'apps',
  version: 'v1',
  plural: 'daemonsets',
  scope: 'Namespaced',
  aliases: ['ds', 'daemonsets'],
  title: 'DaemonSets',
  icon: 'daemonset',
  permissions: { view: 'deployments.view', manage: 'deployments.manage' },
  sidebar: { section: 'More', order: 20 },
  rollout: daemonSetHealth,
  status: (object) =>
    workloadStatus(daemonSetHealth(object), { empty: { tone: 'idle', label: 'No matching nodes' } }),
  attention: (object, around) => {
    const { currentNumberScheduled: has = 0, desiredNumberScheduled: wanted = 0 } = object.status ?? {};
    return (
      blockedAttention('daemonset', around, has < wanted) ??
      workloadAttention('daemonset', daemonSetHealth(object))
    );
  },
  around: ['warnings'],
  rules: ['daemonset.blocked', ...workloadRules('daemonset')],
  changed: lastEdit,
  milestones: rolloutMilestones((object) => {
    const health = daemonSetHealth(object);
    const isOnDelete = object.spec?.updateStrategy?.type === 'OnDelete';
    // With this strategy a person replaces the pods, one by one.
    if (isOnDelete && health.updated < health.desired) return undefined;
    // Little else of its spec changes, and nothing scales it.
    return { health, revision: object.metadata?.generation ?? 0 };
  }),
  columns: [
    'namespace',
    'name',
    readyColumn(daemonSetHealth),
    'status',
    {
      id: 'current',
      label: 'Current',
      format: 'number',
      dropAt: 4,
      value: (object) => object.status?.currentNumberScheduled ?? 0,
    },
    {
      id: 'updated',
      label: 'Up-to-date',
      format: 'number',
      dropAt: 3,
      value: (object) => object.status?.updatedNumberScheduled ?? 0,
    },
    {
      id: 'available',
      label: 'Available',
      format: 'number',
      dropAt: 2,
      value: (object) => object.status?.numberAvailable ?? 0,
    },
    {
      id: 'node-selector',
      label: 'Node selector',
      format: 'labels',
      dropAt: 5,
      value: (object) =>
        Object.entries(object.spec?.template?.spec?.nodeSelector ?? {}).map(
          ([key, value]) => `${key}=${value}`,
        ),
    },
    { ...imagesColumn, wide: true },
    'labels',
    'age',
  ],
  facts: (object) => ({
    images: imagesOf(object.spec?.template),
    ...imageFacts(object.spec?.template),
    ...memoryFacts(object.spec?.template),
  }),
  refs: (object) => podSpecUses(object.spec?.template?.spec, object.metadata?.namespace),
  owns: ['pod'],
  logs: 'pods',
  pods: (object) => object.spec?.selector,
  podNames: ['chance'],
  revisions: 'ControllerRevision',
  sections: [
    'rollout',
    {
      title: 'Spec',
      fields: [
        {
          label: 'Images',
          format: 'mono',
          value: (object) => imagesOf(object.spec?.template),
          links: { to: 'image' },
        },
        {
          label: 'Nodes',
          format: 'text',
          value: ({ status = {} }) => {
            const { desiredNumberScheduled: wanted = 0, numberMisscheduled: wrong = 0 } = status;
            return wrong === 0 ? `${wanted}` : `${wanted}, and ${wrong} that should not run it`;
          },
        },
        {
          label: 'Update strategy',
          format: 'text',
          value: ({ spec }) => {
            const { type = 'RollingUpdate', rollingUpdate } = spec?.updateStrategy ?? {};
            return rollingUpdate === undefined
              ? type
              : `${type}, surge ${rollingUpdate.maxSurge ?? 0}, unavailable ${rollingUpdate.maxUnavailable ?? 1}`;
          },
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
    restartAction('daemonset'),
    setImageAction('daemonset'),
    setMemoryAction('daemonset'),
    rollbackAction('daemonset'),
  ],
});
