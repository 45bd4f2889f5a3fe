import { gatewayGroup, type GatewayClass } from '../../src/kube/gateway.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';
import { gatewayAddOn, gatewayHealth } from './parts/gateway.ts';

export const gatewayclass = defineKind<GatewayClass>({
  id: 'gatewayclass',
  kind: 'GatewayClass',
  group: gatewayGroup,
  version: 'v1',
  plural: 'gatewayclasses',
  scope: 'Cluster',
  aliases: ['gc', 'gatewayclasses'],
  title: 'GatewayClasses',
  icon: 'gateway',
  permissions: { view: 'clusters.view', manage: 'owner' },
  sidebar: { section: 'More', order: 90 },
  addOn: gatewayAddOn,
  ...gatewayHealth('gatewayclass', 'GatewayClass', 'Gateways of this class do not work.'),
  columns: [
    'name',
    'status',
    {
      id: 'controller',
      label: 'Controller',
      format: 'text',
      dropAt: 2,
      value: ({ spec }) => spec?.controllerName ?? null,
    },
    {
      id: 'description',
      label: 'Description',
      format: 'message',
      dropAt: 4,
      value: ({ spec }) => spec?.description ?? null,
    },
    'labels',
    'age',
  ],
  usedBy: ['gateway'],
  graph: 'shared',
  sections: [
    {
      title: 'Spec',
      fields: [
        { label: 'Controller', format: 'mono', value: ({ spec }) => spec?.controllerName ?? null },
        { label: 'Description', format: 'message', value: ({ spec }) => spec?.description ?? null },
        {
          label: 'Parameters',
          format: 'object',
          value: ({ spec }) => {
            const { kind = '', namespace, name } = spec?.parametersRef ?? {};
            if (name === undefined) return null;
            return [kind, namespace === undefined ? name : `${namespace}/${name}`];
          },
        },
      ],
    },
    'conditions',
    'used-by',
    'metadata',
    'events',
    'yaml',
  ],
});
