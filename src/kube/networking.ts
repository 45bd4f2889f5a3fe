import type { KubeObject } from './object.ts';
import type { ObjectReference } from './infrastructure.ts';

/** The parts of networking.k8s.io/v1 and discovery.k8s.io/v1 that the console reads. */
export interface IngressBackend {
  service?: { name?: string; port?: { name?: string; number?: number } };
  resource?: { apiGroup?: string; kind?: string; name?: string };
}

export interface Ingress extends KubeObject {
  spec?: {
    ingressClassName?: string;
    defaultBackend?: IngressBackend;
    tls?: { hosts?: string[]; secretName?: string }[];
    rules?: {
      host?: string;
      http?: { paths?: { path?: string; pathType?: string; backend?: IngressBackend }[] };
    }[];
  };
  status?: { loadBalancer?: { ingress?: { ip?: string; hostname?: string }[] } };
}

export interface IngressClass extends KubeObject {
  spec?: {
    controller?: string;
    parameters?: { apiGroup?: string; kind?: string; name?: string; namespace?: string; scope?: string };
  };
}

export interface EndpointSlice extends KubeObject {
  addressType?: string;
  endpoints?: {
    addresses?: string[];
    conditions?: { ready?: boolean; serving?: boolean; terminating?: boolean };
    nodeName?: string;
    zone?: string;
    targetRef?: ObjectReference;
  }[];
  ports?: { name?: string; port?: number; protocol?: string }[];
}

/** Annotation of the default ingress class. */
export const defaultIngressClassAnnotation = 'ingressclass.kubernetes.io/is-default-class';
/** The annotation for the class from before there was a field. */
const classAnnotation = 'kubernetes.io/ingress.class';
/** Label of an endpoint slice with its service's name. */
export const serviceNameLabel = 'kubernetes.io/service-name';

/** The class of an ingress from its field or the older annotation. */
export const ingressClassOf = ({ spec, metadata }: Ingress): string | undefined =>
  spec?.ingressClassName ?? metadata?.annotations?.[classAnnotation];

/** The addresses of an ingress. */
export const ingressAddresses = ({ status }: Ingress): string[] =>
  (status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }) => ip ?? hostname ?? []);

/** Formats a backend: `storefront:http`. */
export function backendText({ service, resource }: IngressBackend = {}): string {
  if (service !== undefined) {
    const port = service.port?.name ?? service.port?.number;
    return `${service.name ?? '?'}${port === undefined ? '' : `:${port}`}`;
  }
  return resource === undefined ? '?' : `${resource.kind ?? '?'} ${resource.name ?? '?'}`;
}

/** One route of an ingress. */
export interface IngressRoute {
  /** `*` for any host. */
  readonly host: string;
  readonly path: string;
  readonly pathType: string;
  readonly backend: IngressBackend;
  readonly isSecure: boolean;
}

/** The host of a rule; a rule without one applies to all hosts. */
const ruleHost = ({ host }: { readonly host?: string }): string =>
  host === undefined || host === '' ? '*' : host;

/** The hosts of an ingress without duplicates; without rules its default backend serves all hosts. */
export function ingressHosts({ spec = {} }: Ingress): readonly string[] {
  const hosts = new Set((spec.rules ?? []).map(ruleHost));
  return hosts.size === 0 ? ['*'] : [...hosts];
}

/** Every host and path of an ingress with its backend; the default backend comes last. */
export function ingressRoutes({ spec = {} }: Ingress): IngressRoute[] {
  const secured = new Set((spec.tls ?? []).flatMap(({ hosts = [] }) => hosts));
  const isSecure = (host: string) =>
    secured.has(host) ||
    secured.has(host.replace(/^[^.]+/, '*')) ||
    (spec.tls ?? []).some(({ hosts = [] }) => hosts.length === 0);
  const routes = (spec.rules ?? []).flatMap((rule) => {
    const host = ruleHost(rule);
    return (rule.http?.paths ?? []).map(
      ({ path = '/', pathType = 'ImplementationSpecific', backend = {} }) => ({
        host,
        path,
        pathType,
        backend,
        isSecure: isSecure(host),
      }),
    );
  });
  const other = spec.defaultBackend;
  return other === undefined
    ? routes
    : [...routes, { host: '*', path: '/', pathType: 'Default', backend: other, isSecure: isSecure('*') }];
}

/** The numbers of ready addresses and of all addresses of a slice. An endpoint without conditions is ready. */
export function endpointCounts({ endpoints }: EndpointSlice): {
  readonly ready: number;
  readonly all: number;
} {
  const list = endpoints ?? [];
  return { ready: list.filter(({ conditions }) => conditions?.ready !== false).length, all: list.length };
}
