import {
  attachedRoutes,
  type Gateway,
  gatewayGroup,
  listenerStatus,
  listenerText,
} from '../../src/kube/gateway.ts';
import { defineKind, type RelatedObject } from '../../src/registry/kinds/kind.ts';
import { certificateRefs, conditionCell, gatewayAddOn, gatewayHealth } from './parts/gateway.ts';

const listenersOf = ({ spec }: Gateway) => spec?.listeners ?? [];
const addressesOf = ({ status }: Gateway) => (status?.addresses ?? []).flatMap(({ value }) => value ?? []);

function refs(object: Gateway): readonly RelatedObject[] {
  const { gatewayClassName } = object.spec ?? {};
  return [
    ...(gatewayClassName === undefined
      ? []
      : [
          {
            relation: 'uses' as const,
            apiVersion: `${gatewayGroup}/v1`,
            kind: 'GatewayClass',
            name: gatewayClassName,
          },
        ]),
    ...certificateRefs(
      object,
      listenersOf(object).flatMap(({ tls }) => tls?.certificateRefs ?? []),
    ),
  ];
}

export const gateway = defineKind<Gateway>({
  id: 'gateway',
  kind: 'Gateway',
  group: gatewayGroup,
  version: 'v1',
  plural: 'gateways',
  scope: 'Namespaced',
  aliases: ['gtw', 'gateways'],
  title: 'Gateways',
  icon: 'gateway',
  permissions: { view: 'namespaces.view', manage: 'owner' },
  sidebar: { section: 'More', order: 80 },
  addOn: gatewayAddOn,
  ...gatewayHealth('gateway', 'Gateway', 'Traffic that it should let in may be blocked.'),
  columns: [
    'namespace',
    'name',
    'status',
    {
      id: 'class',
      label: 'Class',
      format: 'text',
      links: { to: 'named', kind: 'gatewayclass' },
      dropAt: 2,
      value: ({ spec }) => spec?.gatewayClassName ?? null,
    },
    { id: 'addresses', label: 'Addresses', format: 'mono', dropAt: 3, value: addressesOf },
    {
      id: 'listeners',
      label: 'Listeners',
      format: 'mono',
      dropAt: 4,
      value: (object) => listenersOf(object).map(listenerText),
    },
    {
      id: 'routes',
      label: 'Routes',
      format: 'number',
      dropAt: 3,
      value: (object) => attachedRoutes(object) ?? null,
    },
    'labels',
    'age',
  ],
  refs,
  usedBy: ['httproute', 'grpcroute'],
  usedAcross: true,
  sections: [
    {
      title: 'Spec',
      fields: [
        {
          label: 'Class',
          format: 'text',
          value: ({ spec }) => spec?.gatewayClassName ?? null,
          links: { to: 'named', kind: 'gatewayclass' },
        },
        { label: 'Addresses', format: 'mono', value: addressesOf },
        { label: 'Routes', format: 'number', value: (object) => attachedRoutes(object) ?? null },
      ],
    },
    {
      title: 'Listeners',
      columns: [
        { label: 'Listener', format: 'mono' },
        { label: 'TLS', format: 'text' },
        { label: 'Routes from', format: 'text' },
        { label: 'Routes', format: 'number' },
        { label: 'State', format: 'status' },
      ],
      rows: (object) =>
        listenersOf(object).map((listener) => {
          const found = listenerStatus(object, listener.name);
          const { tls, allowedRoutes } = listener;
          const from = allowedRoutes?.namespaces?.from ?? 'Same';
          return [
            listenerText(listener),
            tls === undefined ? null : (tls.mode ?? 'Terminate'),
            { All: 'every namespace', Same: 'this namespace', Selector: 'selected namespaces' }[from] ?? from,
            found?.attachedRoutes ?? null,
            conditionCell(found?.conditions, 'Programmed'),
          ];
        }),
      empty: () => 'It has no listeners, so nothing gets in.',
    },
    'conditions',
    'used-by',
    'related',
    'metadata',
    'events',
    'yaml',
  ],
});
