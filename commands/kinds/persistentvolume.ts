import { objectPath, patchTypes } from '../../src/kube/change.ts';
import { kubectlObject } from '../../src/kube/kubectl.ts';
import { parseQuantity } from '../../src/kube/quantity.ts';
import { type PersistentVolume, volumeSource } from '../../src/kube/storage.ts';
import { defineKind, type KindStatus } from '../../src/registry/kinds/kind.ts';
import { kindAction } from '../../src/registry/kinds/kind-action.ts';
import { accessColumn, classColumn } from './parts/storage-columns.ts';

const phases: Readonly<Record<string, KindStatus>> = {
  Bound: { tone: 'ok', label: 'Bound' },
  Available: { tone: 'idle', label: 'Available' },
  Released: { tone: 'idle', label: 'Released' },
  Pending: { tone: 'info', label: 'Pending' },
  Failed: { tone: 'bad', label: 'Failed' },
};

const capacityOf = ({ spec }: PersistentVolume) => parseQuantity(spec?.capacity?.['storage']) ?? null;

const reclaim = kindAction<
  PersistentVolume,
  {
    policy: {
      type: 'choice';
      label: string;
      options: readonly { value: string; label: string; help: string }[];
      default: string;
    };
  }
>({
  id: 'persistentvolume.reclaim',
  title: 'Reclaim policy…',
  heading: (subject) => `Set reclaim policy of ${subject}`,
  description: 'Sets what happens to the volume when its claim is deleted.',
  done: 'given the reclaim policy',
  icon: 'settings',
  // Deleting the claim would delete the volume's data.
  dangerousWith: { policy: 'Delete' },
  endsPods: false,
  args: {
    policy: {
      type: 'choice',
      label: 'Policy',
      options: [
        {
          value: 'Retain',
          label: 'Retain',
          help: 'The volume and its data stay until somebody deletes them.',
        },
        { value: 'Delete', label: 'Delete', help: 'The volume and its data are deleted with the claim.' },
      ],
      default: 'Retain',
    },
  },
  requests: (_object, { policy }, { address }) => [
    {
      method: 'PATCH',
      path: objectPath(address),
      contentType: patchTypes.merge,
      body: { spec: { persistentVolumeReclaimPolicy: policy } },
    },
  ],
  kubectl: (address, { policy }) =>
    `kubectl patch ${kubectlObject(address)} --type=merge -p '{"spec":{"persistentVolumeReclaimPolicy":"${policy}"}}'`,
});

export const persistentvolume = defineKind<PersistentVolume>({
  id: 'persistentvolume',
  kind: 'PersistentVolume',
  group: '',
  version: 'v1',
  plural: 'persistentvolumes',
  scope: 'Cluster',
  aliases: ['pv', 'persistentvolumes'],
  title: 'PersistentVolumes',
  icon: 'volume',
  asksForName: true,
  deletionReaches: 'claim',
  permissions: { view: 'persistentvolumes.view', manage: 'persistentvolumes.manage' },
  paths: {
    list: '/clusters/:clusterId/persistentvolumes',
    detail: ['/clusters/:clusterId/persistentvolumes/:persistentVolumeName'],
  },
  sidebar: { section: 'Persistent Volumes', order: 10, keys: 'g shift+v' },
  status: ({ status }) => phases[status?.phase ?? ''] ?? { tone: 'warn', label: status?.phase ?? 'Unknown' },
  attention: ({ status }) => {
    if (status?.phase !== 'Failed') return undefined;
    const detail = [status.reason, status.message]
      .filter((part) => part !== undefined && part !== '')
      .join(': ');
    return {
      rule: 'persistentvolume.failed',
      tone: 'bad',
      isHard: true,
      title: 'The volume could not be reclaimed after its claim was deleted.',
      fields: ['status.phase', 'status.message'],
      ...(detail === '' ? {} : { detail }),
    };
  },
  rules: ['persistentvolume.failed'],
  columns: [
    'name',
    'status',
    { id: 'capacity', label: 'Capacity', format: 'bytes', dropAt: 2, value: capacityOf },
    classColumn,
    accessColumn(({ spec }) => spec?.accessModes),
    {
      id: 'reclaim',
      label: 'Reclaim',
      format: 'text',
      dropAt: 4,
      value: ({ spec }) => spec?.persistentVolumeReclaimPolicy ?? null,
    },
    {
      id: 'claim',
      label: 'Claim',
      format: 'object',
      links: { to: 'placed', kind: 'persistentvolumeclaim' },
      dropAt: 3,
      value: ({ spec }) => {
        const { namespace, name } = spec?.claimRef ?? {};
        return name === undefined ? null : [namespace ?? '', name];
      },
    },
    {
      id: 'reason',
      label: 'Reason',
      format: 'text',
      wide: true,
      dropAt: 6,
      value: ({ status }) => status?.reason || null,
    },
    {
      id: 'mode',
      label: 'Mode',
      format: 'text',
      wide: true,
      dropAt: 7,
      value: ({ spec }) => spec?.volumeMode ?? 'Filesystem',
    },
    'labels',
    'age',
  ],
  facts: ({ status }) => ({ phase: status?.phase ?? null }),
  refs: ({ spec }) => {
    const { namespace, name } = spec?.claimRef ?? {};
    return [
      ...(name === undefined || namespace === undefined
        ? []
        : [
            {
              relation: 'targets' as const,
              apiVersion: 'v1',
              kind: 'PersistentVolumeClaim',
              namespace,
              name,
            },
          ]),
      ...(spec?.storageClassName === undefined || spec.storageClassName === ''
        ? []
        : [
            {
              relation: 'uses' as const,
              apiVersion: 'storage.k8s.io/v1',
              kind: 'StorageClass',
              name: spec.storageClassName,
              // The class of a manually created volume is only a label.
              absence: 'usual' as const,
            },
          ]),
    ];
  },
  sections: [
    {
      title: 'Spec',
      fields: [
        { label: 'Capacity', format: 'bytes', value: capacityOf },
        { label: 'Access modes', format: 'list', value: ({ spec }) => spec?.accessModes ?? null },
        {
          label: 'Reclaim policy',
          format: 'text',
          value: ({ spec }) => spec?.persistentVolumeReclaimPolicy ?? null,
        },
        { label: 'Volume mode', format: 'text', value: ({ spec }) => spec?.volumeMode ?? 'Filesystem' },
        { label: 'Source', format: 'text', value: (object) => volumeSource(object)?.type ?? null },
        { label: 'Place', format: 'mono', value: (object) => volumeSource(object)?.place ?? null },
        { label: 'Mount options', format: 'mono', value: ({ spec }) => spec?.mountOptions ?? null },
        { label: 'Reason', format: 'text', value: ({ status }) => status?.reason || null },
        { label: 'Message', format: 'message', value: ({ status }) => status?.message || null },
      ],
    },
    'related',
    'metadata',
    'events',
    'yaml',
  ],
  endsBy: (before, after) =>
    after.spec?.persistentVolumeReclaimPolicy === 'Delete' &&
    before.spec?.persistentVolumeReclaimPolicy !== 'Delete',
  actions: [reclaim],
});
