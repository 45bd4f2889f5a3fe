import { formatSelector } from '../../../kube/format-selector.ts';
import type { LabelSelector } from '../../../kube/selector.ts';
import type { Gateway, GatewayClass, GatewayReference, Route } from '../../../kube/gateway.ts';
import { condition as conditionOf } from '../../../kube/workload-status.ts';
import { absent, type Clue, condition, field, present, rule, trail } from '../rule.ts';
import { allOf, namedObject, namespaceOf, oneOf, type World } from '../world.ts';

const ownRules = [
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
        sentence: `The gateway class ${name} does not exist, so no controller handles the gateway.`,
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

/** A listener of a gateway, as far as it says whose routes it takes. */
interface Listener {
  readonly allowedRoutes?: {
    readonly namespaces?: { readonly from?: string; readonly selector?: LabelSelector };
  };
}

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
        sentence: `The route sends requests to service ${foreign.name ?? ''} in namespace ${foreign.namespace}, and no ReferenceGrant there allows it.`,
        evidence: [field(route, 'spec.rules'), present(place)],
      };
    }),
    routeRule('namespace', 'cause', (route, world) => {
      const parents = route.status?.parents ?? [];
      const at = parents.findIndex(({ conditions }) =>
        conditions?.some(({ status, reason }) => status === 'False' && reason === 'NotAllowedByListeners'),
      );
      const { name = '', namespace = namespaceOf(route) } = route.spec?.parentRefs?.[at] ?? {};
      const gateway = at < 0 ? undefined : oneOf(world, 'Gateway', name, namespace);
      if (!gateway) return undefined;
      const listeners =
        (gateway as { readonly spec?: { listeners?: readonly Listener[] } }).spec?.listeners ?? [];
      const index = listeners.findIndex((one) => one.allowedRoutes?.namespaces?.from !== 'All');
      const { from = 'Same', selector } = listeners[index]?.allowedRoutes?.namespaces ?? {};
      if (index < 0 || (from === 'Same' && namespace === namespaceOf(route))) return undefined;
      const places: Readonly<Record<string, string>> = {
        Selector: `namespaces with ${formatSelector(selector) || 'certain labels'}`,
        Same: `its own namespace, ${namespace}`,
      };
      const allowed = places[from] === undefined ? 'no routes' : `only routes from ${places[from]}`;
      return {
        sentence: `Gateway ${namespace}/${name} allows ${allowed}, so it does not accept this one from namespace ${namespaceOf(route)}.`,
        evidence: [
          field(route, `status.parents[${at}].conditions`),
          field(gateway, `spec.listeners[${index}].allowedRoutes`),
        ],
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
        sentence: `The controller of its gateway does not accept the route: ${bad.message ?? bad.reason ?? 'it does not say why'}`,
        evidence: [field(route, `status.parents[${at}].conditions`)],
      };
    }),
  ];
});

/** Rules about gateways and routes. */
export const gatewayRules = [...ownRules, ...routeRules];

/** From gateways to their classes, from routes to their gateways and the services behind. */
export const gatewayTrails = [
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
