import type { DisruptionBudget } from '../../src/kube/disruption.ts';
import { formatSelector } from '../../src/kube/format-selector.ts';
import { condition } from '../../src/kube/workload-status.ts';
import type { Attention } from '../../src/registry/kinds/attention.ts';
import { defineKind, type KindStatus } from '../../src/registry/kinds/kind.ts';

/** What a budget says of its pods now; undefined until its controller counted them for this spec. */
function countsOf({ metadata, status }: DisruptionBudget) {
  const { observedGeneration, disruptionsAllowed, currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  if (disruptionsAllowed === undefined) return undefined;
  if (observedGeneration !== undefined && observedGeneration < (metadata?.generation ?? 0)) return undefined;
  return {
    allowed: disruptionsAllowed,
    healthy: currentHealthy,
    needed: desiredHealthy,
    expected: status?.expectedPods ?? 0,
  };
}

/** What a budget demands: `at least 2`, `at most 25% away`. */
function demandText({ spec }: DisruptionBudget): string {
  const { minAvailable, maxUnavailable } = spec ?? {};
  if (maxUnavailable !== undefined) return `at most ${maxUnavailable} unavailable`;
  return `at least ${minAvailable ?? 1} available`;
}

/** That its controller cannot compute how many pods it is about; undefined where it can. */
function syncFailure({ status: { conditions } = {} }: DisruptionBudget) {
  const said = condition(conditions, 'DisruptionAllowed');
  return said?.reason === 'SyncFailed' ? said : undefined;
}

function attention(object: DisruptionBudget): Attention | undefined {
  const counts = countsOf(object);
  if (counts === undefined) return undefined;
  const { allowed, healthy, expected } = counts;
  const synced = syncFailure(object);
  if (synced !== undefined)
    return {
      rule: 'poddisruptionbudget.uncounted',
      tone: 'warn',
      title: 'Its pods cannot be counted, so it allows no disruption.',
      ...(synced.message === undefined ? {} : { detail: synced.message }),
    };
  if (expected === 0) {
    return {
      rule: 'poddisruptionbudget.no-pods',
      tone: 'warn',
      title: 'It matches no pods, so it protects nothing.',
      detail: `Its selector is ${formatSelector(object.spec?.selector) || 'empty'}.`,
    };
  }
  if (allowed > 0 || healthy < expected) return undefined;
  return {
    rule: 'poddisruptionbudget.blocks',
    tone: 'warn',
    title:
      'The budget allows no disruption although all its pods are healthy: a node with one of them cannot be drained.',
    fields: ['spec', 'status.disruptionsAllowed'],
    detail: `It requires ${demandText(object)}, and there are ${expected}. To allow an eviction, add replicas or lower the requirement.`,
  };
}

function status(object: DisruptionBudget): KindStatus {
  const counts = countsOf(object);
  if (counts === undefined) return { tone: 'info', label: 'Not counted yet' };
  const { allowed, healthy, expected } = counts;
  if (syncFailure(object) !== undefined) return { tone: 'warn', label: 'Not countable' };
  if (expected === 0) return { tone: 'warn', label: 'No pods' };
  if (allowed > 0) return { tone: 'ok', label: `Allows ${allowed}` };
  return { tone: 'warn', label: healthy < expected ? 'Allows 0 now' : 'Blocks drains' };
}

export const poddisruptionbudget = defineKind<DisruptionBudget>({
  id: 'poddisruptionbudget',
  kind: 'PodDisruptionBudget',
  abbreviation: 'PDB',
  group: 'policy',
  version: 'v1',
  plural: 'poddisruptionbudgets',
  scope: 'Namespaced',
  aliases: ['pdb', 'pdbs', 'poddisruptionbudgets', 'budget'],
  title: 'PodDisruptionBudgets',
  icon: 'budget',
  permissions: { view: 'namespaces.view', manage: 'resources.manage' },
  sidebar: { section: 'More', order: 130 },
  status,
  attention,
  rules: ['poddisruptionbudget.blocks', 'poddisruptionbudget.no-pods', 'poddisruptionbudget.uncounted'],
  columns: [
    'namespace',
    'name',
    'status',
    {
      id: 'allowed',
      label: 'Allowed disruptions',
      format: 'number',
      dropAt: 1,
      value: (object) => countsOf(object)?.allowed ?? null,
    },
    {
      id: 'healthy',
      label: 'Healthy',
      format: 'ratio',
      dropAt: 2,
      value: (object) => {
        const counts = countsOf(object);
        return counts === undefined ? null : `${counts.healthy}/${counts.expected}`;
      },
    },
    { id: 'demand', label: 'Demands', format: 'text', dropAt: 3, value: demandText },
    {
      id: 'selector',
      label: 'Selector',
      format: 'mono',
      dropAt: 4,
      value: ({ spec }) => formatSelector(spec?.selector) || null,
    },
    'labels',
    'age',
  ],
  pods: ({ spec }) => spec?.selector,
  sections: [
    {
      title: 'Now',
      fields: [
        {
          label: 'Allowed disruptions',
          format: 'text',
          value: (object) => {
            const counts = countsOf(object);
            if (counts === undefined) return 'None: not counted yet';
            return counts.allowed === 1 ? '1 pod' : `${counts.allowed} pods`;
          },
        },
        {
          label: 'Healthy',
          format: 'text',
          value: (object) => {
            const counts = countsOf(object);
            return counts === undefined
              ? null
              : `${counts.healthy} of ${counts.expected}, ${counts.needed} are needed`;
          },
        },
        { label: 'Demands', format: 'text', value: demandText },
        { label: 'Selector', format: 'mono', value: ({ spec }) => formatSelector(spec?.selector) || null },
        {
          label: 'Unhealthy pods',
          format: 'text',
          value: ({ spec }) =>
            spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow'
              ? 'May always be evicted'
              : 'May be evicted while enough others are healthy',
        },
      ],
    },
    'conditions',
    'pods',
    'metadata',
    'events',
    'yaml',
  ],
});
