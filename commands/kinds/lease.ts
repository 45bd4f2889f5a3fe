import { epochSeconds } from '../../src/kube/age.ts';
import type { Lease } from '../../src/kube/scheduling.ts';
import { defineKind, type KindStatus } from '../../src/registry/kinds/kind.ts';

const holderOf = ({ spec }: Lease) => spec?.holderIdentity || null;
const renewedAt = ({ spec }: Lease) => epochSeconds(spec?.renewTime);

function status(object: Lease): KindStatus {
  if (holderOf(object) === null) return { tone: 'idle', label: 'Free' };
  const { leaseDurationSeconds } = object.spec ?? {};
  const renewed = renewedAt(object);
  const held: KindStatus = { tone: 'ok', label: 'Held' };
  if (renewed === null || leaseDurationSeconds === undefined) return held;
  return {
    ...held,
    later: { at: renewed + leaseDurationSeconds, status: { tone: 'idle', label: 'Expired' } },
  };
}

export const lease = defineKind<Lease>({
  id: 'lease',
  kind: 'Lease',
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  scope: 'Namespaced',
  aliases: ['leases', 'leader'],
  title: 'Leases',
  icon: 'lease',
  permissions: { view: 'namespaces.view', manage: 'owner' },
  sidebar: { section: 'More', order: 220 },
  status,
  columns: [
    'namespace',
    'name',
    'status',
    { id: 'holder', label: 'Holder', format: 'mono', dropAt: 2, value: holderOf },
    { id: 'renewed', label: 'Renewed', format: 'age', dropAt: 1, value: renewedAt },
    {
      id: 'duration',
      label: 'Seconds',
      format: 'number',
      dropAt: 4,
      value: ({ spec }) => spec?.leaseDurationSeconds ?? null,
    },
    {
      id: 'transitions',
      label: 'Changes',
      format: 'number',
      dropAt: 3,
      value: ({ spec }) => spec?.leaseTransitions ?? 0,
    },
    'labels',
    'age',
  ],
  // Each node renews one every few seconds.
  graph: 'none',
  sections: [
    {
      title: 'Spec',
      fields: [
        { label: 'Holder', format: 'mono', value: holderOf },
        { label: 'Renewed', format: 'age', value: renewedAt },
        { label: 'Held since', format: 'age', value: ({ spec }) => epochSeconds(spec?.acquireTime) },
        {
          label: 'Valid for',
          format: 'text',
          value: ({ spec }) =>
            spec?.leaseDurationSeconds === undefined
              ? null
              : `${spec.leaseDurationSeconds} s after a renewal`,
        },
        {
          label: 'Changes of holder',
          format: 'number',
          value: ({ spec }) => spec?.leaseTransitions ?? 0,
        },
      ],
    },
    'metadata',
    'events',
    'yaml',
  ],
});
