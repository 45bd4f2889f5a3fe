import type { Pod } from '../../../kube/core.ts';
import type { Service } from '../../../kube/infrastructure.ts';
import { allOf, namespaceOf, oneOf, type World } from '../world.ts';

/** A host that a program calls, with the port where it names one. */
export interface CalledHost {
  readonly host: string;
  readonly port: number | undefined;
}

/** A service as pods name it. */
export interface ServicePlace {
  readonly name: string;
  readonly namespace: string;
}

/** Characters that are searched for hosts, and hosts of one text. */
const textLimit = 4_000;
const hostLimit = 12;

const hostPattern =
  /(?<![\w.-])(?:(?<scheme>[a-z][a-z+]*):\/\/(?:[^\s@/"']{1,100}@)?)?(?<host>\[[\da-fA-F:]+\]|[A-Za-z0-9](?:[\w-]*\w)?(?:\.[A-Za-z0-9][\w-]*)*)(?::(?<port>\d{2,5}))?/g;

/** The hosts that a text names so that they cannot be words: with a scheme, a port, or as names of services. */
export function hostsIn(text: string): readonly CalledHost[] {
  const found = [...text.slice(0, textLimit).matchAll(hostPattern)].flatMap(({ groups = {} }) => {
    const { scheme, host = '', port } = groups;
    const isAddress = /^\d+\.\d+\.\d+\.\d+$|^\[/.test(host);
    const isHost = scheme !== undefined || port !== undefined || isAddress || /\.svc(?:\.|$)/.test(host);
    const isTime = /^\d{1,2}$/.test(host);
    return isHost && !isTime ? [{ host, port: port === undefined ? undefined : Number(port) }] : [];
  });
  return found.slice(0, hostLimit);
}

/** The service of a name as pods use it: `db`, `db.shop`, `db.shop.svc.cluster.local`; undefined for other names. */
export function serviceNamed(host: string, pod: Pod, world: World): ServicePlace | undefined {
  const [, name, place, rest] =
    /^([a-z][a-z0-9-]*)(?:\.([a-z0-9-]+)((?:\.[a-z0-9-]+)*))?\.?$/.exec(host) ?? [];
  if (name === undefined || name === 'localhost') return undefined;
  if (place === undefined) return { name, namespace: namespaceOf(pod) };
  // `example.org` looks like a service of a namespace: only a namespace that is there is taken for one.
  const isOfCluster = /^\.svc(?:\.[a-z0-9.-]+)?$/.test(rest ?? '');
  const isOfNamespace = rest === '' && oneOf(world, 'Namespace', place)?.metadata?.name === place;
  return isOfCluster || isOfNamespace ? { name, namespace: place } : undefined;
}

/** Whether a host is the pod itself. */
export const isOwnHost = (host: string): boolean => /^(?:127\.|\[?::1|localhost|0\.0\.0\.0)/.test(host);

/** The service that a host leads to, by its name or its own address; undefined where none is known. */
export function serviceAt(host: string, pod: Pod, world: World): Service | undefined {
  if (isOwnHost(host) || host === '') return undefined;
  const named = serviceNamed(host, pod, world);
  if (named !== undefined) return oneOf(world, 'Service', named.name, named.namespace) ?? undefined;
  if (!/^[\d.]+$|^\[?[\da-f:]+\]?$/.test(host)) return undefined;
  const isHere = ({ spec }: Service) => spec?.clusterIP === host.replace(/[[\]]/g, '');
  const near = allOf(world, 'Service', { namespace: pod.metadata?.namespace });
  return near === undefined ? undefined : (near.find(isHere) ?? allOf(world, 'Service')?.find(isHere));
}

/** A service that a text names, with the port. */
export interface CalledService {
  readonly service: Service;
  readonly port: number | undefined;
}

/** The services that a text names, each once. */
export function servicesIn(text: string, pod: Pod, world: World): readonly CalledService[] {
  const found = new Map<Service, CalledService>();
  for (const { host, port } of hostsIn(text)) {
    const service = serviceAt(host, pod, world);
    if (service !== undefined && !found.has(service)) found.set(service, { service, port });
  }
  return [...found.values()];
}

/** Names of variables whose value is a host alone. */
const hostVariable = /(?:HOST|ADDR|ADDRESS|SERVER|SERVICE|ENDPOINT|UPSTREAM|BROKERS?|URL|URI)S?$/i;

/** The services that a pod is told to call, by its environment, its arguments and the config maps that it takes them from. */
export function configuredServices(pod: Pod, world: World): readonly CalledService[] {
  const containers = pod.spec?.containers ?? [];
  const namespace = pod.metadata?.namespace;
  const maps = [
    ...containers.flatMap(({ envFrom = [], env = [] }) => [
      ...envFrom.map(({ configMapRef }) => configMapRef?.name),
      ...env.map(({ valueFrom }) => valueFrom?.configMapKeyRef?.name),
    ]),
    ...(pod.spec?.volumes ?? []).map(({ configMap }) => configMap?.name),
  ];
  const values = [
    ...containers.flatMap(({ env = [] }) => env.map(({ name = '', value = '' }) => ({ name, value }))),
    ...containers.flatMap(({ args = [], command = [] }) =>
      [...command, ...args].map((value) => ({ name: '', value })),
    ),
    ...[...new Set(maps)].flatMap((name) =>
      name === undefined
        ? []
        : Object.entries(oneOf(world, 'ConfigMap', name, namespace)?.data ?? {}).map(([key, value]) => ({
            name: key,
            value,
          })),
    ),
  ];
  return values.flatMap(({ name, value }) => {
    const bare =
      hostVariable.test(name) && /^[a-z][\w.-]*$/.test(value) ? serviceAt(value, pod, world) : undefined;
    return bare === undefined ? servicesIn(value, pod, world) : [{ service: bare, port: undefined }];
  });
}
