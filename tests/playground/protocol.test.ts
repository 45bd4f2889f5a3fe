import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { json, type Response, send } from './client.ts';

interface Status {
  readonly code: number;
  readonly reason?: string;
  readonly message: string;
}

let playground: Playground;
const core = '/api/v1/namespaces/default';
const role = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';

beforeAll(async () => {
  playground = await startPlayground({ seed: 'none' });
  const post = (path: string, body: object) => json(playground, 'POST', path, body);
  await post(`${core}/configmaps`, { metadata: { name: 'kept' }, data: { a: '1' } });
  await post(`${core}/pods`, {
    metadata: { name: 'one' },
    spec: { nodeName: 'n', containers: [{ name: 'main', image: 'a:1' }] },
  });
});
afterAll(async () => {
  await playground.close();
});

const ask = (
  method: string,
  path: string,
  body?: string | object,
  headers: Record<string, string> = {},
): Promise<Response> =>
  send(playground, {
    method,
    path,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
const said = ({ text }: Response): Status => JSON.parse(text) as Status;

test.each<[string, string, string, string]>([
  ['GET', '?limit=many', 'strconv.ParseInt: parsing "many": invalid syntax', ''],
  [
    'GET',
    '?resourceVersionMatch=Exact',
    'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    '',
  ],
  [
    'GET',
    '?watch=1&sendInitialEvents=true',
    'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    '',
  ],
  [
    'GET',
    '?labelSelector=-a',
    "unable to parse requirement: <nil>: Invalid value: \"-a\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    '',
  ],
  [
    'POST',
    '?dryRun=Some',
    'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
    '{}',
  ],
  [
    'POST',
    '?fieldValidation=Loose',
    'CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "Loose": supported values: "", "Ignore", "Strict", "Warn"',
    '{}',
  ],
  [
    'DELETE',
    '/kept?propagationPolicy=Never',
    'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Never": supported values: "Foreground", "Background", "Orphan", "nil"',
    '',
  ],
  [
    'POST',
    '',
    "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: invalid character 'a' looking for beginning of object key string ({a)",
    '{a',
  ],
])('refuses %s config maps%s', async (method, query, message, body) => {
  const answer = await ask(method, `${core}/configmaps${query}`, body === '' ? undefined : body);
  expect(said(answer).message).toBe(message);
});

test('a duplicate key causes a warning, a refusal or nothing, as field validation says', async () => {
  const body = '{"metadata":{"name":"twice"},"data":{"a":"1","a":"2"}}';
  const path = `${core}/configmaps?dryRun=All&fieldValidation=`;
  expect((await ask('POST', `${path}Warn`, body)).headers['warning']).toBe(
    '299 - "duplicate field \\"data.a\\""',
  );
  expect(said(await ask('POST', `${path}Strict`, body)).message).toContain(
    'strict decoding error: duplicate field "data.a"',
  );
  expect((await ask('POST', `${path}Ignore`, body)).headers['warning']).toBeUndefined();
});

test('patches that cannot be parsed or merged are refused with the message of their decoder', async () => {
  const patch = async (body: string, type: string) =>
    said(await ask('PATCH', `${core}/pods/one`, body, { 'content-type': `application/${type}` }));
  expect(await patch('{}', 'json-patch+json')).toMatchObject({
    code: 400,
    message:
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
  });
  expect(await patch('{"spec":{"containers":[{"image":"b"}]}}', 'strategic-merge-patch+json')).toMatchObject({
    code: 500,
    message: 'map: map[image:b] does not contain declared merge key: name',
  });
  expect(await patch('{"spec":{"priority":"high"}}', 'strategic-merge-patch+json')).toMatchObject({
    code: 422,
    message: ' "" is invalid: patch: Invalid value: "map[spec:map[priority:high]]": unrecognized type: int32',
  });
});

test('an apply of unknown fields is refused with their paths', async () => {
  const body = 'apiVersion: v1\nkind: ConfigMap\ndata:\n  a: 1\nboat: red\n';
  const answer = await ask('PATCH', `${core}/configmaps/kept?fieldManager=ann`, body, {
    'content-type': 'application/apply-patch+yaml',
  });
  expect(said(answer)).toMatchObject({
    code: 500,
    message:
      'failed to create typed patch object (/; /v1, Kind=ConfigMap): errors:\n  .data.a: expected string, got &value.valueUnstructured{Value:1}\n  .boat: field not declared in schema',
  });
});

test('several conflicts of an apply are reported by manager', async () => {
  const config = (value: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'shared' },
    data: { a: value, b: value },
  });
  const apply = (manager: string, value: string) =>
    ask('PATCH', `${core}/configmaps/shared?fieldManager=${manager}`, config(value), {
      'content-type': 'application/apply-patch+yaml',
    });
  expect((await apply('ann', '1')).status).toBe(201);
  expect(said(await apply('bob', '2')).message).toBe(
    'Apply failed with 2 conflicts: conflicts with "ann":\n- .data.a\n- .data.b',
  );
});

test('an update creates a missing lease, and needs the resourceVersion of an existing one', async () => {
  const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/held';
  const body = { metadata: { name: 'held' }, spec: { leaseDurationSeconds: 10 } };
  expect((await ask('PUT', path, body)).status).toBe(201);
  expect(said(await ask('PUT', path, body)).message).toBe(
    'leases.coordination.k8s.io "held" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
  );
});

test('an autoscaler is one object in both versions of its group', async () => {
  const path = (version: string) =>
    `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
  await json(playground, 'POST', path('v1'), {
    metadata: { name: 'h' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
      maxReplicas: 3,
      targetCPUUtilizationPercentage: 50,
    },
  });
  expect(await json(playground, 'GET', `${path('v2')}/h`)).toMatchObject({
    apiVersion: 'autoscaling/v2',
    spec: { metrics: [{ resource: { name: 'cpu', target: { averageUtilization: 50 } } }] },
  });
  const patched = await json(
    playground,
    'PATCH',
    `${path('v1')}/h`,
    { spec: { targetCPUUtilizationPercentage: 70 } },
    'application/merge-patch+json',
  );
  expect(patched).toMatchObject({
    apiVersion: 'autoscaling/v1',
    spec: { targetCPUUtilizationPercentage: 70 },
  });
  expect(await json(playground, 'GET', `${path('v2')}/h`)).toMatchObject({
    spec: { metrics: [{ resource: { target: { averageUtilization: 70 } } }] },
  });
});

test('an event is one object in both groups, with the field names of each', async () => {
  const place = '/apis/events.k8s.io/v1/namespaces/default/events';
  await json(playground, 'POST', place, {
    metadata: { name: 'e' },
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'a/b',
    reportingInstance: 'c',
    action: 'Sail',
    reason: 'Wind',
    regarding: { kind: 'Pod', name: 'one', namespace: 'default' },
    note: 'off',
    type: 'Normal',
  });
  expect(await json(playground, 'GET', `${core}/events/e`)).toMatchObject({
    apiVersion: 'v1',
    involvedObject: { name: 'one' },
    message: 'off',
  });
  const found = await json<{ items: unknown[] }>(
    playground,
    'GET',
    `${place}?fieldSelector=regarding.name=one`,
  );
  expect(found.items).toMatchObject([{ regarding: { name: 'one' }, note: 'off' }]);
});

test('nobody can grant more than they have, and a review names the binding that allows a request', async () => {
  const post = (path: string, body: object, headers?: Record<string, string>) =>
    ask('POST', path, body, headers);
  const own = { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], verbs: ['create'] };
  await post(`${role}/roles`, { metadata: { name: 'giver' }, rules: [own] });
  await post(`${role}/rolebindings`, {
    metadata: { name: 'giver' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'giver' },
    subjects: [{ kind: 'User', name: 'jane' }],
  });
  const wanted = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
  const refused = await post(
    `${role}/roles`,
    { metadata: { name: 'more' }, rules: [wanted] },
    { 'impersonate-user': 'jane' },
  );
  expect(said(refused)).toMatchObject({
    code: 403,
    message:
      'roles.rbac.authorization.k8s.io "more" is forbidden: user "jane" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["get"]}',
  });
  const review = await post('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
    spec: {
      user: 'jane',
      resourceAttributes: {
        namespace: 'default',
        verb: 'create',
        group: 'rbac.authorization.k8s.io',
        resource: 'roles',
      },
    },
  });
  expect(JSON.parse(review.text)).toMatchObject({
    status: {
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "giver/default" of Role "giver" to User "jane"',
    },
  });
});

test.each<[string, object, string]>([
  [
    'both as a text and in parts',
    { labelSelector: { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'Newer' }] } },
    'spec.resourceAttributes.labelSelector.rawSelector: Invalid value: "a=b": may not specified at the same time as requirements',
  ],
  [
    'in no way',
    { fieldSelector: {} },
    'spec.resourceAttributes.fieldSelector.requirements: Required value: when spec.resourceAttributes.fieldSelector is specified, requirements or rawSelector is required',
  ],
  [
    'by nothing',
    { fieldSelector: { requirements: [{ key: '', operator: 'In' }] } },
    "[spec.resourceAttributes.fieldSelector.requirements[0].key: Required value: must be specified, spec.resourceAttributes.fieldSelector.requirements[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn']",
  ],
])('a review with a selector %s is refused', async (_what, resourceAttributes, why) => {
  const review = { spec: { user: 'jane', resourceAttributes } };
  expect(said(await ask('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', review))).toMatchObject(
    {
      code: 422,
      message: `SubjectAccessReview.authorization.k8s.io "" is invalid: ${why}`,
    },
  );
});

test('a whole identity is impersonated, each part with its own permission', async () => {
  const headers = { 'impersonate-user': 'jane', 'impersonate-uid': 'u', 'impersonate-extra-scopes': 'read' };
  const answer = await ask('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {}, headers);
  expect(JSON.parse(answer.text)).toMatchObject({
    status: {
      userInfo: { username: 'jane', uid: 'u', groups: ['system:authenticated'], extra: { scopes: ['read'] } },
    },
  });
});

test('answers that rarely change have an ETag, and are not sent again to clients that have them', async () => {
  const headers = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };
  const first = await ask('GET', '/apis', undefined, headers);
  const tag = String(first.headers['etag']);
  expect(tag).toMatch(/^"[0-9A-F]{128}"$/);
  const again = await ask('GET', '/apis', undefined, { ...headers, 'if-none-match': tag });
  expect([again.status, again.text]).toEqual([304, '']);
  const index = JSON.parse((await ask('GET', '/openapi/v3')).text) as {
    paths: Record<string, { serverRelativeURL: string }>;
  };
  const address = index.paths['apis/apps/v1']?.serverRelativeURL ?? '';
  expect((await ask('GET', address)).headers['cache-control']).toBe('public, immutable');
  const stale = await ask('GET', '/openapi/v3/apis/apps/v1?hash=0');
  expect([stale.status, stale.headers['location']]).toEqual([301, address]);
});

test('pods get the priority of their class, and an unknown class is refused', async () => {
  const create = (priorityClassName: string) =>
    ask('POST', `${core}/pods?dryRun=All`, {
      metadata: { name: 'x' },
      spec: { priorityClassName, containers: [{ name: 'a', image: 'a' }] },
    });
  expect(JSON.parse((await create('system-node-critical')).text)).toMatchObject({
    spec: { priority: 2_000_001_000 },
  });
  expect(said(await create('none'))).toMatchObject({
    code: 403,
    message: 'pods "x" is forbidden: no PriorityClass with name none was found',
  });
});

test('the namespaces that every cluster has cannot be deleted', async () => {
  expect(said(await ask('DELETE', '/api/v1/namespaces/kube-system'))).toMatchObject({
    code: 403,
    message: 'namespaces "kube-system" is forbidden: this namespace may not be deleted',
  });
});
