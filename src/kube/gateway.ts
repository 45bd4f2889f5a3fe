import type { Condition, KubeObject } from './object.ts';

/** The API group of the Gateway API. */
export const gatewayGroup = 'gateway.networking.k8s.io';

/** Another object as the Gateway API names it; a missing group, kind or namespace has a default of its place. */
export interface GatewayReference {
  group?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  port?: number;
  sectionName?: string;
}

export interface GatewayClass extends KubeObject {
  spec?: { controllerName?: string; description?: string; parametersRef?: GatewayReference };
  status?: { conditions?: Condition[] };
}

export interface Listener {
  name?: string;
  hostname?: string;
  port?: number;
  protocol?: string;
  tls?: { mode?: string; certificateRefs?: GatewayReference[] };
  allowedRoutes?: { namespaces?: { from?: string } };
}

export interface Gateway extends KubeObject {
  spec?: {
    gatewayClassName?: string;
    listeners?: Listener[];
    addresses?: { type?: string; value?: string }[];
  };
  status?: {
    addresses?: { type?: string; value?: string }[];
    conditions?: Condition[];
    listeners?: { name?: string; attachedRoutes?: number; conditions?: Condition[] }[];
  };
}

interface HeaderMatch {
  type?: string;
  name?: string;
  value?: string;
}

export interface RouteMatch {
  /** HTTPRoute: `{ type, value }`. */
  path?: { type?: string; value?: string };
  /** HTTPRoute: a verb. GRPCRoute: `{ service, method }`. */
  method?: string | { type?: string; service?: string; method?: string };
  headers?: HeaderMatch[];
  queryParams?: HeaderMatch[];
}

export interface RouteRule {
  name?: string;
  matches?: RouteMatch[];
  filters?: { type?: string; requestMirror?: { backendRef?: GatewayReference } }[];
  backendRefs?: (GatewayReference & { weight?: number })[];
}

/** An HTTPRoute or a GRPCRoute; other routes have the same fields without matches. */
export interface Route extends KubeObject {
  spec?: { parentRefs?: GatewayReference[]; hostnames?: string[]; rules?: RouteRule[] };
  status?: {
    parents?: { parentRef?: GatewayReference; controllerName?: string; conditions?: Condition[] }[];
  };
}

export interface ReferenceGrant extends KubeObject {
  spec?: { from?: GatewayReference[]; to?: GatewayReference[] };
}

/** A listener as in `https:443/HTTPS *.shop.example.org`. */
export function listenerText({ name = '', port, protocol = '', hostname }: Listener): string {
  return `${name}:${port ?? '?'}/${protocol}${hostname === undefined ? '' : ` ${hostname}`}`;
}

/** The status of a listener, found by its name. */
export const listenerStatus = ({ status }: Gateway, name: string | undefined) =>
  status?.listeners?.find((one) => one.name === name);

/** The routes that are attached to the listeners of a gateway together; undefined until its controller counted. */
export function attachedRoutes({ status }: Gateway): number | undefined {
  const counts = (status?.listeners ?? []).flatMap(({ attachedRoutes: count }) => count ?? []);
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
}

/** A reference in one line: `Gateway infra/edge https`, `Service checkout:80`. */
export function referenceText(
  { kind, namespace, name = '?', port, sectionName }: GatewayReference,
  usualKind: string,
): string {
  const place = namespace === undefined ? '' : `${namespace}/`;
  return [
    kind === undefined || kind === usualKind ? '' : `${kind} `,
    `${place}${name}`,
    port === undefined ? '' : `:${port}`,
    sectionName === undefined ? '' : ` (${sectionName})`,
  ].join('');
}

const headersText = (what: string, matches: readonly HeaderMatch[] | undefined): string[] =>
  (matches ?? []).map(({ type, name = '', value = '' }) =>
    type === 'RegularExpression' ? `${what} ${name} ~ ${value}` : `${what} ${name}=${value}`,
  );

/** What a match of a route asks for: `GET /cart`, `shop.Cart/Add`, `header x-beta=on`. */
export function matchText({ path, method, headers, queryParams }: RouteMatch): string {
  const parts = [
    typeof method === 'string' ? method : undefined,
    path === undefined
      ? undefined
      : path.type === 'RegularExpression'
        ? `~ ${path.value ?? ''}`
        : `${path.value ?? '/'}${path.type === 'Exact' ? ' exactly' : ''}`,
    typeof method === 'object' ? `${method.service ?? '*'}/${method.method ?? '*'}` : undefined,
    ...headersText('header', headers),
    ...headersText('query', queryParams),
  ];
  return parts.filter((part) => part !== undefined).join(' ') || 'everything';
}

/** The backends of a rule, with their share of the requests where there are several: `checkout:80 (90%)`. */
export function backendTexts({ backendRefs = [] }: RouteRule): string[] {
  const all = backendRefs.reduce((sum, { weight = 1 }) => sum + weight, 0);
  return backendRefs.map((one) => {
    const share = all === 0 ? 0 : Math.round(((one.weight ?? 1) / all) * 100);
    return `${referenceText(one, 'Service')}${backendRefs.length > 1 ? ` (${share}%)` : ''}`;
  });
}

/** Whether the status of a route tells of the same parent as its spec. */
export function isSameParent(one: GatewayReference, other: GatewayReference, namespace: string): boolean {
  const keyOf = ({ group, kind, namespace: place, name, sectionName, port }: GatewayReference) =>
    [group ?? gatewayGroup, kind ?? 'Gateway', place ?? namespace, name, sectionName, port].join(' ');
  return keyOf(one) === keyOf(other);
}
