import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { json, send, stream as open } from './client.ts';

/** Answers whose form is easily taken for granted: nulls, defaults, forms of answers, options and warnings. */

let playground: Playground;
const core = '/api/v1/namespaces/default';
const access = '/apis/rbac.authorization.k8s.io/v1';

beforeAll(async () => {
  playground = await startPlayground({ seed: 'none' });
  await json(playground, 'POST', `${core}/configmaps`, { metadata: { name: 'a', labels: { x: '1' } } });
});
afterAll(async () => {
  await playground.close();
});

const ask = async (method: string, path: string, headers: Record<string, string> = {}, body?: string) => {
  const answer = await send(playground, { method, path, headers, ...(body === undefined ? {} : { body }) });
  // YAML reads JSON too.
  const parsed = parse(answer.text) as Record<string, unknown>;
  return {
    code: answer.status,
    message: parsed['message'],
    body: parsed,
    warning: answer.headers['warning'],
  };
};
const made = (path: string, body: object) => json<Record<string, unknown>>(playground, 'POST', path, body);
const service = (name: string, spec: object) =>
  made(`${core}/services`, { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } });

test('empty lists that Go never omits are null', async () => {
  const selector = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
  expect(
    await made(`${access}/clusterroles`, { metadata: { name: 'n' }, aggregationRule: selector }),
  ).toMatchObject({
    rules: null,
  });
  expect(
    await made('/apis/storage.k8s.io/v1/csinodes', { metadata: { name: 'n' }, spec: { drivers: [] } }),
  ).toMatchObject({
    spec: { drivers: null },
  });
  const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
  expect(await made(slices, { metadata: { name: 'n' }, addressType: 'IPv4', endpoints: [] })).toMatchObject({
    endpoints: null,
    ports: null,
  });
});

test("fields that were not sent have the server's defaults", async () => {
  const binding = await made(`${access}/clusterrolebindings`, {
    metadata: { name: 'n' },
    roleRef: { kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'Group', name: 'g' }],
  });
  const apiGroup = 'rbac.authorization.k8s.io';
  expect(binding).toMatchObject({ roleRef: { apiGroup }, subjects: [{ apiGroup }] });
  const node = await made('/api/v1/nodes', { metadata: { name: 'n' }, spec: { podCIDR: '10.0.0.0/24' } });
  expect(node).toMatchObject({ spec: { podCIDRs: ['10.0.0.0/24'] } });
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const controller = await made(`${core}/replicationcontrollers`, {
    metadata: { name: 'n' },
    spec: { template },
  });
  expect(controller['spec']).not.toHaveProperty('minReadySeconds');
  const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
  const policy = await made(policies, {
    metadata: { name: 'n' },
    spec: { validations: [{ expression: 'true' }] },
  });
  expect(policy).toMatchObject({ metadata: { generation: 1 } });
});

test('services get the fields that their type needs', async () => {
  expect(await service('free', { clusterIP: 'None' })).toMatchObject({
    spec: { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv4', 'IPv6'] },
  });
  expect(await service('own', { clusterIP: 'None', selector: { a: 'b' } })).toMatchObject({
    spec: { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4'] },
  });
  const ports = [
    { name: 'a', port: 53 },
    { name: 'b', port: 53, protocol: 'UDP' },
  ];
  const balanced = await json<{ spec: { healthCheckNodePort: number; ports: { nodePort: number }[] } }>(
    playground,
    'POST',
    `${core}/services`,
    { metadata: { name: 'lb' }, spec: { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports } },
  );
  expect(balanced.spec.healthCheckNodePort).toBeGreaterThanOrEqual(30_000);
  expect(balanced.spec.ports[0]?.nodePort).toBe(balanced.spec.ports[1]?.nodePort);
  expect(await service('both', { ipFamilyPolicy: 'RequireDualStack' })).toMatchObject({
    message:
      'Service "both" is invalid: spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
  });
});

const accept = (value: string) => ({ accept: value });
const meta = (as: string, version = 'v1') => accept(`application/json;as=${as};v=${version};g=meta.k8s.io`);
const three = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
test.each<[string, string, string, Record<string, string>, number, string]>([
  [
    'an object as text',
    'GET',
    'configmaps/a',
    accept('text/html'),
    406,
    `406: Not Acceptable\n\nAvailable representations: ${three}`,
  ],
  [
    'a table of another version',
    'GET',
    'configmaps',
    meta('Table', 'v2'),
    406,
    `only the following media types are accepted: ${three}`,
  ],
  [
    'a watch as YAML',
    'GET',
    'configmaps?watch=1',
    accept('application/yaml'),
    406,
    'only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
  ],
  [
    'a list as one object',
    'GET',
    'configmaps',
    meta('PartialObjectMetadata'),
    406,
    'you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)',
  ],
  [
    'an object as a list',
    'GET',
    'configmaps/a',
    meta('PartialObjectMetadataList'),
    406,
    'you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)',
  ],
  [
    'a table with strange objects',
    'GET',
    'configmaps?includeObject=Foo',
    meta('Table'),
    400,
    `Unable to convert to Table as requested: includeObject: Invalid value: "Foo": must be 'Metadata', 'Object', 'None', or empty`,
  ],
  [
    'nodes of a namespace',
    'GET',
    '../../nodes?fieldSelector=metadata.namespace%3Dx',
    {},
    400,
    'field label not supported: metadata.namespace',
  ],
  [
    'a new object of every namespace',
    'POST',
    '../../configmaps',
    {},
    405,
    'the server does not allow this method on the requested resource',
  ],
  [
    'the end of all objects of every namespace',
    'DELETE',
    '../../configmaps',
    {},
    405,
    'the server does not allow this method on the requested resource',
  ],
])('%s is refused', async (_what, method, path, headers, code, message) => {
  const whole = path.startsWith('../../') ? `/api/v1/${path.slice(6)}` : `${core}/${path}`;
  expect(await ask(method, whole, headers)).toMatchObject({ code, message });
});

const asJson = { 'content-type': 'application/json' };
test.each<[string, string, Record<string, string>, string | undefined, number, string]>([
  [
    'seconds that are no number',
    'a?gracePeriodSeconds=abc',
    {},
    undefined,
    400,
    'strconv.ParseInt: parsing "abc": invalid syntax',
  ],
  [
    'half a body',
    'a',
    asJson,
    '{',
    500,
    "couldn't get version/kind; json parse error: unexpected end of JSON input",
  ],
  [
    'seconds of another type',
    'a',
    asJson,
    '{"gracePeriodSeconds":"a"}',
    500,
    'json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
  ],
  [
    'a text',
    'a',
    { 'content-type': 'text/plain' },
    '{}',
    415,
    `the body of the request was in an unknown format - accepted media types include: ${three}`,
  ],
])('a deletion with %s is refused', async (_what, path, headers, body, code, message) => {
  expect(await ask('DELETE', `${core}/configmaps/${path}`, headers, body)).toMatchObject({ code, message });
});

test('a replacement must have a name and namespace, which is checked before its existence', async () => {
  const put = (name: string, metadata: object) =>
    ask('PUT', `${core}/configmaps/${name}`, asJson, JSON.stringify({ metadata }));
  expect(await put('a', {})).toMatchObject({
    code: 400,
    message: 'the name of the object (a based on URL) was undeterminable: name must be provided',
  });
  expect(await put('none', { name: 'a' })).toMatchObject({ code: 400 });
});

test('a changed object reports each error of its metadata as often as the server checks it', async () => {
  const headers = { 'content-type': 'application/merge-patch+json' };
  const wrong = JSON.stringify({ metadata: { labels: { x: 'bad value!' } } });
  const { body } = await ask('PATCH', `${core}/configmaps/a`, headers, wrong);
  const { causes } = body['details'] as { causes: { field: string }[] };
  expect(causes.map(({ field }) => field)).toEqual(Array.from({ length: 4 }, () => 'metadata.labels'));
});

test('old watch paths watch, and a name with a watch parameter is a get', async () => {
  const watched = await send(playground, {
    method: 'GET',
    path: `/api/v1/watch/namespaces/default/configmaps?timeoutSeconds=1`,
  });
  expect(JSON.parse(watched.text.split('\n')[0] ?? '')).toMatchObject({ type: 'ADDED' });
  expect((await ask('GET', `${core}/configmaps/a?watch=1`)).body).toMatchObject({ kind: 'ConfigMap' });
});

test.each<[string, string, object, number]>([
  ['/api/v1/pods', 'v1', { spec: { containers: null }, status: {} }, 9],
  ['/api/v1/nodes', 'v1', { spec: {}, status: { daemonEndpoints: { kubeletEndpoint: { Port: 0 } } } }, 10],
  ['/apis/apps/v1/deployments', 'v1', { spec: { selector: null, strategy: {} }, status: {} }, 8],
  ['/apis/rbac.authorization.k8s.io/v1/rolebindings', 'v1beta1', { roleRef: { kind: '' } }, 6],
  ['/api/v1/configmaps', 'v1beta1', {}, 3],
])('bookmarks of %s are blank objects in the requested form', async (path, version, blank, columns) => {
  const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const last = async (form: string) => {
    const stream = await open(playground, { method: 'GET', path: `${path}?${query}`, headers: accept(form) });
    const bookmarks = () => stream.lines.filter((line) => line.startsWith('{"type":"BOOKMARK"'));
    await expect.poll(bookmarks).toHaveLength(1);
    stream.close();
    return (JSON.parse(bookmarks()[0] ?? '') as { object: Record<string, unknown> }).object;
  };
  const metadata = { annotations: { 'k8s.io/initial-events-end': 'true' } };
  expect(await last('application/json')).toMatchObject({ metadata, ...blank });
  const as = (kind: string) => `application/json;as=${kind};g=meta.k8s.io;v=${version}`;
  const apiVersion = `meta.k8s.io/${version}`;
  const partial = { kind: 'PartialObjectMetadata', apiVersion, metadata };
  expect(await last(as('PartialObjectMetadata'))).toMatchObject(partial);
  const table = await last(as('Table'));
  expect(table).toMatchObject({ kind: 'Table', apiVersion, rows: [{ object: partial }] });
  expect((table['rows'] as { cells: unknown[] }[])[0]?.cells).toHaveLength(columns);
});

test('credentials of another scheme are ignored', async () => {
  const path = `${core}/pods`;
  const answer = await send(playground, {
    method: 'GET',
    path,
    token: null,
    headers: { authorization: 'Basic YTpi' },
  });
  expect(answer.status).toBe(403);
});

test('writers of pods, templates and services are warned', async () => {
  const container = {
    name: 'c',
    image: 'i',
    ports: [{ containerPort: 80 }, { containerPort: 80, hostPort: 81 }],
  };
  const spec = {
    nodeSelector: { 'beta.kubernetes.io/os': 'linux' },
    imagePullSecrets: [{ name: 's' }, { name: 's' }],
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule' }],
    containers: [container],
  };
  const labels = { a: 'b' };
  const body = {
    metadata: { name: 'd.d' },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  const { warning } = await ask('POST', deployments, asJson, JSON.stringify(body));
  const path = 'spec.template.spec';
  for (const text of [
    'metadata.name: this is used in Pod names and hostnames',
    `${path}.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use \\"kubernetes.io/os\\" instead`,
    `${path}.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod`,
    `${path}.imagePullSecrets[1].name: duplicate name \\"s\\"`,
    `${path}.containers[0].ports[1]: overlapping port definition with ${path}.containers[0].ports[0]`,
  ]) {
    expect(warning).toContain(text);
  }
  const merge = { 'content-type': 'application/merge-patch+json' };
  expect(
    (await ask('PATCH', `${deployments}/d.d`, merge, '{"metadata":{"labels":{"x":"y"}}}')).warning,
  ).toBeUndefined();
  const named = JSON.stringify({
    metadata: { name: 'w' },
    spec: { ports: [{ port: 1 }], externalName: 'a.b' },
  });
  expect((await ask('POST', `${core}/services`, asJson, named)).warning).toContain(
    'spec.externalName is ignored when spec.type is not',
  );
});
