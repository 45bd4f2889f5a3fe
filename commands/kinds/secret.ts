import { type Secret, secretKeys, secretSize, secretTypes } from '../../src/kube/secret.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';
import { endingMilestones } from '../../src/registry/kinds/milestone.ts';
import { certificateOf } from './parts/known-refs.ts';

const typeOf = ({ type }: Secret) => type ?? secretTypes.opaque;

/** Secrets. Lists and rows contain the keys and their sizes, never a value. */
export const secret = defineKind<Secret>({
  id: 'secret',
  kind: 'Secret',
  group: '',
  version: 'v1',
  plural: 'secrets',
  scope: 'Namespaced',
  aliases: ['sec', 'secrets'],
  title: 'Secrets',
  icon: 'secret',
  permissions: { view: 'secrets.view', manage: ['secrets.view', 'resources.manage'] },
  paths: {
    list: '/clusters/:clusterId/secrets',
    detail: ['/clusters/:clusterId/namespaces/:namespace/secrets/:secretName'],
  },
  sidebar: { section: 'Resources', order: 60, keys: 'g x' },
  aside: { column: 'type', field: 'type', value: secretTypes.helmRelease, label: 'Helm releases' },
  columns: [
    'namespace',
    'name',
    { id: 'type', label: 'Type', format: 'text', dropAt: 2, value: typeOf },
    { id: 'data', label: 'Data', format: 'number', dropAt: 4, value: (object) => secretKeys(object).length },
    { id: 'keys', label: 'Keys', format: 'list', dropAt: 3, value: secretKeys },
    { id: 'size', label: 'Size', format: 'bytes', wide: true, dropAt: 5, value: secretSize },
    'labels',
    'age',
  ],
  facts: (object) => ({
    type: typeOf(object),
    keys: secretKeys(object),
    isImmutable: object.immutable === true,
  }),
  masked: true,
  milestones: {
    events: ['certificate.ending', 'certificate.renewed'],
    of(object, { certificateTimes }) {
      if (typeOf(object) !== secretTypes.tls) return undefined;
      const life = certificateTimes(object.data?.['tls.crt']);
      return life && endingMilestones('Certificate', life);
    },
  },
  refs: certificateOf,
  usedBy: ['deployment', 'statefulset', 'daemonset', 'cronjob', 'job', 'pod', 'ingress'],
  sections: [
    {
      title: 'Spec',
      fields: [
        { label: 'Type', format: 'text', value: typeOf },
        {
          label: 'Immutable',
          format: 'text',
          value: (object) => (object.immutable === true ? 'Yes, its values cannot be changed' : 'No'),
        },
      ],
    },
    'secret',
    'used-by',
    'metadata',
    'events',
    'yaml',
  ],
});
