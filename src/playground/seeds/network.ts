import { create, put } from '../life/write.ts';
import type { World } from '../store/world.ts';
import type { Rec } from '../kit/values.ts';

interface Entrance {
  readonly namespace: string;
  readonly name: string;
  readonly host: string;
  readonly className?: string;
  readonly secret?: string;
  readonly paths: readonly (readonly [path: string, service: string])[];
}

const entrances: readonly Entrance[] = [
  {
    namespace: 'shop',
    name: 'storefront',
    host: 'shop.acme.example',
    secret: 'shop-acme-example-tls',
    paths: [
      ['/', 'storefront'],
      ['/api/cart', 'cart'],
      ['/api/products', 'catalog-api'],
      ['/images', 'image-proxy'],
    ],
  },
  {
    namespace: 'payments',
    name: 'payments-api',
    host: 'pay.acme.example',
    secret: 'pay-acme-example-tls',
    paths: [['/v1', 'payments-api']],
  },
  {
    namespace: 'observability',
    name: 'grafana',
    host: 'grafana.acme.example',
    className: 'internal',
    paths: [['/', 'grafana']],
  },
  {
    namespace: 'platform',
    name: 'argocd-server',
    host: 'argocd.acme.example',
    className: 'internal',
    secret: 'argocd-tls',
    paths: [['/', 'argocd-server']],
  },
  { namespace: 'default', name: 'status-page', host: 'status.acme.example', paths: [['/', 'status-page']] },
];

const address = { nginx: '203.0.113.24', internal: '10.20.0.200' };

/** Creates ingress classes, ingresses with addresses, and network policies. */
export function plantNetwork(world: World): void {
  for (const name of ['nginx', 'internal'] as const) {
    const annotations = name === 'nginx' ? { 'ingressclass.kubernetes.io/is-default-class': 'true' } : {};
    create(world, 'networking.k8s.io/ingressclasses', '', {
      metadata: { name, annotations, labels: { 'app.kubernetes.io/name': 'ingress-nginx' } },
      spec: { controller: name === 'nginx' ? 'k8s.io/ingress-nginx' : 'k8s.io/ingress-nginx-internal' },
    });
  }
  for (const { namespace, name, host, className, secret, paths } of entrances) {
    const created = create(world, 'networking.k8s.io/ingresses', namespace, {
      metadata: { name, labels: { 'app.kubernetes.io/name': name } },
      spec: {
        ingressClassName: className ?? 'nginx',
        ...(secret === undefined ? {} : { tls: [{ hosts: [host], secretName: secret }] }),
        rules: [
          {
            host,
            http: {
              paths: paths.map(([path, service]) => ({
                path,
                pathType: 'Prefix',
                backend: { service: { name: service, port: { name: 'http' } } },
              })),
            },
          },
        ],
      },
    });
    const ip = className === 'internal' ? address.internal : address.nginx;
    if (created !== undefined) {
      put(world, 'networking.k8s.io/ingresses', {
        ...created,
        status: { loadBalancer: { ingress: [{ ip }] } },
      });
    }
  }
  const policy = (namespace: string, name: string, spec: Rec) =>
    create(world, 'networking.k8s.io/networkpolicies', namespace, { metadata: { name }, spec });
  policy('payments', 'default-deny', { podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  policy('payments', 'allow-payments-api', {
    podSelector: { matchLabels: { 'app.kubernetes.io/name': 'payments-api' } },
    policyTypes: ['Ingress'],
    ingress: [
      {
        from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } } }],
        ports: [{ port: 8443, protocol: 'TCP' }],
      },
    ],
  });
  policy('shop', 'postgres-from-shop', {
    podSelector: { matchLabels: { 'app.kubernetes.io/name': 'shop-postgres' } },
    policyTypes: ['Ingress'],
    ingress: [{ from: [{ podSelector: {} }], ports: [{ port: 5432, protocol: 'TCP' }] }],
  });
}
