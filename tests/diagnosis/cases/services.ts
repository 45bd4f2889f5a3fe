import { all, but, crashed, object, pod, type RuleCase } from './rule-case.ts';

const service = (spec: string, metadata = '') =>
  object('v1', 'Service', 'web', `spec: { ${spec} }\nstatus: { loadBalancer: {} }`, metadata);
const slice = (isReady: boolean) =>
  object(
    'discovery.k8s.io/v1',
    'EndpointSlice',
    'web-1',
    `addressType: IPv4\nendpoints: [{ addresses: [10.1.0.9], conditions: { ready: ${isReady} } }]`,
    'labels: { kubernetes.io/service-name: web }',
  );
const listening = (status = '') => pod({ container: 'ports: [{ name: http, containerPort: 8080 }]', status });
const toWeb = 'selector: { app: web }, ports: [{ name: http, port: 80, targetPort: 8080 }]';
const slip = all(service('selector: { app: wbe }, ports: [{ port: 80 }]'), listening());

/** Cases of the rules about services. */
export const serviceCases: readonly RuleCase[] = [
  {
    rule: 'service.no-pods',
    broken: slip,
    names: /app=wbe; pod web-0 has app=web/,
    near: {
      'somebody wants none of its pods': all(
        service('selector: { app: idle }, ports: [{ port: 80 }]'),
        object(
          'apps/v1',
          'Deployment',
          'idle',
          'spec: { replicas: 0, template: { metadata: { labels: { app: idle } } } }',
        ),
      ),
      'it has no selector': service('ports: [{ port: 80 }]'),
      'it is a name outside': service('type: ExternalName, externalName: example.org, selector: { app: x }'),
      'its pods are there': all(service(toWeb), slice(true), listening()),
      'its pods are about to be there': all(service(toWeb), listening()),
    },
  },
  {
    rule: 'service.no-pods',
    broken: service('selector: { app: web, tier: front }, ports: [{ port: 80 }]'),
    names: /app=web,tier=front/,
    near: { 'somebody else made its endpoints': all(service(toWeb), slice(true)) },
  },
  {
    rule: 'service.no-pods',
    // Two short words that share nothing are no slip.
    broken: all(service('selector: { app: db }, ports: [{ port: 5432 }]'), listening()),
    names: /app=db\.$/,
    near: { 'somebody else made its endpoints': all(service('selector: { app: db }'), slice(true)) },
  },
  {
    rule: 'service.port',
    broken: all(but(service(toWeb), 'targetPort: 8080', 'targetPort: 8081'), slice(true), listening()),
    names: /8081 .* http \(8080\)/,
    near: {
      'it fits': all(service(toWeb), slice(true), listening()),
      'it fits by name': all(
        but(service(toWeb), 'targetPort: 8080', 'targetPort: http'),
        slice(true),
        listening(),
      ),
      'its pods declare no ports': all(service(toWeb), slice(true), pod({})),
      'one of its ports fits, the other is not declared': all(
        service(
          'selector: { app: web }, ports: [{ name: http, port: 80, targetPort: 8080 }, { name: metrics, port: 9090 }]',
        ),
        slice(true),
        listening(),
      ),
    },
  },
  {
    rule: 'service.none-ready',
    // A condition that somebody else sets keeps the pod from being ready, too recently for the pod's own trouble.
    broken: all(
      service(toWeb),
      slice(false),
      listening(
        "containerStatuses: [{ name: main, ready: true, restartCount: 0, state: { running: { startedAt: '2026-03-01T07:01:00Z' } } }], conditions: [{ type: Ready, status: 'False', reason: ReadinessGatesNotReady, lastTransitionTime: '2026-03-01T07:59:30Z' }]",
      ),
    ),
    names: /one pod behind the service is not ready/,
    near: {
      'its pods crash, which says more': all(service(toWeb), slice(false), listening(crashed(1))),
      'its pods are starting': all(
        service(toWeb),
        slice(false),
        listening(
          "containerStatuses: [{ name: main, ready: false, state: { running: { startedAt: '2026-03-01T07:59:50Z' } } }], conditions: [{ type: Ready, status: 'False', lastTransitionTime: '2026-03-01T07:59:00Z' }]",
        ).replace("startTime: '2026-03-01T07:00:00Z'", "startTime: '2026-03-01T07:59:00Z'"),
      ),
      'one is ready': all(service(toWeb), slice(true), listening()),
    },
  },
  {
    rule: 'service.no-address',
    broken: service('type: LoadBalancer, ports: [{ port: 80 }]'),
    names: /service has no external address/,
    near: {
      'it has one': but(
        service('type: LoadBalancer, ports: [{ port: 80 }]'),
        'loadBalancer: {}',
        'loadBalancer: { ingress: [{ ip: 192.0.2.7 }] }',
      ),
      'it is of the inside': service('type: ClusterIP, ports: [{ port: 80 }]'),
      'it has just been made': but(
        service('type: LoadBalancer, ports: [{ port: 80 }]'),
        '06:00:00',
        '07:58:00',
      ),
    },
  },
];
