import { condition as conditionOf } from '../../../kube/workload-status.ts';
import type { Gateway, GatewayClass, GatewayReference, Route } from '../../../kube/gateway.ts';
import type { Service } from '../../../kube/infrastructure.ts';
import {
  type Ingress,
  ingressClassOf,
  ingressRoutes,
  defaultIngressClassAnnotation,
} from '../../../kube/networking.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { absent, type Clue, condition, field, present, rule, trail } from '../rule.ts';
import { allOf, namedObject, oneOf, type World } from '../world.ts';

const namespaceOf = ({ metadata }: KubeObject): string => metadata?.namespace ?? '';

/** The services that an ingress sends requests to, each once. */
const servicesOf = (ingress: Ingress): readonly string[] => [
  ...new Set(ingressRoutes(ingress).flatMap(({ backend }) => backend.service?.name ?? [])),
];

const hasPort = ({ spec }: Service, port: number | string | undefined): boolean =>
  port === undefined || (spec?.ports ?? []).some((one) => one.port === port || one.name === port);

const ingressRule = (
  id: string,
  tone: 'warn' | 'bad',
  find: (ingress: Ingress, world: World) => Clue | undefined,
) =>
  rule<Ingress>({
    id: `ingress.${id}`,
    kind: 'Ingress.networking.k8s.io',
    tone,
    sort: 'cause',
    isSwept: true,
    find,
  });

const ingressRules = [
  ingressRule('class-missing', 'bad', (ingress, world) => {
    const name = ingressClassOf(ingress);
    // The annotation from before there were classes may name a controller without one.
    if (ingress.spec?.ingressClassName === undefined || name === undefined) return undefined;
    if (oneOf(world, 'IngressClass', name) !== null) return undefined;
    const others = (allOf(world, 'IngressClass') ?? []).map(({ metadata }) => metadata?.name ?? '');
    return {
      sentence: `The ingress class ${name} does not exist, so no controller takes the ingress${others.length === 0 ? '' : `; there is ${others.join(', ')}`}.`,
      evidence: [
        field(ingress, 'spec.ingressClassName'),
        absent(namedObject('IngressClass', name)),
        ...others.map(
          (one) => ({ type: 'object', of: namedObject('IngressClass', one), exists: true }) as const,
        ),
      ],
    };
  }),
  ingressRule('class-unset', 'warn', (ingress, world) => {
    if (ingressClassOf(ingress) !== undefined) return undefined;
    if ((ingress.status?.loadBalancer?.ingress ?? []).length > 0) return undefined;
    const classes = allOf(world, 'IngressClass');
    const isGiven = ({ metadata }: KubeObject) =>
      metadata?.annotations?.[defaultIngressClassAnnotation] === 'true';
    if (classes === undefined || classes.some(isGiven)) return undefined;
    return {
      sentence: 'The ingress names no class, and no class is the default: no controller takes it.',
      evidence: [field(ingress, 'spec.ingressClassName'), ...classes.map(present)],
    };
  }),
  ingressRule('service-missing', 'bad', (ingress, world) => {
    const missing = servicesOf(ingress).filter(
      (name) => oneOf(world, 'Service', name, namespaceOf(ingress)) === null,
    );
    if (missing.length === 0) return undefined;
    return {
      sentence: `The ingress sends requests to ${missing.length === 1 ? 'the service' : 'the services'} ${missing.join(', ')}, which ${missing.length === 1 ? 'does' : 'do'} not exist in namespace ${namespaceOf(ingress)}.`,
      evidence: [
        field(ingress, 'spec.rules'),
        ...missing.map((name) => absent(namedObject('Service', name, namespaceOf(ingress)))),
      ],
    };
  }),
  ingressRule('service-port', 'bad', (ingress, world) => {
    for (const { backend } of ingressRoutes(ingress)) {
      const { name, port } = backend.service ?? {};
      const service = name === undefined ? undefined : oneOf(world, 'Service', name, namespaceOf(ingress));
      const wanted = port?.name ?? port?.number;
      if (!service || hasPort(service, wanted)) continue;
      return {
        sentence: `The ingress sends requests to port ${wanted} of service ${name}, which has no such port.`,
        evidence: [field(ingress, 'spec.rules'), field(service, 'spec.ports')],
      };
    }
    return undefined;
  }),
  ingressRule('certificate-missing', 'bad', (ingress, world) => {
    const tls = ingress.spec?.tls ?? [];
    const at = tls.findIndex(
      ({ secretName }) =>
        secretName !== undefined && oneOf(world, 'Secret', secretName, namespaceOf(ingress)) === null,
    );
    const name = tls[at]?.secretName;
    if (name === undefined) return undefined;
    return {
      sentence: `The Secret ${name} with the certificate of ${tls[at]?.hosts?.join(', ') ?? 'its hosts'} does not exist.`,
      evidence: [
        field(ingress, `spec.tls[${at}].secretName`),
        absent(namedObject('Secret', name, namespaceOf(ingress))),
      ],
    };
  }),
];

const gatewayRules = [
  rule<Gateway>({
    id: 'gateway.class-missing',
    kind: 'Gateway.gateway.networking.k8s.io',
    tone: 'bad',
    sort: 'cause',
    isSwept: true,
    find(gateway, world) {
      const name = gateway.spec?.gatewayClassName;
      if (name === undefined || oneOf(world, 'GatewayClass', name) !== null) return undefined;
      return {
        sentence: `The gateway class ${name} does not exist, so no controller takes the gateway.`,
        evidence: [field(gateway, 'spec.gatewayClassName'), absent(namedObject('GatewayClass', name))],
      };
    },
  }),
  rule<Gateway>({
    id: 'gateway.refused',
    kind: 'Gateway.gateway.networking.k8s.io',
    tone: 'bad',
    sort: 'symptom',
    isSwept: true,
    find(gateway) {
      const bad = ['Accepted', 'Programmed'].find(
        (type) => conditionOf(gateway.status?.conditions, type)?.status === 'False',
      );
      if (bad === undefined) return undefined;
      const { message, reason } = conditionOf(gateway.status?.conditions, bad) ?? {};
      return {
        sentence: `Its controller ${bad === 'Accepted' ? 'does not accept the gateway' : 'could not set the gateway up'}: ${message ?? reason ?? 'it does not say why'}`,
        evidence: [condition(gateway, bad)],
      };
    },
  }),
  rule<GatewayClass>({
    id: 'gatewayclass.refused',
    kind: 'GatewayClass.gateway.networking.k8s.io',
    tone: 'bad',
    sort: 'cause',
    isSwept: true,
    find(object) {
      const accepted = conditionOf(object.status?.conditions, 'Accepted');
      if (accepted?.status !== 'False') return undefined;
      return {
        sentence: `Its controller does not accept the gateway class: ${accepted.message ?? accepted.reason ?? 'it does not say why'}`,
        evidence: [condition(object, 'Accepted'), field(object, 'spec.controllerName')],
      };
    },
  }),
];

const backendsOf = ({ spec }: Route): readonly GatewayReference[] =>
  (spec?.rules ?? [])
    .flatMap(({ backendRefs = [] }) => backendRefs)
    .filter(({ kind = 'Service' }) => kind === 'Service');

const routeRules = ['HTTPRoute', 'GRPCRoute'].flatMap((kind) => {
  const routeRule = (
    id: string,
    sort: 'cause' | 'symptom',
    find: (route: Route, world: World) => Clue | undefined,
  ) =>
    rule<Route>({
      id: `route.${id}`,
      kind: `${kind}.gateway.networking.k8s.io`,
      tone: 'bad',
      sort,
      isSwept: true,
      find,
    });
  return [
    routeRule('gateway-missing', 'cause', (route, world) => {
      const parents = route.spec?.parentRefs ?? [];
      const at = parents.findIndex(
        ({ kind: parent = 'Gateway', name = '', namespace }) =>
          parent === 'Gateway' && oneOf(world, 'Gateway', name, namespace ?? namespaceOf(route)) === null,
      );
      const parent = parents[at];
      if (parent === undefined) return undefined;
      const namespace = parent.namespace ?? namespaceOf(route);
      return {
        sentence: `The gateway ${namespace}/${parent.name ?? ''} that the route belongs to does not exist.`,
        evidence: [
          field(route, `spec.parentRefs[${at}]`),
          absent(namedObject('Gateway', parent.name ?? '', namespace)),
        ],
      };
    }),
    routeRule('service-missing', 'cause', (route, world) => {
      const missing = backendsOf(route).find(
        ({ name = '', namespace }) => oneOf(world, 'Service', name, namespace ?? namespaceOf(route)) === null,
      );
      if (missing === undefined) return undefined;
      const namespace = missing.namespace ?? namespaceOf(route);
      return {
        sentence: `The route sends requests to service ${namespace}/${missing.name ?? ''}, which does not exist.`,
        evidence: [field(route, 'spec.rules'), absent(namedObject('Service', missing.name ?? '', namespace))],
      };
    }),
    routeRule('not-granted', 'cause', (route, world) => {
      const foreign = backendsOf(route).find(
        ({ namespace }) => namespace !== undefined && namespace !== namespaceOf(route),
      );
      if (foreign?.namespace === undefined) return undefined;
      const grants = allOf(world, 'ReferenceGrant', { namespace: foreign.namespace });
      const isGranted = (grants ?? []).some(
        ({ spec }) =>
          spec?.from?.some((one) => one.kind === kind && one.namespace === namespaceOf(route)) === true &&
          spec.to?.some((one) => one.kind === 'Service' && (one.name ?? foreign.name) === foreign.name) ===
            true,
      );
      if (grants === undefined || isGranted) return undefined;
      // The sentence names it: whoever may not view the namespace is not told.
      const place = oneOf(world, 'Namespace', foreign.namespace);
      if (place === undefined || place === null) return undefined;
      return {
        sentence: `The route leads to service ${foreign.name ?? ''} of namespace ${foreign.namespace}, which no reference grant there allows.`,
        evidence: [field(route, 'spec.rules'), present(place)],
      };
    }),
    routeRule('refused', 'symptom', (route) => {
      const parents = route.status?.parents ?? [];
      const at = parents.findIndex(({ conditions }) =>
        ['Accepted', 'ResolvedRefs'].some((type) => conditionOf(conditions, type)?.status === 'False'),
      );
      const bad = ['Accepted', 'ResolvedRefs']
        .map((type) => conditionOf(parents[at]?.conditions, type))
        .find((one) => one?.status === 'False');
      if (bad === undefined) return undefined;
      return {
        sentence: `The controller of its gateway does not take the route: ${bad.message ?? bad.reason ?? 'it does not say why'}`,
        evidence: [field(route, `status.parents[${at}].conditions`)],
      };
    }),
  ];
});

/** Rules about ingresses, gateways and routes. */
export const routingRules = [...ingressRules, ...gatewayRules, ...routeRules];

/** From what takes requests to the services behind. */
export const routingTrails = [
  trail<Ingress>({
    kind: 'Ingress.networking.k8s.io',
    next: (ingress, world) =>
      servicesOf(ingress).flatMap((name) => oneOf(world, 'Service', name, namespaceOf(ingress)) ?? []),
  }),
  trail<Gateway>({
    kind: 'Gateway.gateway.networking.k8s.io',
    next(gateway, world) {
      const name = gateway.spec?.gatewayClassName;
      return name === undefined ? [] : [oneOf(world, 'GatewayClass', name) ?? []].flat();
    },
  }),
  ...['HTTPRoute', 'GRPCRoute'].map((kind) =>
    trail<Route>({
      kind: `${kind}.gateway.networking.k8s.io`,
      next: (route, world) => [
        ...backendsOf(route).flatMap(
          ({ name = '', namespace }) => oneOf(world, 'Service', name, namespace ?? namespaceOf(route)) ?? [],
        ),
        ...(route.spec?.parentRefs ?? []).flatMap(
          ({ name = '', namespace }) => oneOf(world, 'Gateway', name, namespace ?? namespaceOf(route)) ?? [],
        ),
      ],
    }),
  ),
];
