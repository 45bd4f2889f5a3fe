import { defaultIngressClassAnnotation, type IngressClass } from '../../src/kube/networking.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';
import { defaultClassAction } from './parts/default-class.ts';

const isDefault = ({ metadata }: IngressClass) =>
  metadata?.annotations?.[defaultIngressClassAnnotation] === 'true';

const parametersText = ({ spec }: IngressClass) => {
  const { kind, name, namespace } = spec?.parameters ?? {};
  if (name === undefined) return null;
  return `${kind ?? '?'} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
};

export const ingressclass = defineKind<IngressClass>({
  id: 'ingressclass',
  kind: 'IngressClass',
  group: 'networking.k8s.io',
  version: 'v1',
  plural: 'ingressclasses',
  scope: 'Cluster',
  aliases: ['ic', 'ingressclasses'],
  title: 'IngressClasses',
  icon: 'ingressclass',
  permissions: { view: 'clusters.view', manage: 'resources.manage' },
  paths: {
    list: '/clusters/:clusterId/ingressclasses',
    detail: ['/clusters/:clusterId/ingressclasses/:ingressClassName'],
  },
  sidebar: { section: 'Network', order: 30, keys: 'g shift+i' },
  columns: [
    'name',
    {
      id: 'controller',
      label: 'Controller',
      format: 'text',
      dropAt: 3,
      value: ({ spec }) => spec?.controller ?? null,
    },
    {
      id: 'default',
      label: 'Default',
      format: 'text',
      dropAt: 2,
      value: (object) => (isDefault(object) ? 'Yes' : null),
    },
    { id: 'parameters', label: 'Parameters', format: 'text', dropAt: 4, value: parametersText },
    'labels',
    'age',
  ],
  facts: (object) => ({ isDefault: isDefault(object) }),
  usedBy: ['ingress'],
  sections: [
    {
      title: 'Spec',
      fields: [
        { label: 'Controller', format: 'mono', value: ({ spec }) => spec?.controller ?? null },
        {
          label: 'Default',
          format: 'text',
          value: (object) => (isDefault(object) ? 'Yes: ingresses without a class get this one' : 'No'),
        },
        { label: 'Parameters', format: 'text', value: parametersText },
        { label: 'API group', format: 'text', value: ({ spec }) => spec?.parameters?.apiGroup ?? null },
        { label: 'Scope', format: 'text', value: ({ spec }) => spec?.parameters?.scope ?? null },
      ],
    },
    'used-by',
    'metadata',
    'events',
    'yaml',
  ],
  actions: [
    defaultClassAction('ingressclass', 'ingressclasses.networking.k8s.io', defaultIngressClassAnnotation),
  ],
});
