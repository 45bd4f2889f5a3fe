import { behaviourNote, type Behaviour } from '../kit/behaviour.ts';
import { create } from '../life/write.ts';
import type { World } from '../store/world.ts';
import type { Obj, Rec } from '../kit/values.ts';
import { accountOf } from './access.ts';

/** A workload of a seed. */
export interface Workload {
  readonly kind?: 'Deployment' | 'StatefulSet' | 'DaemonSet' | 'Job' | 'Pod';
  readonly namespace: string;
  readonly name: string;
  readonly image: string;
  /** Earlier image tags, oldest first. */
  readonly earlier?: readonly string[];
  readonly replicas?: number;
  /** Requests of CPU and memory. */
  readonly cpu?: string;
  readonly memory?: string;
  readonly port?: number;
  /** A sidecar: name and image. */
  readonly sidecar?: readonly [string, string];
  readonly init?: readonly [string, string];
  readonly behaviour?: Behaviour;
  /** Storage of each pod. */
  readonly storage?: string;
  readonly probe?: string;
  readonly partOf?: string;
  readonly component?: string;
  readonly nodeSelector?: Record<string, string>;
  readonly everywhere?: true;
  readonly env?: Record<string, string>;
  /** Type of its service; none without a port. */
  readonly service?: 'ClusterIP' | 'LoadBalancer' | 'NodePort' | 'None' | false;
  /** A service with another name and these ports: name, number, protocol. */
  readonly serves?: {
    readonly name: string;
    readonly clusterIP: string;
    readonly ports: readonly (readonly [name: string, port: number, protocol: 'TCP' | 'UDP'])[];
  };
  /** Priority class; the cluster's default without it. */
  readonly priority?: string;
  /** Number of restarts of each crashing pod so far. */
  readonly restarts?: number;
}

/** Workloads that arrived at one time. */
export interface Era {
  /** Days before now. */
  readonly days: number;
  readonly namespaces: Readonly<Record<string, Record<string, string>>>;
  readonly workloads: readonly Workload[];
}

/** Registry of the company's own images. */
export const registryHost = 'registry.acme.example';

/** Names of well-known ports, and the number that the service offers; all others are offered as `http` at 80. */
const ports: Readonly<Record<number, readonly [name: string, offered: number]>> = {
  443: ['https', 443],
  3100: ['http-metrics', 3100],
  4317: ['otlp', 4317],
  5432: ['postgres', 5432],
  6379: ['redis', 6379],
  8200: ['http', 8200],
  9090: ['http-web', 9090],
  9093: ['http-web', 9093],
  10250: ['https', 443],
};
const portOf = (port: number) => ports[port] ?? (['http', 80] as const);

const tagOf = (image: string) => image.slice(image.lastIndexOf(':') + 1);

function labelsOf(workload: Workload): Record<string, string> {
  return {
    'app.kubernetes.io/name': workload.name,
    'app.kubernetes.io/part-of': workload.partOf ?? workload.namespace,
    ...(workload.component === undefined ? {} : { 'app.kubernetes.io/component': workload.component }),
  };
}

function containerOf(workload: Workload): Rec {
  const { name, image, port, cpu = '50m', memory = '96Mi', probe, env } = workload;
  const check = { httpGet: { path: probe ?? '/healthz', port }, periodSeconds: 10 };
  return {
    name,
    image,
    ...(port === undefined ? {} : { ports: containerPorts(workload, port) }),
    ...(env === undefined ? {} : { env: Object.entries(env).map(([key, value]) => ({ name: key, value })) }),
    resources: { requests: { cpu, memory }, limits: { memory: double(memory) } },
    ...(port === undefined || probe === undefined
      ? {}
      : {
          readinessProbe: { ...check, initialDelaySeconds: 3 },
          livenessProbe: { ...check, initialDelaySeconds: 20 },
        }),
    ...(workload.storage === undefined
      ? {}
      : { volumeMounts: [{ name: 'data', mountPath: '/var/lib/data' }] }),
  };
}

const containerPorts = ({ serves }: Workload, port: number): Rec[] =>
  serves?.ports.map(([name, containerPort, protocol]) => ({ name, containerPort, protocol })) ?? [
    { name: portOf(port)[0], containerPort: port },
  ];

/** The ports of a workload's service. */
function servicePorts({ serves, service }: Workload, port: number): Rec[] {
  if (serves !== undefined)
    return serves.ports.map(([name, number, protocol]) => ({
      name,
      port: number,
      protocol,
      targetPort: number,
    }));
  const [name, offered] = portOf(port);
  const servicePort = { name, port: offered, targetPort: port };
  return service === 'LoadBalancer'
    ? [{ name: 'http', port: 80, targetPort: 80 }, servicePort]
    : [servicePort];
}

const double = (quantity: string) => quantity.replace(/^\d+/, (digits) => String(Number(digits) * 2));

function podSpec(workload: Workload): Rec {
  const { sidecar, init, priority } = workload;
  const account = accountOf(workload.namespace, workload.name);
  return {
    ...(account === undefined ? {} : { serviceAccountName: account }),
    ...(priority === undefined ? {} : { priorityClassName: priority }),
    ...(init === undefined ? {} : { initContainers: [{ name: init[0], image: init[1] }] }),
    containers: [
      containerOf(workload),
      ...(sidecar === undefined
        ? []
        : [{ name: sidecar[0], image: sidecar[1], resources: { requests: { cpu: '10m', memory: '32Mi' } } }]),
    ],
    ...(workload.nodeSelector === undefined ? {} : { nodeSelector: workload.nodeSelector }),
    ...(workload.everywhere === undefined
      ? {}
      : { tolerations: [{ operator: 'Exists' }], hostNetwork: true }),
    ...(workload.kind === 'Job' ? { restartPolicy: 'Never' } : {}),
  };
}

/** A workload's metadata and pod template; its behaviour is an annotation. */
function templateOf(workload: Workload): Rec {
  const { behaviour } = workload;
  return {
    metadata: {
      labels: { ...labelsOf(workload), 'app.kubernetes.io/version': tagOf(workload.image) },
      ...(behaviour === undefined ? {} : { annotations: { [behaviourNote]: behaviour } }),
    },
    spec: podSpec(workload),
  };
}

const storages = {
  Deployment: 'apps/deployments',
  StatefulSet: 'apps/statefulsets',
  DaemonSet: 'apps/daemonsets',
  Job: 'batch/jobs',
  Pod: '/pods',
} as const;

/** The storage of a workload's object. */
export function storageOf(workload: Workload): string {
  return storages[workload.kind ?? 'Deployment'];
}

/** Creates a workload with its service. */
export function createWorkload(world: World, workload: Workload): Obj | undefined {
  const { namespace, name, kind = 'Deployment', replicas = 1, port, serves } = workload;
  const labels = labelsOf(workload);
  const selector = { matchLabels: { 'app.kubernetes.io/name': name } };
  const template = templateOf(workload);
  const service =
    workload.service ??
    (port === undefined || kind === 'Job' ? false : kind === 'StatefulSet' ? 'None' : 'ClusterIP');
  if (service !== false && port !== undefined) {
    create(world, '/services', namespace, {
      metadata: { name: serves?.name ?? name, labels },
      spec: {
        ...(service === 'None' ? { clusterIP: 'None' } : { type: service }),
        ...(serves === undefined ? {} : { clusterIP: serves.clusterIP }),
        selector: selector.matchLabels,
        ports: servicePorts(workload, port),
      },
    });
  }
  const metadata = { name, labels };
  switch (kind) {
    case 'Pod':
      return create(world, '/pods', namespace, {
        metadata: { name, ...(template['metadata'] as Rec) },
        spec: template['spec'],
      });
    case 'Job':
      return create(world, 'batch/jobs', namespace, {
        metadata,
        spec: { template, completions: replicas, backoffLimit: 3 },
      });
    case 'DaemonSet':
      return create(world, 'apps/daemonsets', namespace, { metadata, spec: { selector, template } });
    case 'StatefulSet':
      return create(world, 'apps/statefulsets', namespace, {
        metadata,
        spec: {
          replicas,
          serviceName: name,
          selector,
          template,
          ...(workload.storage === undefined
            ? {}
            : {
                volumeClaimTemplates: [
                  {
                    metadata: { name: 'data' },
                    spec: {
                      accessModes: ['ReadWriteOnce'],
                      resources: { requests: { storage: workload.storage } },
                    },
                  },
                ],
              }),
        },
      });
    case 'Deployment':
      return create(world, 'apps/deployments', namespace, {
        metadata,
        spec: { replicas, selector, template },
      });
    default:
      return kind satisfies never;
  }
}
