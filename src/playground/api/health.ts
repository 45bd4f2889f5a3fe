import type { Call } from './request.ts';
import type { Answer } from './respond.ts';

/** The health checks of a real API server, in its order. */
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
/** Checks of /readyz only, before its last one, `shutdown`. */
const readinessChecks = new Set(['etcd-readiness', 'informer-sync']);
const endpoints = ['healthz', 'livez', 'readyz'];

const checksOf = (endpoint: string): string[] => [
  ...checks.filter((check) => endpoint === 'readyz' || !readinessChecks.has(check)),
  ...(endpoint === 'readyz' ? ['shutdown'] : []),
];

const textAnswer = (text: string): Answer => ({
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
  if (check !== '') return all.includes(check) ? textAnswer('ok') : undefined;
  if (!query.has('verbose')) return textAnswer('ok');
  const excluded = new Set(query.getAll('exclude'));
  const lines = all.map((one) => (excluded.has(one) ? `[+]${one} excluded: ok` : `[+]${one} ok`));
  return textAnswer(`${lines.join('\n')}\n${endpoint} check passed\n`);
}
