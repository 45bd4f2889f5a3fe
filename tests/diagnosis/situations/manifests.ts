/** Objects of situations as YAML: each says only what is special about it. */

/** Objects after one another. */
export const objects = (...texts: readonly string[]): string => texts.join('\n---\n');

/** A mapping in one line of those members that are not empty. */
const flow = (...members: readonly string[]): string =>
  `{ ${members.filter((member) => member !== '').join(', ')} }`;

/** An object by its members, each with an end of line. @param metadata members besides its name */
export const object = (
  apiVersion: string,
  kind: string,
  name: string,
  members: string,
  metadata = '',
): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: ${flow(`name: ${name}`, metadata)}\n${members}\n`;

interface PodParts {
  /** `example/<name>:1` unless another. */
  readonly image?: string;
  /** Further members of its one container, of its spec, and what its container does in the playground. */
  readonly container?: string;
  readonly pod?: string;
  readonly behaviour?: string;
}

function podSpec(name: string, { image = `example/${name}:1`, container = '', pod = '' }: PodParts): string {
  return flow(pod, `containers: [${flow('name: main', `image: '${image}'`, container)}]`);
}

function template(name: string, parts: PodParts, labels = ''): string {
  const { behaviour } = parts;
  const metadata = [labels, behaviour === undefined ? '' : `annotations: ${behaves(behaviour)}`];
  return flow(
    metadata.every((member) => member === '') ? '' : `metadata: ${flow(...metadata)}`,
    `spec: ${podSpec(name, parts)}`,
  );
}

/** The annotations that have an object behave so in the playground. */
export const behaves = (word: string): string => `{ playground/behaviour: ${word} }`;

/** The pods that a workload of this name selects and makes. */
const podsOf = (name: string, parts: PodParts): string =>
  `selector: { matchLabels: { app: ${name} } }, template: ${template(name, parts, `labels: { app: ${name} }`)}`;

interface DeploymentParts extends PodParts {
  readonly replicas?: number;
  readonly namespace?: string;
}

/** A Deployment with one container. */
export const deployment = (
  name: string,
  { replicas = 2, namespace, ...parts }: DeploymentParts = {},
): string =>
  object(
    'apps/v1',
    'Deployment',
    name,
    `spec: ${flow(`replicas: ${replicas}`, podsOf(name, parts))}`,
    namespace === undefined ? '' : `namespace: ${namespace}`,
  );

/** A StatefulSet of one pod. @param spec members besides: the service that it names, its claims */
export const statefulSet = (name: string, spec: string, parts: PodParts = {}): string =>
  object('apps/v1', 'StatefulSet', name, `spec: ${flow(spec, 'replicas: 1', podsOf(name, parts))}`);

/** A DaemonSet with one container. */
export const daemonSet = (name: string, parts: PodParts = {}): string =>
  object('apps/v1', 'DaemonSet', name, `spec: ${flow(podsOf(name, parts))}`);

/** What a job does once. @param spec members besides its template */
const jobSpec = (name: string, spec: string, parts: PodParts): string =>
  flow(spec, `template: ${template(name, { pod: 'restartPolicy: Never', ...parts })}`);

/** A job with one container. @param spec members besides its template */
export const job = (name: string, spec = '', parts: PodParts = {}): string =>
  object('batch/v1', 'Job', name, `spec: ${jobSpec(name, spec, parts)}`);

/** A cron job that is due every five minutes. @param spec members of its own, and those of its jobs */
export const cronJob = (name: string, spec: string, ofJobs = '', parts: PodParts = {}): string =>
  object(
    'batch/v1',
    'CronJob',
    name,
    `spec: ${flow("schedule: '*/5 * * * *'", spec, `jobTemplate: { spec: ${jobSpec(name, ofJobs, parts)} }`)}`,
  );

interface ServiceParts {
  /** The `app` of the pods that it selects: its own name unless another. */
  readonly app?: string;
  /** Members of its port. */
  readonly port?: string;
  readonly spec?: string;
  readonly namespace?: string;
}

/** A service with one port, 80 unless another. */
export const service = (
  name: string,
  { app = name, port = 'port: 80', spec = '', namespace }: ServiceParts = {},
): string =>
  object(
    'v1',
    'Service',
    name,
    `spec: ${flow(spec, `selector: { app: ${app} }`, `ports: [{ ${port} }]`)}`,
    namespace === undefined ? '' : `namespace: ${namespace}`,
  );

/** The ingress `shop`, which leads to port 80 of the service `web` unless to another. @param spec members besides */
export const ingress = (spec = '', { host = '', to = 'web' } = {}): string => {
  const path = `{ path: /, pathType: Prefix, backend: { service: { name: ${to}, port: { number: 80 } } } }`;
  const rule = flow(host === '' ? '' : `host: ${host}`, `http: { paths: [${path}] }`);
  return object('networking.k8s.io/v1', 'Ingress', 'shop', `spec: ${flow(spec, `rules: [${rule}]`)}`);
};

/** The ingress class `nginx`. */
export const ingressClass = object(
  'networking.k8s.io/v1',
  'IngressClass',
  'nginx',
  'spec: { controller: k8s.io/ingress-nginx }',
);

/** The claim `data` for 1Gi. @param spec members besides: its class, its volume */
export const claim = (spec: string): string =>
  object('v1', 'PersistentVolumeClaim', 'data', `spec: ${flow(spec, claimSize)}`);

/** What each claim asks for. */
export const claimSize = 'accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } }';

/** The members of a pod that uses a claim. */
export const volumeOf = (name: string): string =>
  `volumes: [{ name: data, persistentVolumeClaim: { claimName: ${name} } }]`;

/** An autoscaler by the share of requested processors. @param target `kind: …, name: …` of apps/v1 */
export const autoscaler = (name: string, target: string): string => {
  const metric =
    'type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 60 } }';
  return object(
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    name,
    `spec: ${flow(`scaleTargetRef: { apiVersion: apps/v1, ${target} }`, 'minReplicas: 1', 'maxReplicas: 5', `metrics: [{ ${metric} }]`)}`,
  );
};

/**
 * The configuration of one webhook that calls the service of its own name when somebody creates objects.
 *
 * @param resource what is created, as `apps daemonsets`
 */
export const webhook = (
  sort: 'Validating' | 'Mutating',
  name: string,
  resource: string,
  { hook = name, path = '', spec = '' } = {},
): string => {
  const [group = '', plural = ''] = resource.split(' ');
  const members = flow(
    `name: ${hook}.example.org`,
    'admissionReviewVersions: [v1]',
    'sideEffects: None',
    spec,
    `clientConfig: { service: ${flow('namespace: default', `name: ${name}`, path === '' ? '' : `path: ${path}`)} }`,
    `rules: [{ apiGroups: ['${group}'], apiVersions: [v1], operations: [CREATE], resources: [${plural}] }]`,
  );
  return object(
    'admissionregistration.k8s.io/v1',
    `${sort}WebhookConfiguration`,
    name,
    `webhooks: [${members}]`,
  );
};
