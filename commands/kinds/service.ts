import type { Service, ServicePort } from '../../src/kube/infrastructure.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';

/** A port as kubectl writes it: `80:30080/TCP`. */
const portText = ({ port, nodePort, protocol = 'TCP' }: ServicePort): string =>
  `${port ?? '?'}${nodePort === undefined ? '' : `:${nodePort}`}/${protocol}`;

function externalAddresses(object: Service): string[] {
  const spec = object.spec ?? {};
  if (spec.type === 'ExternalName') return spec.externalName === undefined ? [] : [spec.externalName];
  const balancer = (object.status?.loadBalancer?.ingress ?? []).flatMap(
    ({ ip, hostname }) => ip ?? hostname ?? [],
  );
  return [...balancer, ...(spec.externalIPs ?? [])];
}

const isPending = (object: Service) =>
  object.spec?.type === 'LoadBalancer' && externalAddresses(object).length === 0;

export const service = defineKind<Service>({
  id: 'service',
  kind: 'Service',
  group: '',
  version: 'v1',
  plural: 'services',
  scope: 'Namespaced',
  aliases: ['svc', 'services'],
  title: 'Services',
  icon: 'service',
  permissions: { view: 'namespaces.view', manage: 'resources.manage' },
  paths: {
    list: '/clusters/:clusterId/services',
    detail: ['/clusters/:clusterId/namespaces/:namespaceName/services/:serviceName'],
  },
  sidebar: { section: 'Network', order: 10, keys: 'g s' },
  status: (object) =>
    isPending(object) ? { tone: 'info', label: 'Pending' } : { tone: 'ok', label: 'Active' },
  columns: [
    'namespace',
    'name',
    'status',
    {
      id: 'type',
      label: 'Type',
      format: 'text',
      dropAt: 2,
      value: (object) => object.spec?.type ?? 'ClusterIP',
    },
    {
      id: 'cluster-ip',
      label: 'Cluster IP',
      format: 'mono',
      dropAt: 3,
      value: (object) => object.spec?.clusterIP ?? null,
    },
    { id: 'external-ip', label: 'External', format: 'mono', dropAt: 4, value: externalAddresses },
    {
      id: 'ports',
      label: 'Ports',
      format: 'mono',
      dropAt: 4,
      value: (object) => (object.spec?.ports ?? []).map(portText),
    },
    {
      id: 'selector',
      label: 'Selector',
      format: 'labels',
      wide: true,
      dropAt: 5,
      value: (object) => Object.entries(object.spec?.selector ?? {}).map(([key, value]) => `${key}=${value}`),
    },
    'labels',
    'age',
  ],
  logs: 'pods',
  pods: (object) => (object.spec?.selector === undefined ? undefined : { matchLabels: object.spec.selector }),
  usedBy: [
    'ingress',
    'httproute',
    'grpcroute',
    'validatingwebhookconfiguration',
    'mutatingwebhookconfiguration',
  ],
  usedAcross: true,
  sections: [
    {
      title: 'Spec',
      fields: [
        { label: 'Type', format: 'text', value: (object) => object.spec?.type ?? 'ClusterIP' },
        {
          label: 'Cluster IP',
          format: 'mono',
          value: (object) => object.spec?.clusterIPs ?? object.spec?.clusterIP ?? null,
        },
        { label: 'External', format: 'mono', value: externalAddresses },
        {
          label: 'Session affinity',
          format: 'text',
          value: (object) => object.spec?.sessionAffinity ?? 'None',
        },
        {
          label: 'Selector',
          format: 'labels',
          value: (object) =>
            Object.entries(object.spec?.selector ?? {}).map(([key, value]) => `${key}=${value}`),
        },
        {
          label: 'Ports',
          format: 'mono',
          value: (object) =>
            (object.spec?.ports ?? []).map(
              (port) =>
                `${port.name === undefined ? '' : `${port.name} `}${portText(port)} → ${port.targetPort ?? port.port ?? '?'}`,
            ),
        },
      ],
    },
    'pods',
    'endpoints',
    'used-by',
    'metadata',
    'events',
    'yaml',
  ],
});
