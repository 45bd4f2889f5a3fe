import { endpointCounts, type EndpointSlice, serviceNameLabel } from '../../src/kube/networking.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';
import { readyColumn } from './parts/workload.ts';

const serviceOf = ({ metadata }: EndpointSlice) => metadata?.labels?.[serviceNameLabel];
const portsOf = ({ ports }: EndpointSlice) =>
  (ports ?? []).map(
    ({ name, port, protocol = 'TCP' }) => `${name ? `${name} ` : ''}${port ?? '*'}/${protocol}`,
  );

export const endpointslice = defineKind<EndpointSlice>({
  id: 'endpointslice',
  kind: 'EndpointSlice',
  group: 'discovery.k8s.io',
  version: 'v1',
  plural: 'endpointslices',
  scope: 'Namespaced',
  aliases: ['eps', 'endpointslices'],
  title: 'EndpointSlices',
  icon: 'endpointslice',
  permissions: { view: 'namespaces.view', manage: 'resources.manage' },
  sidebar: { section: 'More', order: 60 },
  status: (object) => {
    const { ready, all } = endpointCounts(object);
    if (all === 0) return { tone: 'idle', label: 'Empty' };
    if (ready === 0) return { tone: 'warn', label: 'None ready' };
    return ready < all ? { tone: 'warn', label: 'Some ready' } : { tone: 'ok', label: 'Ready' };
  },
  columns: [
    'namespace',
    'name',
    readyColumn((object) => {
      const { ready, all } = endpointCounts(object);
      return { ready, desired: all };
    }),
    'status',
    {
      id: 'service',
      label: 'Service',
      format: 'text',
      links: { to: 'named', kind: 'service' },
      dropAt: 3,
      value: (object) => serviceOf(object) ?? null,
    },
    { id: 'ports', label: 'Ports', format: 'mono', dropAt: 4, value: portsOf },
    {
      id: 'addresses',
      label: 'Addresses',
      format: 'mono',
      dropAt: 5,
      value: ({ endpoints }) => (endpoints ?? []).flatMap(({ addresses }) => addresses ?? []),
    },
    {
      id: 'type',
      label: 'Type',
      format: 'text',
      wide: true,
      dropAt: 6,
      value: ({ addressType }) => addressType ?? null,
    },
    'labels',
    'age',
  ],
  facts: (object) => ({ service: serviceOf(object) ?? null }),
  refs: (object) =>
    (object.endpoints ?? []).flatMap(({ targetRef }) => {
      const { kind, name, namespace } = targetRef ?? {};
      return kind !== 'Pod' || name === undefined
        ? []
        : [
            {
              relation: 'targets' as const,
              apiVersion: 'v1',
              kind,
              ...(namespace === undefined ? {} : { namespace }),
              name,
            },
          ];
    }),
  sections: [
    {
      title: 'Endpoints',
      fields: [
        { label: 'Type', format: 'text', value: ({ addressType }) => addressType ?? null },
        { label: 'Ports', format: 'mono', value: portsOf },
        {
          label: 'Addresses',
          format: 'mono',
          value: ({ endpoints }) =>
            (endpoints ?? []).map(({ addresses = [], conditions, nodeName, zone }) => {
              const { ready, serving, terminating } = conditions ?? {};
              const state =
                terminating === true
                  ? serving === true
                    ? 'ending, still serving'
                    : 'ending'
                  : ready === false
                    ? 'not ready'
                    : 'ready';
              const place = [nodeName, zone].filter((part) => part !== undefined).join(', ');
              return `${addresses.join(', ')} ${state}${place === '' ? '' : ` (${place})`}`;
            }),
        },
      ],
    },
    'related',
    'metadata',
    'events',
    'yaml',
  ],
});
