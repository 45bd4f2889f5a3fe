import { system, tooling } from './company-platform.ts';
import type { Machine } from './nodes.ts';
import { type Era, registryHost } from './workload.ts';

/** The machines of a middling shop. */
export const machines: readonly Machine[] = [
  { name: 'control-plane-1', zone: 'eu-central-1a', cpu: 4, memory: 16, controlPlane: true },
  { name: 'worker-a1', zone: 'eu-central-1a', cpu: 8, memory: 32 },
  { name: 'worker-a2', zone: 'eu-central-1a', cpu: 8, memory: 32 },
  { name: 'worker-a3', zone: 'eu-central-1a', cpu: 8, memory: 32 },
  { name: 'worker-b1', zone: 'eu-central-1b', cpu: 8, memory: 32 },
  { name: 'worker-b2', zone: 'eu-central-1b', cpu: 8, memory: 32 },
];

const business: Era = {
  days: 33,
  namespaces: {
    shop: { team: 'shop', env: 'production' },
    payments: { team: 'payments', env: 'production' },
  },
  workloads: [
    {
      namespace: 'shop',
      name: 'storefront',
      image: `${registryHost}/shop/storefront:5.31.2`,
      earlier: ['5.29.0', '5.30.4', '5.31.1'],
      replicas: 4,
      cpu: '200m',
      memory: '256Mi',
      port: 3000,
      probe: '/healthz',
      component: 'frontend',
    },
    {
      namespace: 'shop',
      name: 'catalog-api',
      image: `${registryHost}/shop/catalog-api:3.8.0`,
      earlier: ['3.7.2'],
      replicas: 3,
      cpu: '150m',
      memory: '256Mi',
      port: 8080,
      probe: '/ready',
      component: 'api',
    },
    {
      namespace: 'shop',
      name: 'cart',
      image: `${registryHost}/shop/cart:1.44.1`,
      earlier: ['1.43.0'],
      replicas: 3,
      port: 8080,
      probe: '/ready',
      component: 'api',
    },
    {
      namespace: 'shop',
      name: 'checkout',
      image: `${registryHost}/shop/checkout:2.20.0`,
      earlier: ['2.19.4'],
      replicas: 3,
      cpu: '150m',
      memory: '192Mi',
      port: 8080,
      probe: '/ready',
      component: 'api',
      sidecar: ['otel-agent', 'docker.io/otel/opentelemetry-collector:0.140.0'],
    },
    {
      namespace: 'shop',
      name: 'search',
      image: `${registryHost}/shop/search:0.61.7`,
      replicas: 2,
      cpu: '500m',
      memory: '1Gi',
      port: 7700,
      probe: '/health',
    },
    {
      namespace: 'shop',
      name: 'image-proxy',
      image: `${registryHost}/shop/image-proxy:1.9.0`,
      replicas: 2,
      port: 8080,
    },
    {
      kind: 'StatefulSet',
      namespace: 'shop',
      name: 'shop-redis',
      image: 'docker.io/library/redis:8.2.3',
      replicas: 1,
      memory: '512Mi',
      port: 6379,
      storage: '8Gi',
    },
    {
      kind: 'StatefulSet',
      namespace: 'shop',
      name: 'shop-postgres',
      image: 'ghcr.io/cloudnative-pg/postgresql:18.1',
      replicas: 3,
      cpu: '500m',
      memory: '2Gi',
      port: 5432,
      storage: '200Gi',
    },
    {
      namespace: 'payments',
      name: 'payments-api',
      image: `${registryHost}/payments/payments-api:4.3.1`,
      earlier: ['4.2.0', '4.3.0'],
      replicas: 3,
      cpu: '200m',
      memory: '256Mi',
      port: 8443,
      probe: '/ready',
    },
    {
      namespace: 'payments',
      name: 'ledger',
      image: `${registryHost}/payments/ledger:2.6.0`,
      replicas: 2,
      cpu: '200m',
      memory: '384Mi',
      port: 8080,
      probe: '/ready',
    },
    {
      namespace: 'payments',
      name: 'settlement-worker',
      image: `${registryHost}/payments/settlement-worker:1.17.5`,
      replicas: 2,
      behaviour: 'flaky',
    },
    {
      kind: 'StatefulSet',
      namespace: 'payments',
      name: 'payments-postgres',
      image: 'ghcr.io/cloudnative-pg/postgresql:18.1',
      replicas: 2,
      cpu: '500m',
      memory: '2Gi',
      port: 5432,
      storage: '100Gi',
    },
    {
      namespace: 'default',
      name: 'status-page',
      image: `${registryHost}/platform/status-page:1.2.0`,
      port: 8080,
    },
  ],
};

const batch: Era = {
  days: 9,
  namespaces: { batch: { team: 'data' } },
  workloads: [
    {
      namespace: 'batch',
      name: 'report-builder',
      image: `${registryHost}/data/report-builder:0.27.3`,
      replicas: 2,
      cpu: '300m',
      memory: '512Mi',
    },
    {
      kind: 'Job',
      namespace: 'batch',
      name: 'warehouse-backfill',
      image: `${registryHost}/data/warehouse-loader:1.5.0`,
      replicas: 3,
    },
    {
      namespace: 'shop',
      name: 'email-worker',
      image: `${registryHost}/shop/email-worker:1.12.0`,
      replicas: 2,
      behaviour: 'crash-loop',
      env: { SMTP_HOST: 'mail.acme.example' },
      restarts: 2470,
    },
  ],
};

const lately: Era = {
  days: 1.1,
  namespaces: {},
  workloads: [
    {
      namespace: 'shop',
      name: 'recommendations',
      image: `${registryHost}/shop/recommendations:0.9.4`,
      replicas: 2,
      cpu: '200m',
      memory: '512Mi',
      port: 8080,
      behaviour: 'oom',
      restarts: 241,
    },
    {
      namespace: 'payments',
      name: 'psp-gateway',
      image: `${registryHost}/payments/psp-gateway:0.8.1`,
      replicas: 2,
      port: 8080,
      probe: '/ready',
      behaviour: 'unready',
    },
    {
      namespace: 'payments',
      name: 'fraud-scorer',
      image: `${registryHost}/payments/fraud-scorer:3.0.0-rc2`,
      replicas: 1,
      cpu: '6',
      memory: '48Gi',
      port: 9000,
    },
    {
      kind: 'Job',
      namespace: 'batch',
      name: 'invoice-render',
      image: `${registryHost}/data/invoice-render:2.2.1`,
      behaviour: 'exit-1',
    },
    {
      kind: 'Job',
      namespace: 'batch',
      name: 'postgres-backup',
      image: `${registryHost}/data/pg-backup:1.0.9`,
    },
    { kind: 'Pod', namespace: 'default', name: 'netshoot', image: 'docker.io/nicolaka/netshoot:v0.14' },
  ],
};

/** The seed's history, oldest first. */
export const eras: readonly Era[] = [system, tooling, business, batch, lately];

/** A new version that never came up: its image does not exist. */
export const stuckRollout = {
  namespace: 'shop',
  name: 'image-proxy',
  image: `${registryHost}/shop/image-proxy:1.10.0-missing`,
};
