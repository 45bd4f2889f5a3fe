import { timestamp } from '../kit/clock.ts';
import type { Rec } from '../kit/values.ts';
import { create, put } from '../life/write.ts';
import type { World } from '../store/world.ts';
import type { Definition } from './definitions.ts';

const group = 'gateway.networking.k8s.io';
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const column = (name: string, jsonPath: string, type = 'string'): Rec => ({ name, type, jsonPath });
const age = column('Age', '.metadata.creationTimestamp', 'date');
const sharedParts = {
  group,
  categories: ['gateway-api'],
  approved: 'https://github.com/kubernetes-sigs/gateway-api/pull/4530',
  spec: open,
  status: open,
} as const;

/** The definitions of the Gateway API's standard channel, with their names, versions and columns. */
export const gatewayDefinitions: readonly Definition[] = [
  {
    ...sharedParts,
    version: 'v1',
    kind: 'GatewayClass',
    plural: 'gatewayclasses',
    shortNames: ['gc'],
    scope: 'Cluster',
    columns: [
      column('Controller', '.spec.controllerName'),
      column('Accepted', '.status.conditions[?(@.type=="Accepted")].status'),
      age,
    ],
  },
  {
    ...sharedParts,
    version: 'v1',
    kind: 'Gateway',
    plural: 'gateways',
    shortNames: ['gtw'],
    columns: [
      column('Class', '.spec.gatewayClassName'),
      column('Address', '.status.addresses[*].value'),
      column('Programmed', '.status.conditions[?(@.type=="Programmed")].status'),
      age,
    ],
  },
  {
    ...sharedParts,
    version: 'v1',
    kind: 'HTTPRoute',
    plural: 'httproutes',
    columns: [column('Hostnames', '.spec.hostnames'), age],
  },
  {
    ...sharedParts,
    version: 'v1',
    kind: 'GRPCRoute',
    plural: 'grpcroutes',
    columns: [column('Hostnames', '.spec.hostnames'), age],
  },
  {
    ...sharedParts,
    version: 'v1beta1',
    kind: 'ReferenceGrant',
    plural: 'referencegrants',
    shortNames: ['refgrant'],
    columns: [age],
  },
];

const controllerName = 'io.cilium/gateway-controller';
const edge = { name: 'edge', namespace: 'ingress' };

type MakeCondition = (type: string) => Rec;

/** Makes conditions with status True and the current time. */
function conditionsOf(world: World): MakeCondition {
  const lastTransitionTime = timestamp(world.clock.now());
  return (type) => ({
    type,
    status: 'True',
    reason: type,
    message: '',
    observedGeneration: 1,
    lastTransitionTime,
  });
}

function plantWithStatus(
  world: World,
  [plural, namespace, name]: readonly [string, string, string],
  spec: Rec,
  status: Rec,
): void {
  const storage = `${group}/${plural}`;
  const created = create(world, storage, namespace, { metadata: { name }, spec });
  if (created !== undefined) put(world, storage, { ...created, status });
}

const listener = (name: string, protocol: string, port: number, extra: Rec = {}): Rec => ({
  name,
  protocol,
  port,
  allowedRoutes: { namespaces: { from: 'All' } },
  ...extra,
});
const secret = { name: 'shop-acme-example-tls', namespace: 'shop' };

/** Creates the platform team's gateway: its class, listeners and certificate reference. */
function plantEdge(world: World): void {
  const condition = conditionsOf(world);
  plantWithStatus(
    world,
    ['gatewayclasses', '', 'cilium'],
    { controllerName, description: 'The default Cilium GatewayClass' },
    { conditions: [condition('Accepted')] },
  );
  plantWithStatus(
    world,
    ['gateways', edge.namespace, edge.name],
    {
      gatewayClassName: 'cilium',
      listeners: [
        listener('http', 'HTTP', 80),
        listener('https', 'HTTPS', 443, {
          hostname: '*.acme.example',
          tls: { mode: 'Terminate', certificateRefs: [secret] },
        }),
      ],
    },
    {
      addresses: [{ type: 'IPAddress', value: '203.0.113.31' }],
      conditions: [condition('Accepted'), condition('Programmed')],
      listeners: [
        { name: 'http', attachedRoutes: 1 },
        { name: 'https', attachedRoutes: 2 },
      ].map((one) => ({
        ...one,
        conditions: [condition('Accepted'), condition('Programmed'), condition('ResolvedRefs')],
      })),
    },
  );
  create(world, `${group}/referencegrants`, secret.namespace, {
    metadata: { name: 'edge-certificates' },
    spec: {
      from: [{ group, kind: 'Gateway', namespace: edge.namespace }],
      to: [{ group: '', kind: 'Secret', name: secret.name }],
    },
  });
}

const prefix = (value: string): Rec => ({ path: { type: 'PathPrefix', value } });

/** The shop's routes by kind, each with its listener, host and rules. */
const routes: readonly {
  readonly plural: string;
  readonly name: string;
  readonly sectionName: string;
  readonly host: string;
  readonly rules: readonly Rec[];
}[] = [
  {
    plural: 'httproutes',
    name: 'storefront',
    sectionName: 'https',
    host: 'next.acme.example',
    rules: [
      { matches: [prefix('/api/cart')], backendRefs: [{ name: 'cart', port: 8080 }] },
      { matches: [prefix('/')], backendRefs: [{ name: 'storefront', port: 3000 }] },
    ],
  },
  {
    plural: 'httproutes',
    name: 'search',
    sectionName: 'https',
    host: 'search.acme.example',
    rules: [
      {
        matches: [{ ...prefix('/'), method: 'GET' }],
        filters: [{ type: 'RequestHeaderModifier', requestHeaderModifier: { remove: ['x-debug'] } }],
        backendRefs: [
          { name: 'search', port: 7700, weight: 90 },
          { name: 'catalog-api', port: 8080, weight: 10 },
        ],
      },
    ],
  },
  {
    plural: 'grpcroutes',
    name: 'checkout',
    sectionName: 'http',
    host: 'checkout.acme.example',
    rules: [
      {
        matches: [{ method: { service: 'acme.shop.Checkout', method: 'Pay' } }],
        backendRefs: [{ name: 'checkout', port: 8080 }],
      },
    ],
  },
];

/** Creates the gateway and the shop's routes with the status of their controller. */
export function plantGateway(world: World): void {
  plantEdge(world);
  const condition = conditionsOf(world);
  for (const { plural, name, sectionName, host, rules } of routes) {
    const parentRef = { group, kind: 'Gateway', ...edge, sectionName };
    plantWithStatus(
      world,
      [plural, 'shop', name],
      { parentRefs: [parentRef], hostnames: [host], rules: structuredClone([...rules]) },
      {
        parents: [
          { parentRef, controllerName, conditions: [condition('Accepted'), condition('ResolvedRefs')] },
        ],
      },
    );
  }
}
