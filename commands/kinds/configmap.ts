import type { ConfigMap } from '../../src/kube/core.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';

/** Size of a config map's values in bytes, base64 values decoded. */
function sizeOf({ data = {}, binaryData = {} }: ConfigMap): number {
  const sum = (values: readonly string[], share: number) =>
    values.reduce((total, value) => total + value.length * share, 0);
  return Math.round(sum(Object.values(data), 1) + sum(Object.values(binaryData), 0.75));
}

const keysOf = ({ data = {}, binaryData = {} }: ConfigMap) => [
  ...Object.keys(data),
  ...Object.keys(binaryData),
];

export const configmap = defineKind<ConfigMap>({
  id: 'configmap',
  kind: 'ConfigMap',
  group: '',
  version: 'v1',
  plural: 'configmaps',
  scope: 'Namespaced',
  aliases: ['cm', 'configmaps'],
  title: 'ConfigMaps',
  icon: 'configmap',
  permissions: { view: 'namespaces.view', manage: 'resources.manage' },
  sidebar: { section: 'More', order: 10 },
  columns: [
    'namespace',
    'name',
    { id: 'count', label: 'Data', format: 'number', value: (object) => keysOf(object).length },
    { id: 'size', label: 'Size', format: 'bytes', dropAt: 3, value: sizeOf },
    { id: 'keys', label: 'Keys', format: 'list', dropAt: 4, value: keysOf },
    {
      id: 'immutable',
      label: 'Immutable',
      format: 'text',
      wide: true,
      dropAt: 6,
      value: ({ immutable }) => (immutable === true ? 'Yes' : null),
    },
    'labels',
    'age',
  ],
  facts: (object) => ({ keys: keysOf(object), isImmutable: object.immutable === true }),
  usedBy: ['deployment', 'statefulset', 'daemonset', 'cronjob', 'job', 'pod'],
  sections: ['data', 'used-by', 'metadata', 'events', 'yaml'],
});
