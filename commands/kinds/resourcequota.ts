import {
  isNearlyUsedUp,
  isUsedUp,
  quotaLines,
  quotaScopes,
  type ResourceQuota,
  shareText,
} from '../../src/kube/quota.ts';
import type { Attention } from '../../src/registry/kinds/attention.ts';
import { defineKind, type KindStatus } from '../../src/registry/kinds/kind.ts';

function attention(object: ResourceQuota): Attention | undefined {
  const full = quotaLines(object)
    .filter(isUsedUp)
    .map(({ resource, used, hard }) => `${used ?? '?'} of ${hard} ${resource}`);
  return full.length === 0
    ? undefined
    : {
        rule: 'resourcequota.exhausted',
        tone: 'warn',
        title: `The quota is used up: ${full.join(', ')}. Requests for more are rejected.`,
        fields: ['status.used', 'status.hard'],
        extent: full.length,
        remedy: { verb: 'edit', kind: 'ResourceQuota', name: object.metadata?.name ?? '' },
        detail:
          'The cluster reports this when something is created: for pods of a workload in the events of the workload.',
      };
}

function status(object: ResourceQuota): KindStatus {
  const lines = quotaLines(object);
  if (lines.some(isUsedUp)) return { tone: 'warn', label: 'Used up' };
  if (lines.some(isNearlyUsedUp)) return { tone: 'info', label: 'Nearly used up' };
  return lines.every(({ used }) => used === undefined)
    ? { tone: 'info', label: 'Not counted yet' }
    : { tone: 'ok', label: 'Has room' };
}

export const resourcequota = defineKind<ResourceQuota>({
  id: 'resourcequota',
  kind: 'ResourceQuota',
  abbreviation: 'Quota',
  group: '',
  version: 'v1',
  plural: 'resourcequotas',
  scope: 'Namespaced',
  aliases: ['quota', 'quotas', 'resourcequotas'],
  title: 'ResourceQuotas',
  icon: 'quota',
  permissions: { view: 'namespaces.view', manage: 'owner' },
  sidebar: { section: 'More', order: 140 },
  status,
  attention,
  rules: ['resourcequota.exhausted'],
  columns: [
    'namespace',
    'name',
    'status',
    {
      id: 'used',
      label: 'Used of hard',
      format: 'list',
      dropAt: 2,
      value: (object) =>
        quotaLines(object).map(({ resource, used, hard }) => `${resource} ${used ?? '?'}/${hard}`),
    },
    { id: 'scopes', label: 'Scopes', format: 'list', dropAt: 4, value: quotaScopes },
    'labels',
    'age',
  ],
  graph: 'none',
  sections: [
    {
      title: 'Use',
      columns: [
        { label: 'Resource', format: 'mono' },
        { label: 'Used', format: 'text' },
        { label: 'Hard', format: 'text' },
        { label: 'Share', format: 'status' },
      ],
      rows: (object) =>
        quotaLines(object).map((line) => [
          line.resource,
          line.used ?? null,
          line.hard,
          [shareText(line), isUsedUp(line) ? 'bad' : isNearlyUsedUp(line) ? 'warn' : 'idle'],
        ]),
      empty: () => 'It limits nothing.',
    },
    { title: 'Spec', fields: [{ label: 'Scopes', format: 'list', value: quotaScopes }] },
    'metadata',
    'events',
    'yaml',
  ],
});
