import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { json, send } from './client.ts';

/** What is wrong with pods and definitions, in the words and the order of the API server. */

let playground: Playground;

beforeAll(async () => {
  playground = await startPlayground({ seed: 'none' });
});
afterAll(async () => {
  await playground.close();
});

interface Refusal {
  readonly code?: number;
  readonly message?: string;
}
const core = '/api/v1/namespaces/default';
const refusal = (path: string, body: object) => json<Refusal>(playground, 'POST', path, body);
const at = 'spec.containers[0]';
const container = (fields: object) => ({ containers: [{ name: 'c', image: 'i', ...fields }] });
const plain = container({});
const domain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const spread = (fields: object) => ({
  topologyKey: 'z',
  maxSkew: 1,
  whenUnsatisfiable: 'DoNotSchedule',
  ...fields,
});

test.each<[string, object, string]>([
  [
    'an image with spaces',
    container({ image: ' i ' }),
    `${at}.image: Invalid value: " i ": must not have leading or trailing whitespace`,
  ],
  ['no port', container({ ports: [{}] }), `${at}.ports[0].containerPort: Required value`],
  [
    'a name for two ports',
    container({
      ports: [
        { containerPort: 1, name: 'a' },
        { containerPort: 2, name: 'a' },
      ],
    }),
    `${at}.ports[1].name: Duplicate value: "a"`,
  ],
  [
    'a probe that ends too late and is asked too early',
    container({ livenessProbe: { exec: { command: ['x'] }, periodSeconds: -1, successThreshold: 2 } }),
    `[${at}.livenessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0, ${at}.livenessProbe.successThreshold: Invalid value: 2: must be 1]`,
  ],
  [
    'a resource nobody knows',
    container({ resources: { requests: { foo: '1' } } }),
    `[${at}.resources.requests[foo]: Invalid value: "foo": must be a standard resource type or fully qualified, ${at}.resources.requests[foo]: Invalid value: "foo": must be a standard resource for containers]`,
  ],
  [
    'pages alone',
    container({ resources: { limits: { 'hugepages-2Mi': '4Mi' } } }),
    `${at}.resources: Forbidden: HugePages require cpu or memory`,
  ],
  [
    'half a page',
    container({
      resources: { limits: { 'hugepages-2Mi': '3Mi', cpu: '1' }, requests: { 'hugepages-2Mi': '3Mi' } },
    }),
    `[${at}.resources.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi, ${at}.resources.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi]`,
  ],
  [
    'rights that contradict each other',
    container({ securityContext: { privileged: true, allowPrivilegeEscalation: false } }),
    `${at}.securityContext: Invalid value: {"Capabilities":null,"Privileged":true,"SELinuxOptions":null,"WindowsOptions":null,"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,"ProcMount":null,"SeccompProfile":null,"AppArmorProfile":null}: cannot set \`allowPrivilegeEscalation\` to false and \`privileged\` to true`,
  ],
  [
    'a profile of the node without its name',
    container({ securityContext: { seccompProfile: { type: 'Localhost' } } }),
    `${at}.securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost`,
  ],
  [
    'two gates of one name',
    { ...plain, schedulingGates: [{ name: 'a' }, { name: 'a' }] },
    'spec.schedulingGates[1]: Duplicate value: "a"',
  ],
  [
    'two constraints that say the same',
    { ...plain, topologySpreadConstraints: [spread({}), spread({ minDomains: 0 })] },
    '[spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{z, DoNotSchedule}", spec.topologySpreadConstraints[1].minDomains: Invalid value: 0: must be greater than zero]',
  ],
  [
    'a name server that is a name',
    { ...plain, dnsConfig: { nameservers: ['x'] } },
    'spec.dnsConfig.nameservers[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  ],
  [
    "the node's processes and its own",
    { ...plain, hostPID: true, shareProcessNamespace: true },
    'spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled',
  ],
  [
    'a setting of the kernel with a space',
    { ...plain, securityContext: { sysctls: [{ name: 'a b', value: '' }] } },
    'spec.securityContext.sysctls[0].name: Invalid value: "a b": must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$',
  ],
  [
    'other names for an address that is none',
    { ...plain, hostAliases: [{ ip: 'x', hostnames: ['y.example.com', '-'] }] },
    `[spec.hostAliases[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff), spec.hostAliases[0].hostnames[1]: Invalid value: "-": ${domain}]`,
  ],
  [
    'claims of devices that say where from twice, or not, or by one name',
    {
      ...plain,
      resourceClaims: [
        { name: 'a', resourceClaimName: 'x', resourceClaimTemplateName: 'y' },
        { name: 'b' },
        { name: 'a', resourceClaimName: 'x' },
      ],
    },
    '[spec.resourceClaims[0]: Invalid value: {"Name":"a","ResourceClaimName":"x","ResourceClaimTemplateName":"y"}: at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified, spec.resourceClaims[1]: Invalid value: {"Name":"b","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`, spec.resourceClaims[2].name: Duplicate value: "a"]',
  ],
  [
    'a device that nobody claimed',
    container({ resources: { claims: [{ name: 'z' }] } }),
    `${at}.resources.claims[0]: Not found: "z": must be one of the names in pod.spec.resourceClaims which is empty`,
  ],
  [
    'rules for restarting and no policy',
    container({ restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }] }),
    `${at}.restartPolicy: Required value: must specify restartPolicy when restart rules are used`,
  ],
  [
    'rules for restarting that nobody knows',
    container({ restartPolicy: 'Never', restartPolicyRules: [{ action: 'Wait', exitCodes: {} }, {}] }),
    `[${at}.restartPolicyRules[0].action: Unsupported value: "Wait": supported values: "Restart", "RestartAllContainers", ${at}.restartPolicyRules[0].exitCodes.operator: Unsupported value: "": supported values: "In", "NotIn", ${at}.restartPolicyRules[1].action: Unsupported value: "": supported values: "Restart", "RestartAllContainers", ${at}.restartPolicyRules[1].exitCodes: Required value: must be specified]`,
  ],
  [
    'a mount of a volume that is not sound',
    {
      volumes: [{ name: 'v', hostPath: { path: '/a/../b' } }],
      ...container({ volumeMounts: [{ name: 'v', mountPath: '/x' }] }),
    },
    `[spec.volumes[0].hostPath.path: Invalid value: "/a/../b": must not contain '..', ${at}.volumeMounts[0].name: Not found: "v"]`,
  ],
  [
    'a device made of an empty directory',
    {
      volumes: [{ name: 'v', emptyDir: {} }],
      ...container({ volumeDevices: [{ name: 'v', devicePath: '/dev/x' }] }),
    },
    `${at}.volumeDevices[0].name: Invalid value: "v": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode`,
  ],
  [
    'a token at no path, of nobody',
    { volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: '' } }] } }], ...plain },
    '[spec.volumes[0].projected.path: Required value, spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set]',
  ],
  [
    "its own users on its node's network",
    { ...plain, hostUsers: false, hostNetwork: true },
    'spec.hostNetwork: Forbidden: when `pod.Spec.HostUsers` is false',
  ],
  [
    'rights of Linux on Windows',
    { ...container({ securityContext: { privileged: false } }), os: { name: 'windows' } },
    `${at}.securityContext.privileged: Forbidden: cannot be set for a windows pod`,
  ],
  [
    'less for all containers than for one',
    {
      ...container({ resources: { requests: { cpu: '2' } } }),
      resources: { requests: { cpu: '1' } },
    },
    'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2',
  ],
  [
    'a sleep that is longer than its end may take',
    container({ lifecycle: { preStop: { sleep: { seconds: 31 } } } }),
    `${at}.lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)`,
  ],
  [
    'a container by the name of a domain',
    { containers: [{ name: 'a.b', image: 'i' }] },
    `${at}.name: Invalid value: "a.b": must not contain dots`,
  ],
])('a pod with %s', async (_what, spec, faults) => {
  const { code, message } = await refusal(`${core}/pods`, { metadata: { name: 'p' }, spec });
  expect({ code, message }).toEqual({ code: 422, message: `Pod "p" is invalid: ${faults}` });
});

test('a quota of an unknown resource is refused twice', async () => {
  const { message } = await refusal(`${core}/resourcequotas`, {
    metadata: { name: 'q' },
    spec: { hard: { foo: '1' } },
  });
  expect(message).toContain(
    'spec.hard[foo]: Invalid value: "foo": must be a standard resource type or fully qualified, spec.hard[foo]: Invalid value: "foo": must be a standard resource for quota',
  );
});

const definition = (group: string, version: object) => ({
  metadata: { name: `vans.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'vans', kind: 'Van' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object' } },
        ...version,
      },
    ],
  },
});
const schema = (fields: object) => ({
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', ...fields } } } },
});

test.each<[string, object, string]>([
  [
    'a group of Kubernetes',
    definition('toys.k8s.io', {}),
    'metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
  ],
  [
    'a selectable field that is not there',
    definition('d.io', { selectableFields: [{ jsonPath: '.spec.none' }] }),
    'spec.selectableFields[0].jsonPath: Invalid value: ".spec.none": is an invalid path: does not refer to a valid field',
  ],
  [
    'a selectable field of many',
    definition('d.io', {
      ...schema({ properties: { a: { type: 'object' } } }),
      selectableFields: [{ jsonPath: '.spec.a' }],
    }),
    'spec.selectableFields[0].jsonPath: Invalid value: ".spec.a": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
  ],
  [
    'a reference',
    definition('d.io', schema({ $ref: 'x' })),
    'spec.validation.openAPIV3Schema.properties[spec].$ref: Forbidden: $ref is not supported',
  ],
])('a definition with %s', async (_what, body, faults) => {
  const { message } = await refusal('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', body);
  expect(message).toContain(` is invalid: ${faults}`);
});

test('a changed object of some kinds is validated as a new one and as a changed one', async () => {
  const policies = '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies';
  await json(playground, 'POST', policies, { metadata: { name: 'n' }, spec: { podSelector: {} } });
  const body = { spec: { ingress: [{ from: [{}] }] } };
  const merge = 'application/merge-patch+json';
  const refused = await json<Refusal & { details?: { causes: { field: string }[] } }>(
    playground,
    'PATCH',
    `${policies}/n`,
    body,
    merge,
  );
  expect(refused.details?.causes.map(({ field }) => field)).toEqual([
    'spec.ingress[0].from[0]',
    'spec.ingress[0].from[0]',
  ]);
  expect(refused.message?.match(/spec\.ingress/g)).toHaveLength(1);
});

test('a quota whose requests exceed its limits causes a warning', async () => {
  const answer = await send(playground, {
    method: 'POST',
    path: `${core}/resourcequotas`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ metadata: { name: 'w' }, spec: { hard: { cpu: '2', 'limits.cpu': '1' } } }),
  });
  expect(answer.headers['warning']).toBe('299 - "ResourceQuota cpu (2) should be less than limits.cpu (1)"');
});

test('a label with two slashes is no qualified name, one without a name is reported twice', async () => {
  const labels = { 'a/b/c': 'x', 'd/': 'y' };
  const { message } = await refusal(`${core}/configmaps`, { metadata: { name: 'l', labels } });
  expect(message).toContain('metadata.labels: Invalid value: "a/b/c": a qualified name must consist of');
  expect(message).toContain('metadata.labels: Invalid value: "d/": name part must be non-empty');
  expect(message).toContain('metadata.labels: Invalid value: "d/": name part must consist of');
});

test('unspecified and loopback addresses of endpoints are refused', async () => {
  const { message } = await refusal(`${core}/endpoints`, {
    metadata: { name: 'e' },
    subsets: [{}, { addresses: [{ ip: '127.0.0.1' }], ports: [{ port: 1 }, { port: 2, name: 'b' }] }],
  });
  expect(message).toBe(
    'Endpoints "e" is invalid: [subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`, subsets[1].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128), subsets[1].ports[0].name: Required value]',
  );
});

test('a node has each taint once, and one CIDR range per IP family', async () => {
  const taint = { key: 'a', effect: 'NoSchedule' };
  const { message } = await refusal('/api/v1/nodes', {
    metadata: { name: 'n' },
    spec: { taints: [taint, { ...taint, value: 'v' }], podCIDRs: ['10.0.0.0/24', '10.0.1.0/24'] },
  });
  expect(message).toBe(
    'Node "n" is invalid: [metadata.taints[1]: Duplicate value: {"Key":"a","Value":"v","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair, spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.0.1.0/24"]: may specify no more than one CIDR for each IP family]',
  );
});

test("pod-level limits default the requests, or the containers' requests do, and make the pod guaranteed", async () => {
  const create = async (name: string, fields: object) => {
    const body = { metadata: { name }, spec: { ...plain, ...fields } };
    return json<{ spec: { resources: object }; status: { qosClass: string } }>(
      playground,
      'POST',
      `${core}/pods`,
      body,
    );
  };
  const limits = { cpu: '1', memory: '1Gi' };
  const whole = await create('whole', { resources: { limits } });
  expect([whole.spec.resources, whole.status.qosClass]).toEqual([{ limits, requests: limits }, 'Guaranteed']);
  const part = await create('part', {
    ...container({ resources: { limits: { cpu: '250m' } } }),
    resources: { limits },
  });
  expect([part.spec.resources, part.status.qosClass]).toEqual([
    { limits, requests: { cpu: '250m', memory: '1Gi' } },
    'Burstable',
  ]);
});
