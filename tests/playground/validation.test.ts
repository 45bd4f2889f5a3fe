import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { json } from './client.ts';

/** What the API server says to bodies that it does not store: one mistake each, by kind. */
interface Refusal {
  readonly code: number;
  readonly message: string;
}

let playground: Playground;

beforeAll(async () => {
  playground = await startPlayground({ seed: 'none' });
});
afterAll(async () => {
  await playground.close();
});

const core = '/api/v1/namespaces/default';
const apis = (group: string) => `/apis/${group}/namespaces/default`;
const pod = (spec: object) => ({ metadata: { name: 'x' }, spec });
const container = (fields: object) => pod({ containers: [{ name: 'a', image: 'a:1', ...fields }] });
const template = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'a', image: 'a:1' }] },
};
const workload = (spec: object) => pod({ selector: { matchLabels: { app: 'a' } }, template, ...spec });
const service = (spec: object) => pod({ ports: [{ port: 80 }], ...spec });
const ending = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a:1' }] } };
const ingressPath = (path: object) => pod({ rules: [{ http: { paths: [path] } }] });
const backend = { service: { name: 'web', port: { number: 80 } } };
const scaler = (spec: object) =>
  pod({ scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 2, ...spec });

const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

test.each<[string, string, object, string]>([
  [
    'a container without an image',
    'pods',
    container({ image: '' }),
    'spec.containers[0].image: Required value',
  ],
  [
    'a container with capitals in its name',
    'pods',
    container({ name: 'Main' }),
    `spec.containers[0].name: Invalid value: "Main": ${label}`,
  ],
  [
    'two containers of one name',
    'pods',
    pod({
      containers: [
        { name: 'a', image: 'a' },
        { name: 'a', image: 'b' },
      ],
    }),
    'spec.containers[1].name: Duplicate value: "a"',
  ],
  [
    'a port that no port can be',
    'pods',
    container({ ports: [{ containerPort: 70000 }] }),
    'spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
  ],
  [
    'a port of an unknown protocol',
    'pods',
    container({ ports: [{ containerPort: 80, protocol: 'HTTP' }] }),
    'spec.containers[0].ports[0].protocol: Unsupported value: "HTTP": supported values: "SCTP", "TCP", "UDP"',
  ],
  [
    'a mount of no volume',
    'pods',
    container({ volumeMounts: [{ name: 'data', mountPath: '/data' }] }),
    'spec.containers[0].volumeMounts[0].name: Not found: "data"',
  ],
  [
    'a volume made of nothing',
    'pods',
    pod({ containers: [{ name: 'a', image: 'a' }], volumes: [{ name: 'data' }] }),
    'spec.volumes[0]: Required value: must specify a volume type',
  ],
  [
    'a volume made of two things',
    'pods',
    pod({
      containers: [{ name: 'a', image: 'a' }],
      volumes: [{ name: 'data', emptyDir: {}, hostPath: { path: '/x' } }],
    }),
    'spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type',
  ],
  [
    'a probe that does nothing',
    'pods',
    container({ livenessProbe: { periodSeconds: 5 } }),
    'spec.containers[0].livenessProbe: Required value: must specify a handler type',
  ],
  [
    'a liveness probe that must succeed twice',
    'pods',
    container({ livenessProbe: { tcpSocket: { port: 80 }, successThreshold: 2 } }),
    'spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1',
  ],
  [
    'more asked for than allowed',
    'pods',
    container({ resources: { requests: { cpu: '2' }, limits: { cpu: '1000m' } } }),
    'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
  ],
  [
    'a resource without a domain',
    'pods',
    container({ resources: { requests: { gpu: '1' } } }),
    '[spec.containers[0].resources.requests[gpu]: Invalid value: "gpu": must be a standard resource type or fully qualified, spec.containers[0].resources.requests[gpu]: Invalid value: "gpu": must be a standard resource for containers]',
  ],
  [
    'a variable with a value and a source',
    'pods',
    container({ env: [{ name: 'A', value: 'b', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }),
    'spec.containers[0].env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
  ],
  [
    'an unknown restart policy',
    'pods',
    pod({ restartPolicy: 'Sometimes', containers: [{ name: 'a', image: 'a' }] }),
    'spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
  ],
  [
    'a toleration of everything that is not',
    'pods',
    pod({ containers: [{ name: 'a', image: 'a' }], tolerations: [{ operator: 'Equal', value: 'x' }] }),
    'spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
  ],
  [
    'a label whose value has a space',
    'configmaps',
    { metadata: { name: 'x', labels: { a: 'b c' } } },
    "metadata.labels: Invalid value: \"b c\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  ],
  [
    'a finalizer without a domain',
    'configmaps',
    { metadata: { name: 'x', finalizers: ['hold'] } },
    'metadata.finalizers[0]: Invalid value: "hold": name is neither a standard finalizer name nor is it fully qualified',
  ],
  [
    'a certificate without its key',
    'secrets',
    { metadata: { name: 'x' }, type: 'kubernetes.io/tls', data: { 'tls.crt': '' } },
    'data[tls.key]: Required value',
  ],
  ['a service without ports', 'services', pod({}), 'spec.ports: Required value'],
  [
    'two ports without names',
    'services',
    service({ ports: [{ port: 80 }, { port: 81, name: 'b' }] }),
    'spec.ports[0].name: Required value',
  ],
  [
    'an unknown type of service',
    'services',
    service({ type: 'Magic' }),
    'spec.type: Unsupported value: "Magic": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
  ],
  [
    'a node port inside the cluster',
    'services',
    service({ ports: [{ port: 80, nodePort: 30000 }] }),
    "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
  ],
  [
    'a claim of nothing',
    'persistentvolumeclaims',
    pod({ accessModes: ['ReadWriteOnce'] }),
    'spec.resources[storage]: Required value',
  ],
  [
    'an unknown access mode',
    'persistentvolumeclaims',
    pod({ accessModes: ['Any'], resources: { requests: { storage: '1Gi' } } }),
    'spec.accessModes: Unsupported value: "Any": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
  ],
  [
    'a quota of something unknown',
    'resourcequotas',
    pod({ hard: { boats: '1' } }),
    '[spec.hard[boats]: Invalid value: "boats": must be a standard resource type or fully qualified, spec.hard[boats]: Invalid value: "boats": must be a standard resource for quota]',
  ],
  [
    'a limit below its least',
    'limitranges',
    pod({ limits: [{ type: 'Pod', min: { cpu: '2' }, max: { cpu: '1' } }] }),
    'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
  ],
  [
    'a deployment that may not be updated',
    'apps/v1/deployments',
    workload({ strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: '0%' } } }),
    'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0',
  ],
  [
    'a deployment with an empty selector',
    'apps/v1/deployments',
    workload({ selector: {} }),
    'spec.selector: Invalid value: {}: empty selector is invalid for deployment',
  ],
  [
    'a deployment whose pods end',
    'apps/v1/deployments',
    workload({ template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } }),
    'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
  ],
  [
    'a stateful set with an unknown policy',
    'apps/v1/statefulsets',
    workload({ podManagementPolicy: 'Random' }),
    "spec.podManagementPolicy: Invalid value: \"Random\": must be 'OrderedReady' or 'Parallel'",
  ],
  [
    'a job whose pods never end',
    'batch/v1/jobs',
    pod({ template: { spec: template.spec } }),
    'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
  ],
  [
    'a schedule past the hour',
    'batch/v1/cronjobs',
    pod({ schedule: '60 * * * *', jobTemplate: { spec: { template: ending } } }),
    'spec.schedule: Invalid value: "60 * * * *": end of range (60) above maximum (59): 60',
  ],
  [
    'a time zone that is nowhere',
    'batch/v1/cronjobs',
    pod({ schedule: '0 * * * *', timeZone: 'Sea/Atlantis', jobTemplate: { spec: { template: ending } } }),
    'spec.timeZone: Invalid value: "Sea/Atlantis": unknown time zone Sea/Atlantis',
  ],
  [
    'an autoscaler that cannot scale',
    'autoscaling/v2/horizontalpodautoscalers',
    scaler({ minReplicas: 3 }),
    'spec.maxReplicas: Invalid value: 2: must be greater than or equal to `minReplicas`',
  ],
  [
    'a metric without its source',
    'autoscaling/v2/horizontalpodautoscalers',
    scaler({ metrics: [{ type: 'Pods' }] }),
    'spec.metrics[0].pods: Required value: must populate information for the given metric source',
  ],
  [
    'a budget of more than everything',
    'policy/v1/poddisruptionbudgets',
    pod({ maxUnavailable: '101%', selector: {} }),
    'spec.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
  ],
  [
    'an ingress to nowhere',
    'networking.k8s.io/v1/ingresses',
    pod({}),
    'spec: Invalid value: null: either `defaultBackend` or `rules` must be specified',
  ],
  [
    'a path that is none',
    'networking.k8s.io/v1/ingresses',
    ingressPath({ path: 'x', pathType: 'Prefix', backend }),
    'spec.rules[0].http.paths[0].path: Invalid value: "x": must be an absolute path',
  ],
  [
    'a path to nothing',
    'networking.k8s.io/v1/ingresses',
    ingressPath({ path: '/', pathType: 'Prefix', backend: {} }),
    'spec.rules[0].http.paths[0].backend: Invalid value: "": resource or service backend is required',
  ],
  [
    'a peer that is nobody',
    'networking.k8s.io/v1/networkpolicies',
    pod({ podSelector: {}, ingress: [{ from: [{}] }] }),
    'spec.ingress[0].from[0]: Required value: must specify a peer',
  ],
  [
    'a rule without verbs',
    'rbac.authorization.k8s.io/v1/roles',
    { metadata: { name: 'x' }, rules: [{ apiGroups: [''], resources: ['pods'] }] },
    'rules[0].verbs: Required value: verbs must contain at least one value',
  ],
  [
    'a subject of an unknown kind',
    'rbac.authorization.k8s.io/v1/rolebindings',
    {
      metadata: { name: 'x' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [{ kind: 'Robot', name: 'r' }],
    },
    'subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
  ],
  [
    'a lease of no time',
    'coordination.k8s.io/v1/leases',
    pod({ leaseDurationSeconds: 0 }),
    'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
  ],
])('refuses %s', async (_what, place, body, sentence) => {
  const parts = place.split('/');
  const plural = parts.pop() ?? '';
  const path = parts.length === 0 ? `${core}/${plural}` : `${apis(parts.join('/'))}/${plural}`;
  const answer = await json<Refusal>(playground, 'POST', `${path}?dryRun=All`, body);
  expect({ code: answer.code, message: answer.message.replace(/^.* is invalid: /, '') }).toEqual({
    code: 422,
    message: sentence,
  });
});

test.each<[string, string, string]>([
  ['1000m', 'cpu', '1'],
  ['0.5', 'cpu', '500m'],
  ['1024Mi', 'memory', '1Gi'],
  ['1.5Gi', 'memory', '1536Mi'],
  ['1000000', 'memory', '1M'],
  ['128974848', 'memory', '128974848'],
  ['1e3', 'memory', '1e3'],
])('formats the quantity %s of %s as %s', async (given, resource, canonical) => {
  const body = container({ resources: { limits: { [resource]: given } } });
  const answer = await json<{ spec: { containers: { resources: { limits: object } }[] } }>(
    playground,
    'POST',
    `${core}/pods?dryRun=All`,
    body,
  );
  expect(answer.spec.containers[0]?.resources.limits).toEqual({ [resource]: canonical });
});

test.each(['lots', '10x', ''])('refuses the quantity "%s"', async (given) => {
  const body = container({ resources: { limits: { cpu: given } } });
  const answer = await json<Refusal>(playground, 'POST', `${core}/pods?dryRun=All`, body);
  expect(answer).toMatchObject({
    code: 400,
    message:
      'Pod in version "v1" cannot be handled as a Pod: quantities must match the regular expression \'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$\'',
  });
});
