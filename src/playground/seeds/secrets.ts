import { accountToken } from '../life/authority.ts';
import { create } from '../life/write.ts';
import type { World } from '../store/world.ts';
import { keyOf } from '../store/store.ts';
import type { Rec } from '../kit/values.ts';

const encoded = (values: Readonly<Record<string, string>>): Rec =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
  );

const logins = {
  'registry.acme.example': {
    username: 'puller',
    password: 'not-a-password',
    auth: 'cHVsbGVyOm5vdC1hLXBhc3N3b3Jk',
  },
};
const pull = JSON.stringify({ auths: logins });

interface Seeded {
  readonly namespace: string;
  readonly name: string;
  readonly type?: string;
  readonly data: Readonly<Record<string, string>>;
}

/** Secrets of each type that Kubernetes knows, with invented values. */
const secrets: readonly Seeded[] = [
  {
    namespace: 'shop',
    name: 'storefront-session',
    data: { SESSION_KEY: 'invented-session-key', CSRF_KEY: 'invented-csrf-key' },
  },
  {
    namespace: 'shop',
    name: 'shop-postgres-app',
    data: {
      username: 'shop',
      password: 'invented',
      dbname: 'shop',
      host: 'shop-postgres.shop.svc',
      port: '5432',
    },
  },
  { namespace: 'payments', name: 'psp-credentials', data: { MERCHANT: 'acme', API_KEY: 'invented-api-key' } },
  {
    namespace: 'shop',
    name: 'registry-pull',
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': pull },
  },
  {
    namespace: 'payments',
    name: 'registry-pull',
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': pull },
  },
  {
    namespace: 'platform',
    name: 'registry-pull-old',
    type: 'kubernetes.io/dockercfg',
    data: { '.dockercfg': JSON.stringify(logins) },
  },
  {
    namespace: 'observability',
    name: 'prometheus-remote-write',
    type: 'kubernetes.io/basic-auth',
    data: { username: 'prometheus', password: 'invented' },
  },
  {
    namespace: 'platform',
    name: 'deploy-key',
    type: 'kubernetes.io/ssh-auth',
    data: { 'ssh-privatekey': 'an invented key: it opens nothing\n' },
  },
  {
    namespace: 'kube-system',
    name: 'bootstrap-token-abc123',
    type: 'bootstrap.kubernetes.io/token',
    data: {
      'token-id': 'abc123',
      'token-secret': 'invented0invente',
      'usage-bootstrap-authentication': 'true',
      description: 'Joins new workers',
    },
  },
];

const nginx = `worker_processes auto;
events { worker_connections 1024; }
http {
  server {
    listen 8080;
    location / { proxy_pass http://storefront.shop.svc; }
  }
}
`;

const configs: readonly { namespace: string; name: string; data: Record<string, string> }[] = [
  { namespace: 'shop', name: 'storefront-nginx', data: { 'nginx.conf': nginx } },
  {
    namespace: 'shop',
    name: 'storefront-settings',
    data: {
      LOCALE: 'de-DE',
      CURRENCY: 'EUR',
      'features.json': '{\n  "wishlist": true,\n  "oneClick": false\n}\n',
    },
  },
  {
    namespace: 'payments',
    name: 'ledger-settings',
    data: { 'application.yaml': 'ledger:\n  currency: EUR\n  closeOfDay: "23:30"\n  retries: 3\n' },
  },
  {
    namespace: 'observability',
    name: 'prometheus-rules',
    data: {
      'shop.rules.yaml':
        'groups:\n  - name: shop\n    rules:\n      - alert: CheckoutSlow\n        expr: histogram_quantile(0.95, checkout_seconds_bucket) > 2\n        for: 5m\n',
    },
  },
];

/** Creates an account's token secret as the token controller does; none for a missing account. */
function plantToken(world: World, namespace: string, account: string): void {
  const uid = world.store.get('/serviceaccounts', keyOf(namespace, account))?.metadata.uid;
  if (uid === undefined) return;
  create(world, '/secrets', namespace, {
    metadata: {
      name: `${account}-token`,
      annotations: {
        'kubernetes.io/service-account.name': account,
        'kubernetes.io/service-account.uid': uid,
      },
    },
    type: accountToken,
    data: encoded({ 'ca.crt': world.trust?.authority ?? '', namespace, token: 'invented.token.value' }),
  });
}

/** Creates secrets of every type and config maps of some workloads. */
export function plantSecrets(world: World): void {
  for (const { namespace, name, type, data } of secrets) {
    create(world, '/secrets', namespace, { metadata: { name }, type: type ?? 'Opaque', data: encoded(data) });
  }
  plantToken(world, 'platform', 'ci-runner');
  for (const { namespace, name, data } of configs)
    create(world, '/configmaps', namespace, { metadata: { name }, data });
}
