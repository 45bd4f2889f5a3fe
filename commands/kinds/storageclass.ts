import { defaultStorageClassAnnotation, type StorageClass } from '../../src/kube/storage.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';
import { defaultClassAction } from './parts/default-class.ts';

const isDefault = ({ metadata }: StorageClass) =>
  metadata?.annotations?.[defaultStorageClassAnnotation] === 'true';

export const storageclass = defineKind<StorageClass>({
  id: 'storageclass',
  kind: 'StorageClass',
  group: 'storage.k8s.io',
  version: 'v1',
  plural: 'storageclasses',
  scope: 'Cluster',
  aliases: ['sc', 'storageclasses'],
  title: 'StorageClasses',
  icon: 'storageclass',
  permissions: { view: 'clusters.view', manage: 'resources.manage' },
  sidebar: { section: 'More', order: 40 },
  columns: [
    'name',
    {
      id: 'default',
      label: 'Default',
      format: 'text',
      dropAt: 2,
      value: (object) => (isDefault(object) ? 'Yes' : null),
    },
    {
      id: 'provisioner',
      label: 'Provisioner',
      format: 'text',
      dropAt: 3,
      value: ({ provisioner }) => provisioner ?? null,
    },
    {
      id: 'reclaim',
      label: 'Reclaim',
      format: 'text',
      dropAt: 4,
      value: ({ reclaimPolicy }) => reclaimPolicy ?? 'Delete',
    },
    {
      id: 'binding',
      label: 'Binding',
      format: 'text',
      dropAt: 5,
      value: ({ volumeBindingMode }) => volumeBindingMode ?? 'Immediate',
    },
    {
      id: 'expansion',
      label: 'Expansion',
      format: 'text',
      dropAt: 6,
      value: ({ allowVolumeExpansion }) => (allowVolumeExpansion === true ? 'Allowed' : null),
    },
    'labels',
    'age',
  ],
  facts: (object) => ({ isDefault: isDefault(object), expands: object.allowVolumeExpansion === true }),
  usedBy: ['persistentvolumeclaim', 'persistentvolume'],
  sections: [
    {
      title: 'Spec',
      fields: [
        {
          label: 'Default',
          format: 'text',
          value: (object) => (isDefault(object) ? 'Yes: claims without a class get this one' : 'No'),
        },
        { label: 'Provisioner', format: 'mono', value: ({ provisioner }) => provisioner ?? null },
        { label: 'Reclaim policy', format: 'text', value: ({ reclaimPolicy }) => reclaimPolicy ?? 'Delete' },
        {
          label: 'Binding',
          format: 'text',
          value: ({ volumeBindingMode }) => volumeBindingMode ?? 'Immediate',
        },
        {
          label: 'Expansion',
          format: 'text',
          value: ({ allowVolumeExpansion }) =>
            allowVolumeExpansion === true ? 'Claims can grow' : 'Claims cannot grow',
        },
        { label: 'Mount options', format: 'mono', value: ({ mountOptions }) => mountOptions ?? null },
        {
          label: 'Parameters',
          format: 'labels',
          value: ({ parameters = {} }) => Object.entries(parameters).map(([key, value]) => `${key}=${value}`),
        },
      ],
    },
    'used-by',
    'metadata',
    'events',
    'yaml',
  ],
  actions: [
    defaultClassAction('storageclass', 'storageclasses.storage.k8s.io', defaultStorageClassAnnotation),
  ],
});
