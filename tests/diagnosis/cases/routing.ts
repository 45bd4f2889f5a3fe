import { all, but, condition, object, type RuleCase } from './rule-case.ts';

const group = 'gateway.networking.k8s.io';
const path = (name: string, port: string) =>
  `rules: [{ host: shop.example.org, http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: ${name}, port: { ${port} } } } }] } }]`;
const ingress = (spec: string, status = 'status: {}') =>
  object('networking.k8s.io/v1', 'Ingress', 'shop', `spec: { ${spec} }\n${status}`);
const ingressClass = (isDefault = false) =>
  object(
    'networking.k8s.io/v1',
    'IngressClass',
    'nginx',
    'spec: { controller: k8s.io/ingress-nginx }',
    isDefault ? "annotations: { ingressclass.kubernetes.io/is-default-class: 'true' }" : '',
  );
const service = (name = 'web') =>
  object('v1', 'Service', name, 'spec: { ports: [{ name: http, port: 80 }] }');
const toWeb = path('web', 'number: 80');
const good = all(ingress(`ingressClassName: nginx, ${toWeb}`), ingressClass(), service());
const encrypted = all(
  ingress(`ingressClassName: nginx, tls: [{ hosts: [shop.example.org], secretName: shop-tls }], ${toWeb}`),
  ingressClass(),
  service(),
);

const ingressCases: readonly RuleCase[] = [
  {
    rule: 'ingress.class-missing',
    broken: but(good, 'ingressClassName: nginx', 'ingressClassName: traefik'),
    names: /class traefik .* the cluster has nginx/,
    near: {
      'it exists': good,
      'an annotation names a controller': all(
        but(
          ingress(toWeb),
          "creationTimestamp: '2026-03-01T06:00:00Z', ",
          'annotations: { kubernetes.io/ingress.class: alb }',
        ),
        service(),
      ),
    },
  },
  {
    rule: 'ingress.class-unset',
    broken: all(ingress(toWeb), ingressClass(), service()),
    names: /names no class/,
    near: {
      'there is a default': all(ingress(toWeb), ingressClass(true), service()),
      'somebody took it all the same': all(
        ingress(toWeb, 'status: { loadBalancer: { ingress: [{ ip: 192.0.2.7 }] } }'),
        ingressClass(),
        service(),
      ),
    },
  },
  {
    rule: 'ingress.service-missing',
    broken: but(good, 'name: web, port', 'name: storefront, port'),
    names: /storefront.* namespace shop/,
    near: {
      'it exists': good,
      'it sends them to a bucket': all(
        ingress(
          'ingressClassName: nginx, defaultBackend: { resource: { apiGroup: example.org, kind: Bucket, name: web } }',
        ),
        ingressClass(),
      ),
    },
  },
  {
    rule: 'ingress.service-port',
    broken: but(good, 'number: 80', 'number: 8080'),
    names: /port 8080 of service web/,
    near: { 'it has it by name': but(good, 'number: 80', 'name: http'), 'it has it': good },
  },
  {
    rule: 'ingress.certificate-missing',
    broken: encrypted,
    names: /shop-tls .* shop\.example\.org/,
    creates: [
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'shop-tls', namespace: 'shop' },
        type: 'kubernetes.io/tls',
        stringData: { 'tls.crt': '', 'tls.key': '' },
      },
    ],
    near: {
      'it exists': all(encrypted, object('v1', 'Secret', 'shop-tls', 'type: kubernetes.io/tls')),
      'the controller has its own': but(encrypted, ', secretName: shop-tls', ''),
    },
  },
  {
    rule: 'ingress.certificate-missing',
    // Its Secret is made by cert-manager.
    broken: but(
      encrypted,
      "creationTimestamp: '2026-03-01T06:00:00Z',",
      "creationTimestamp: '2026-03-01T06:00:00Z', annotations: { cert-manager.io/cluster-issuer: ca },",
    ),
    names: /shop-tls .* shop\.example\.org/,
    near: { 'it exists': all(encrypted, object('v1', 'Secret', 'shop-tls', 'type: kubernetes.io/tls')) },
  },
];

const gatewayClass = object(
  `${group}/v1`,
  'GatewayClass',
  'proxy',
  'spec: { controllerName: example.org/proxy }',
);
const gateway = (status = 'status: {}') =>
  object(`${group}/v1`, 'Gateway', 'edge', `spec: { gatewayClassName: proxy }\n${status}`);

const gatewayCases: readonly RuleCase[] = [
  {
    rule: 'gateway.class-missing',
    broken: gateway(),
    names: /class proxy/,
    near: { 'it exists': all(gateway(), gatewayClass) },
  },
  {
    rule: 'gateway.refused',
    broken: all(
      gateway(`status: { ${condition('Accepted', 'False', 'Invalid', 'listener names clash')} }`),
      gatewayClass,
    ),
    names: /does not accept the gateway: listener names clash/,
    near: {
      'it does': all(gateway(`status: { ${condition('Accepted', 'True')} }`), gatewayClass),
      'it has not looked at it': all(
        gateway(`status: { ${condition('Accepted', 'Unknown', 'Pending')} }`),
        gatewayClass,
      ),
    },
  },
  {
    rule: 'gateway.refused',
    broken: all(
      gateway(`status: { ${condition('Programmed', 'False', 'NoResources', 'no address is free')} }`),
      gatewayClass,
    ),
    names: /could not set the gateway up: no address is free/,
    near: { 'it did': all(gateway(`status: { ${condition('Programmed', 'True')} }`), gatewayClass) },
  },
  {
    rule: 'gatewayclass.refused',
    broken: `${gatewayClass}\nstatus: { ${condition('Accepted', 'False', 'InvalidParameters', 'no such parameters')} }`,
    names: /gateway class: no such parameters/,
    near: {
      'it is accepted': `${gatewayClass}\nstatus: { ${condition('Accepted', 'True')} }`,
      'nobody looked at it': `${gatewayClass}\nstatus: { ${condition('Accepted', 'Unknown', 'Pending')} }`,
    },
  },
];

const routeCases: readonly RuleCase[] = ['HTTPRoute', 'GRPCRoute'].flatMap((kind) => {
  const route = (spec: string, status = 'status: {}') =>
    object(`${group}/v1`, kind, 'shop', `spec: { ${spec} }\n${status}`);
  const foreign = 'rules: [{ backendRefs: [{ name: web, namespace: pay, port: 80 }] }]';
  const space = (name: string) => object('v1', 'Namespace', name);
  const pay = but(service(), 'namespace: shop', 'namespace: pay');
  const grant = (from: string, to = 'kind: Service') =>
    but(
      object(
        `${group}/v1beta1`,
        'ReferenceGrant',
        'shop',
        `spec: { from: [{ group: ${group}, kind: ${kind}, namespace: ${from} }], to: [{ group: '', ${to} }] }`,
      ),
      'namespace: shop',
      'namespace: pay',
    );
  const refused = (type: string) =>
    `status: { parents: [{ ${condition(type, 'False', 'NotAllowed', 'no listener matches')} }] }`;
  return [
    {
      rule: 'route.gateway-missing',
      broken: route('parentRefs: [{ name: edge }]'),
      names: /gateway shop\/edge/,
      near: {
        'it exists': all(route('parentRefs: [{ name: edge }]'), gateway(), gatewayClass),
        'it belongs to a service': all(
          route('parentRefs: [{ kind: Service, group: "", name: web }]'),
          service(),
        ),
      },
    },
    {
      rule: 'route.service-missing',
      broken: route('rules: [{ backendRefs: [{ name: web, port: 80 }] }]'),
      names: /service shop\/web/,
      near: {
        'it exists': all(route('rules: [{ backendRefs: [{ name: web, port: 80 }] }]'), service()),
        'it sends them to a bucket': route(
          'rules: [{ backendRefs: [{ group: example.org, kind: Bucket, name: web }] }]',
        ),
      },
    },
    {
      rule: 'route.not-granted',
      broken: all(route(foreign), pay, space('pay')),
      names: /namespace pay/,
      near: {
        'a grant allows it': all(route(foreign), pay, space('pay'), grant('shop')),
        'a grant allows this service': all(
          route(foreign),
          pay,
          space('pay'),
          grant('shop', 'kind: Service, name: web'),
        ),
        'the service is its own': all(
          route('rules: [{ backendRefs: [{ name: web, namespace: shop, port: 80 }] }]'),
          service(),
        ),
      },
    },
    {
      rule: 'route.not-granted',
      broken: all(route(foreign), pay, space('pay'), grant('other')),
      names: /namespace pay/,
      near: {
        'it is for this namespace': all(route(foreign), pay, space('pay'), grant('shop')),
        'its namespace is not to be seen': all(route(foreign), pay),
      },
    },
    {
      rule: 'route.refused',
      broken: route('parentRefs: []', refused('Accepted')),
      names: /no listener matches/,
      near: {
        'it is taken': route('parentRefs: []', `status: { parents: [{ ${condition('Accepted', 'True')} }] }`),
        'nobody looked at it': route('parentRefs: []'),
      },
    },
  ];
});

/** Cases of the rules about ingresses, gateways and routes. */
export const routingCases: readonly RuleCase[] = [...ingressCases, ...gatewayCases, ...routeCases];
