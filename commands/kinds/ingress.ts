import { lastEdit } from '../../src/kube/last-change.ts';
import {
  backendText,
  type Ingress,
  ingressAddresses,
  ingressClassOf,
  ingressHosts,
  ingressRoutes,
} from '../../src/kube/networking.ts';
import { defineKind, type RelatedObject } from '../../src/registry/kinds/kind.ts';

/** The addresses of an ingress that a browser can open; wildcard hosts are not among them. */
const linksOf = (object: Ingress) =>
  ingressRoutes(object)
    .filter(({ host, pathType }) => !host.includes('*') && pathType !== 'Default')
    .map(
      ({ host, path, isSecure }) =>
        `${isSecure ? 'https' : 'http'}://${host}${path.startsWith('/') ? path : '/'}`,
    );

/** Whether no controller serves the ingress: it has no class, and no address either. */
const hasNobody = (object: Ingress) =>
  ingressClassOf(object) === undefined && ingressAddresses(object).length === 0;

function refs(object: Ingress): readonly RelatedObject[] {
  const { namespace } = object.metadata ?? {};
  const placed = namespace === undefined ? {} : { namespace };
  const found = new Map<string, RelatedObject>();
  for (const { backend } of ingressRoutes(object)) {
    const name = backend.service?.name;
    if (name === undefined) continue;
    found.set(`Service/${name}`, { relation: 'targets', apiVersion: 'v1', kind: 'Service', ...placed, name });
  }
  for (const { secretName } of object.spec?.tls ?? []) {
    if (secretName === undefined || secretName === '') continue;
    found.set(`Secret/${secretName}`, {
      relation: 'uses',
      apiVersion: 'v1',
      kind: 'Secret',
      ...placed,
      name: secretName,
    });
  }
  const className = ingressClassOf(object);
  return [
    ...found.values(),
    ...(className === undefined
      ? []
      : [
          {
            relation: 'uses' as const,
            apiVersion: 'networking.k8s.io/v1',
            kind: 'IngressClass',
            name: className,
          },
        ]),
  ];
}

export const ingress = defineKind<Ingress>({
  id: 'ingress',
  kind: 'Ingress',
  group: 'networking.k8s.io',
  version: 'v1',
  plural: 'ingresses',
  scope: 'Namespaced',
  aliases: ['ing', 'ingresses'],
  title: 'Ingresses',
  icon: 'ingress',
  permissions: { view: 'namespaces.view', manage: 'ingresses.manage' },
  paths: {
    list: '/clusters/:clusterId/ingresses',
    detail: [
      '/clusters/:clusterId/namespaces/:namespaceName/ingresses/:ingressName',
      '/clusters/:clusterId/ingresses/:namespaceName/:ingressName',
    ],
  },
  sidebar: { section: 'Network', order: 20, keys: 'g i' },
  status: (object) => {
    if (hasNobody(object)) return { tone: 'warn', label: 'No class' };
    return ingressAddresses(object).length > 0
      ? { tone: 'ok', label: 'Serving' }
      : { tone: 'info', label: 'No address yet' };
  },
  attention: (object, { missing = [] } = {}) => {
    const lost = missing.filter(({ kind }) => kind === 'Service').map(({ name }) => name);
    if (lost.length > 0) {
      return {
        rule: 'ingress.no-backend',
        tone: 'bad',
        extent: lost.length,
        title: `It sends requests to ${lost.length === 1 ? 'a service that does' : `${lost.length} services that do`} not exist.`,
        detail: `There is no service ${lost.join(', ')} in this namespace: requests for it end with an error.`,
      };
    }
    if (!hasNobody(object)) return undefined;
    return {
      rule: 'ingress.no-class',
      tone: 'warn',
      title: 'It names no ingress class, and no controller has taken it.',
      detail: 'Set spec.ingressClassName, or make one class the default and create the ingress again.',
    };
  },
  rules: ['ingress.no-backend', 'ingress.no-class'],
  around: ['targets'],
  changed: lastEdit,
  columns: [
    'namespace',
    'name',
    'status',
    {
      id: 'class',
      label: 'Class',
      format: 'text',
      links: { to: 'named', kind: 'ingressclass' },
      dropAt: 3,
      value: (object) => ingressClassOf(object) ?? null,
    },
    { id: 'hosts', label: 'Hosts', format: 'list', dropAt: 2, value: ingressHosts },
    { id: 'address', label: 'Address', format: 'mono', dropAt: 4, value: ingressAddresses },
    {
      id: 'paths',
      label: 'Paths',
      format: 'list',
      links: { to: 'reference', kind: 'service' },
      dropAt: 5,
      value: (object) =>
        ingressRoutes(object).map(({ path, backend }) => `${path} → ${backendText(backend)}`),
    },
    {
      id: 'tls',
      label: 'TLS',
      format: 'list',
      links: { to: 'named', kind: 'secret' },
      wide: true,
      dropAt: 6,
      value: ({ spec }) => (spec?.tls ?? []).flatMap(({ secretName }) => secretName ?? []),
    },
    'labels',
    'age',
  ],
  facts: (object) => ({ class: ingressClassOf(object) ?? null, hosts: ingressHosts(object) }),
  refs,
  sections: [
    {
      title: 'Spec',
      fields: [
        {
          label: 'Class',
          format: 'text',
          value: (object) => ingressClassOf(object) ?? null,
          links: { to: 'named', kind: 'ingressclass' },
        },
        { label: 'Address', format: 'mono', value: ingressAddresses },
        {
          label: 'Default backend',
          format: 'mono',
          links: { to: 'reference', kind: 'service' },
          value: ({ spec }) => (spec?.defaultBackend === undefined ? null : backendText(spec.defaultBackend)),
        },
        { label: 'Open', format: 'link', value: linksOf },
        {
          label: 'TLS',
          format: 'mono',
          value: ({ spec }) =>
            (spec?.tls ?? []).map(
              ({ hosts = [], secretName }) =>
                `${hosts.join(', ') || 'all hosts'}: ${secretName ?? 'the controller’s own certificate'}`,
            ),
        },
      ],
    },
    {
      title: 'Rules',
      fields: [
        {
          label: 'Routes',
          format: 'mono',
          links: { to: 'reference', kind: 'service' },
          value: (object) =>
            ingressRoutes(object).map(
              ({ host, path, pathType, backend }) => `${host}${path} (${pathType}) → ${backendText(backend)}`,
            ),
        },
      ],
    },
    'related',
    'metadata',
    'events',
    'yaml',
  ],
});
