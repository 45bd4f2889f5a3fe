import { apiVersionOf, type Registry } from '../registry/registry.ts';
import type { Call } from './request.ts';
import type { Answer } from './respond.ts';

/** What an API server looks at to say that it is well, in the order in which it says so. */
const checks: readonly string[] = [
  'ping',
  'log',
  'etcd',
  'etcd-readiness',
  'informer-sync',
  ...[
    'start-apiserver-admission-initializer',
    'generic-apiserver-start-informers',
    'priority-and-fairness-config-consumer',
    'priority-and-fairness-filter',
    'storage-object-count-tracker-hook',
    'start-apiextensions-informers',
    'start-apiextensions-controllers',
    'crd-informer-synced',
    'start-system-namespaces-controller',
    'start-cluster-authentication-info-controller',
    'start-kube-apiserver-identity-lease-controller',
    'start-kube-apiserver-identity-lease-garbage-collector',
    'start-legacy-token-tracking-controller',
    'start-service-ip-repair-controllers',
    'rbac/bootstrap-roles',
    'scheduling/bootstrap-system-priority-classes',
    'priority-and-fairness-config-producer',
    'bootstrap-controller',
    'start-kubernetes-service-cidr-controller',
    'aggregator-reload-proxy-client-cert',
    'start-kube-aggregator-informers',
    'apiservice-status-local-available-controller',
    'apiservice-status-remote-available-controller',
    'apiservice-registration-controller',
    'apiservice-discovery-controller',
    'kube-apiserver-autoregistration',
  ].map((hook) => `poststarthook/${hook}`),
  'autoregister-completion',
  'poststarthook/apiservice-openapi-controller',
  'poststarthook/apiservice-openapiv3-controller',
];
/** Only readiness asks for these, and ends with whether the server is going down. */
const readiness = new Set(['etcd-readiness', 'informer-sync']);
const endpoints = ['healthz', 'livez', 'readyz'];

const checksOf = (endpoint: string): string[] => [
  ...checks.filter((check) => endpoint === 'readyz' || !readiness.has(check)),
  ...(endpoint === 'readyz' ? ['shutdown'] : []),
];

const plain = (text: string): Answer => ({
  code: 200,
  text,
  headers: { 'x-content-type-options': 'nosniff' },
});

/** Answers /healthz, /livez and /readyz, whole or one check of them; undefined for any other path. */
export function healthAnswer({ query }: Call, path: string): Answer | undefined {
  const [, endpoint = '', ...rest] = path.split('/');
  if (!endpoints.includes(endpoint)) return undefined;
  const check = rest.join('/');
  const all = checksOf(endpoint);
  if (check !== '') return all.includes(check) ? plain('ok') : undefined;
  if (!query.has('verbose')) return plain('ok');
  const left = new Set(query.getAll('exclude'));
  const lines = all.map((one) => (left.has(one) ? `[+]${one} excluded: ok` : `[+]${one} ok`));
  return plain(`${lines.join('\n')}\n${endpoint} check passed\n`);
}

/** GET /: every path there is outside the resources. */
export function rootPaths(registry: Registry): { paths: string[] } {
  const groups = registry.groups.flatMap(({ name, versions }) =>
    versions.flatMap(({ resources }) => {
      const [resource] = resources;
      if (resource === undefined) return [];
      return name === ''
        ? [`/api/${resource.version}`]
        : [`/apis/${name}`, `/apis/${apiVersionOf(resource)}`];
    }),
  );
  const health = endpoints.flatMap((endpoint) => [
    `/${endpoint}`,
    ...checksOf(endpoint).map((check) => `/${endpoint}/${check}`),
  ]);
  const fixed = [
    '/.well-known/openid-configuration',
    '/api',
    '/apis',
    '/apis/',
    '/openapi/v2',
    '/openapi/v3',
  ];
  const others = ['/openapi/v3/', '/openid/v1/jwks', '/version'];
  return { paths: Array.from(new Set([...fixed, ...groups, ...health, ...others])).sort() };
}
