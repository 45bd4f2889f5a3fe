import { all, but, crashed, log, object, pod, type RuleCase, warning } from './rule-case.ts';

/** A pod that ended with these last lines, beside other objects. */
const wrote = (line: string, ...others: readonly string[]): string =>
  all(pod({ status: crashed(1) }), log(line), ...others);

const service = (name: string, spec = '', namespace = 'shop'): string =>
  but(
    object('v1', 'Service', name, `spec: { selector: { app: ${name} }, ports: [{ port: 5432 }], ${spec} }`),
    'namespace: shop',
    `namespace: ${namespace}`,
  );
const policy = (spec: string): string =>
  object('networking.k8s.io/v1', 'NetworkPolicy', 'strict', `spec: { ${spec} }`);
const onlyDatabase = policy(
  'podSelector: {}, policyTypes: [Egress], egress: [{ to: [{ podSelector: { matchLabels: { app: db } } }], ports: [{ port: 5432 }] }]',
);
const withDns = policy(
  'podSelector: {}, policyTypes: [Egress], egress: [{ ports: [{ port: 53, protocol: UDP }] }]',
);
const lookup =
  'dial tcp: lookup db.shop.svc.cluster.local on 10.96.0.10:53: read udp 10.1.0.9:4123->10.96.0.10:53: i/o timeout';
const absentName = 'Error: getaddrinfo ENOTFOUND db';
const timeout = 'dial tcp: connect ETIMEDOUT db:5432';
const database = pod({ name: 'db-0', labels: 'app: db' });
const slice = (name: string, ready: boolean): string =>
  object(
    'discovery.k8s.io/v1',
    'EndpointSlice',
    `${name}-1`,
    `endpoints: [{ addresses: [10.1.0.4], conditions: { ready: ${ready} } }]`,
    `labels: { kubernetes.io/service-name: ${name} },`,
  );
const emptied = object(
  'apps/v1',
  'Deployment',
  'db',
  'spec: { replicas: 0, template: { metadata: { labels: { app: db } } } }',
);
const refused = 'connection to server at "db" (10.96.44.12), port 5432 failed: Connection refused';
const external = (target: string): string =>
  object('v1', 'Service', 'out', `spec: { type: ExternalName, externalName: ${target} }`);
const balancer = object('v1', 'Service', 'edge', 'spec: { type: LoadBalancer, ports: [{ port: 80 }] }');
const unbalanced = warning(
  'Service',
  'edge',
  'SyncLoadBalancerFailed',
  'Error syncing load balancer: failed to ensure load balancer: no subnet',
);

/** Cases of the rules about what programs call. */
export const callCases: readonly RuleCase[] = [
  {
    rule: 'pod.dns-forbidden',
    broken: wrote(lookup, onlyDatabase),
    names: /NetworkPolicy strict does not let the pod ask DNS/,
    near: {
      'the policy allows port 53': wrote(lookup, withDns),
      'the DNS answered that there is none': wrote(absentName, onlyDatabase),
      'the policy is for other pods': wrote(
        lookup,
        but(onlyDatabase, 'podSelector: {}', 'podSelector: { matchLabels: { app: other } }'),
      ),
    },
  },
  {
    rule: 'pod.dns-mode',
    broken: all(
      pod({ spec: 'dnsPolicy: Default,', status: crashed(1) }),
      log(absentName),
      service('db'),
      slice('db', true),
      database,
    ),
    names: /cannot find service db: its dnsPolicy Default asks the DNS of its node/,
    near: {
      'it asks the cluster': wrote(absentName, service('db'), slice('db', true), database),
      'it looks for a host of the world': all(
        pod({ spec: 'dnsPolicy: Default,', status: crashed(1) }),
        log('Error: getaddrinfo ENOTFOUND db.example.org'),
      ),
    },
  },
  {
    rule: 'pod.call-forbidden',
    broken: wrote(
      timeout,
      service('db'),
      slice('db', true),
      database,
      policy('podSelector: { matchLabels: { app: db } }, policyTypes: [Ingress], ingress: []'),
    ),
    names:
      /NetworkPolicy strict of namespace shop does not let pods with app=web reach the pods of service db/,
    near: {
      'the policy allows the pod': wrote(
        timeout,
        service('db'),
        slice('db', true),
        database,
        policy(
          'podSelector: { matchLabels: { app: db } }, policyTypes: [Ingress], ingress: [{ from: [{ podSelector: { matchLabels: { app: web } } }] }]',
        ),
      ),
    },
  },
  {
    rule: 'service.scaled-to-zero',
    broken: wrote(refused, service('db'), emptied),
    names: /Deployment db is scaled to 0, so no pods are behind service db/,
    near: {
      'nobody calls it': all(service('db'), emptied),
      'it has pods': wrote(refused, service('db'), slice('db', true), database, emptied),
    },
  },
  {
    rule: 'service.external-name',
    broken: external('api.pay.svc.cluster.local'),
    names: /no service api in namespace pay/,
    near: { 'it is a host of the world': external('api.example.org') },
  },
  {
    rule: 'service.load-balancer',
    broken: all(balancer, unbalanced),
    names: /load balancer cannot be made: no subnet/,
    near: { 'nothing was said': balancer },
  },
];
