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
    '[spec.topologySpreadConstraints[1].{topologyKey, whenUnsatisfiable}: Duplicate value: "{z, DoNotSchedule}", spec.topologySpreadConstraints[1].minDomains: Invalid value: 0: must be greater than zero]',
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
])('a pod with %s', async (_what, spec, faults) => {
  const { code, message } = await refusal(`${core}/pods`, { metadata: { name: 'p' }, spec });
  expect({ code, message }).toEqual({ code: 422, message: `Pod "p" is invalid: ${faults}` });
});

test('a quota of a resource nobody knows is refused twice', async () => {
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

test('a changed object of some kinds is looked at as a new one and as a changed one', async () => {
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

test('a quota whose requests are more than its limits is warned of', async () => {
  const answer = await send(playground, {
    method: 'POST',
    path: `${core}/resourcequotas`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ metadata: { name: 'w' }, spec: { hard: { cpu: '2', 'limits.cpu': '1' } } }),
  });
  expect(answer.headers['warning']).toBe('299 - "ResourceQuota cpu (2) should be less than limits.cpu (1)"');
});

test('a label with two slashes is no qualified name, one without a name is told twice', async () => {
  const labels = { 'a/b/c': 'x', 'd/': 'y' };
  const { message } = await refusal(`${core}/configmaps`, { metadata: { name: 'l', labels } });
  expect(message).toContain('metadata.labels: Invalid value: "a/b/c": a qualified name must consist of');
  expect(message).toContain('metadata.labels: Invalid value: "d/": name part must be non-empty');
  expect(message).toContain('metadata.labels: Invalid value: "d/": name part must consist of');
});
