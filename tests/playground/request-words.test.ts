import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { json, send } from './client.ts';

/** What is said of requests that are put wrongly, and how subresources take part in server-side apply. */

let playground: Playground;
const core = '/api/v1/namespaces/default';
const apps = '/apis/apps/v1/namespaces/default';
const merge = 'application/merge-patch+json';
const applied = 'application/apply-patch+yaml';
const scaleApi = { apiVersion: 'autoscaling/v1', kind: 'Scale' };
const pod = { containers: [{ name: 'c', image: 'i:1' }] };

const deployment = (name: string) => ({
  metadata: { name, labels: { own: 'yes' } },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: pod },
  },
});

beforeAll(async () => {
  playground = await startPlayground({ seed: 'none' });
  await json(playground, 'POST', `${core}/configmaps`, { metadata: { name: 'a', labels: { x: '' } } });
  await json(playground, 'POST', `${core}/pods`, { metadata: { name: 'one' }, spec: pod });
  await json(playground, 'POST', `${core}/serviceaccounts`, { metadata: { name: 'robot' } });
  await json(playground, 'POST', `${apps}/deployments`, deployment('web'));
});
afterAll(async () => {
  await playground.close();
});

/** One request; `accept` where the answer's form is asked for. */
async function ask(method: string, path: string, body?: unknown, type = 'application/json', accept = '*/*') {
  const answer = await send(playground, {
    method,
    path,
    headers: { 'content-type': type, accept },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const parsed = JSON.parse(answer.text) as { message?: string; items?: unknown[] };
  return { code: answer.status, message: parsed.message, body: parsed };
}

const nowhere = (name: string) =>
  `the name of the object (${name} based on URL) was undeterminable: name must be provided`;
const elsewhere = 'the namespace of the provided object does not match the namespace sent on the request';
const scaled = (metadata: object) => ({ metadata, spec: { replicas: 1 } });
const target = { kind: 'Node', name: 'n' };

describe('invalid requests', () => {
  test.each<[string, string, string, unknown, string, number, string]>([
    // Selectors.
    ...(
      [
        ['labelSelector=a,,b', "found ',', expected: identifier after ','"],
        ['labelSelector=,', "found ',', expected: !, identifier, or 'end of string'"],
        ['labelSelector=a=b=c', "found '=', expected: ',' or 'end of string'"],
        ['labelSelector=!', "unable to parse requirement: found '', expected: identifier"],
        ['labelSelector=a in x', "unable to parse requirement: found 'x' expected: '('"],
        ['labelSelector=a in (x', "unable to parse requirement: found '', expected: ',' or ')'"],
        ['labelSelector=a in (x,', "unable to parse requirement: found '', expected: ',', or identifier"],
        [
          'labelSelector=a b',
          "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
        ],
        ['fieldSelector=metadata.name=a,b', "invalid selector: 'metadata.name=a,b'; can't understand 'b'"],
        ['fieldSelector=metadata.name===a', 'invalid field selector: unescaped character in value: ='],
        ['fieldSelector=metadata.name=a%5Cb', 'invalid field selector: invalid escape sequence: \\b'],
      ] as const
    ).map(([query, message]): [string, string, string, unknown, string, number, string] => [
      query,
      'GET',
      `${core}/configmaps?${query}`,
      undefined,
      '',
      400,
      message,
    ]),
    // Identities.
    [
      'a patch that takes the name away',
      'PATCH',
      `${core}/configmaps/a`,
      { metadata: { name: null } },
      merge,
      400,
      nowhere('a'),
    ],
    ['a scale without a name', 'PUT', `${apps}/deployments/web/scale`, { spec: {} }, '', 400, nowhere('web')],
    [
      'a scale of another name',
      'PUT',
      `${apps}/deployments/web/scale`,
      scaled({ name: 'b' }),
      '',
      400,
      'the name of the object (b) does not match the name on the URL (web)',
    ],
    [
      'a scale of another namespace',
      'PUT',
      `${apps}/deployments/web/scale`,
      scaled({ name: 'web', namespace: 'b' }),
      '',
      400,
      elsewhere,
    ],
    [
      'a patched scale of another name',
      'PATCH',
      `${apps}/deployments/web/scale`,
      { metadata: { name: 'b' } },
      merge,
      400,
      'the name of the object (b) does not match the name on the URL (web)',
    ],
    [
      'an eviction without a name',
      'POST',
      `${core}/pods/one/eviction`,
      {},
      '',
      400,
      'name in URL does not match name in Eviction object',
    ],
    [
      'an eviction in another namespace',
      'POST',
      `${core}/pods/one/eviction`,
      { metadata: { name: 'one', namespace: 'b' } },
      '',
      400,
      elsewhere,
    ],
    [
      'a binding without a name',
      'POST',
      `${core}/pods/one/binding`,
      { target },
      '',
      400,
      'name in URL does not match name in Binding object',
    ],
    ['a binding of no pod', 'POST', `${core}/bindings`, { target }, '', 400, 'Name parameter required.'],
    [
      'a token of another account',
      'POST',
      `${core}/serviceaccounts/robot/token`,
      { metadata: { name: 'b' } },
      '',
      422,
      'TokenRequest.authentication.k8s.io "robot" is invalid: metadata.name: Invalid value: "b": must match the service account name if specified',
    ],
    // Options.
    [
      'options of another kind',
      'DELETE',
      `${core}/configmaps/a`,
      { kind: 'Foo', apiVersion: 'v1' },
      '',
      500,
      'no kind "Foo" is registered for version "v1" in scheme "pkg/apis/meta/internalversion/scheme/register.go:27"',
    ],
    [
      'a scale that is tried in another way',
      'PUT',
      `${apps}/deployments/web/scale?dryRun=b`,
      scaled({ name: 'web' }),
      '',
      422,
      'UpdateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["b"]: supported values: "All"',
    ],
    [
      'a token that is tried in another way',
      'POST',
      `${core}/serviceaccounts/robot/token?dryRun=b`,
      {},
      '',
      422,
      'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["b"]: supported values: "All"',
    ],
    [
      'an object of a version that is none',
      'GET',
      `${core}/configmaps/a?resourceVersion=b`,
      undefined,
      '',
      500,
      'resourceVersion: Invalid value: "b": strconv.ParseUint: parsing "b": invalid syntax',
    ],
    [
      'no policies at all',
      'POST',
      '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
      {
        metadata: { name: 'h' },
        spec: {
          maxReplicas: 2,
          scaleTargetRef: { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' },
          behavior: { scaleUp: { policies: [] } },
        },
      },
      '',
      422,
      'HorizontalPodAutoscaler.autoscaling "h" is invalid: spec.behavior.scaleUp.policies: Required value: must specify at least one Policy',
    ],
  ])('%s', async (_what, method, path, body, type, code, message) => {
    expect(await ask(method, path, body, type === '' ? undefined : type)).toMatchObject({ code, message });
  });

  test('a version in the future times out', async () => {
    const { version } = playground.world.store;
    const message = `Timeout: Too large resource version: ${version + 1_000}, current: ${version}`;
    for (const path of ['configmaps', 'configmaps/a']) {
      const answer = await ask('GET', `${core}/${path}?resourceVersion=${version + 1_000}`);
      expect(answer).toMatchObject({ code: 504, message, body: { details: { retryAfterSeconds: 1 } } });
    }
  });

  test.each([
    ['a table of a group that has none', 'configmaps', 'application/json;as=Table;v=v1;g=foo.io'],
    ['a table of no group', 'configmaps', 'application/json;as=Table;v=v1'],
  ])('%s is not acceptable', async (_what, path, accept) => {
    const answer = await ask('GET', `${core}/${path}`, undefined, undefined, accept);
    expect(answer.message).toMatch(/^only the following media types are accepted: /);
    expect(answer.code).toBe(406);
  });

  test.each(['/apis/apps', '/apis/apps/v1', '/api/v1'])('%s is not served as HTML', async (path) => {
    expect(await ask('GET', path, undefined, undefined, 'text/html')).toMatchObject({ code: 406 });
  });
});

test('empty parentheses select the empty value, and commas in values are escaped', async () => {
  const found = async (query: string) => (await ask('GET', `${core}/configmaps?${query}`)).body.items?.length;
  expect(await found('labelSelector=x in ()')).toBe(1);
  expect(await found('labelSelector=x in (,b)')).toBe(1);
  expect(await found('labelSelector=x in (b)')).toBe(0);
  expect(await found('fieldSelector=metadata.name=a%5C,b')).toBe(0);
});

test('a page at a version is of exactly that version, unless it may be newer', async () => {
  const { version } = playground.world.store;
  await json(playground, 'POST', `${core}/configmaps`, {
    metadata: { name: 'later', labels: { late: '1' } },
  });
  const list = async (query: string) =>
    (await ask('GET', `${core}/configmaps?limit=5&labelSelector=late&resourceVersion=${version}${query}`))
      .body;
  expect((await list('')).items).toHaveLength(0);
  expect((await list('&resourceVersionMatch=NotOlderThan')).items).toHaveLength(1);
});

test('a log with an invalid sinceTime is refused', async () => {
  expect(await ask('GET', `${core}/pods/one/log?sinceTime=b`)).toMatchObject({
    code: 400,
    message: 'parsing time "b" as "2006-01-02T15:04:05Z07:00": cannot parse "b" as "2006"',
  });
});

test('a status of a pod without its quality of service keeps the stored one', async () => {
  const status = { phase: 'Running' };
  const answer = await ask('PUT', `${core}/pods/one/status`, { metadata: { name: 'one' }, status });
  expect(answer).toMatchObject({ code: 200, body: { status: { phase: 'Running', qosClass: 'BestEffort' } } });
});

test('older clients evict by the older version', async () => {
  const body = { apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata: { name: 'one' } };
  expect(await ask('POST', `${core}/pods/one/eviction?dryRun=All`, body)).toMatchObject({ code: 201 });
});

test('a changed clusterIP also changes clusterIPs, and is refused once', async () => {
  const ports = [{ port: 80 }];
  await json(playground, 'POST', `${core}/services`, { metadata: { name: 'fixed' }, spec: { ports } });
  for (const clusterIP of ['10.96.1.1', 'None']) {
    const answer = await ask('PATCH', `${core}/services/fixed`, { spec: { clusterIP } }, merge);
    expect(answer).toMatchObject({
      code: 422,
      message: `Service "fixed" is invalid: spec.clusterIPs[0]: Invalid value: ["${clusterIP}"]: may not change once set`,
    });
  }
});

test('finalizers of a namespace are removed only by its finalize subresource', async () => {
  const patch = { metadata: { labels: { a: 'b' } }, spec: { finalizers: [] } };
  const path = '/api/v1/namespaces/default';
  expect((await ask('PATCH', path, patch, merge)).body).toMatchObject({
    metadata: { labels: { a: 'b' } },
    spec: { finalizers: ['kubernetes'] },
  });
});

interface Owned {
  metadata: { labels?: Record<string, string>; managedFields: Record<string, unknown>[] };
  spec: { replicas: number };
}
const read = (name: string) => json<Owned>(playground, 'GET', `${apps}/deployments/${name}`);
const replicas = { 'f:spec': { 'f:replicas': {} } };

describe('subresources and field ownership', () => {
  test('an applied scale owns the replicas of its object', async () => {
    await json(playground, 'POST', `${apps}/deployments`, deployment('scaled'));
    const path = `${apps}/deployments/scaled/scale`;
    const apply = (query: string, count: number) =>
      ask('PATCH', `${path}?${query}`, { ...scaleApi, spec: { replicas: count } }, applied);
    const refused = await apply('fieldManager=ada', 3);
    expect(refused.code).toBe(409);
    expect(refused.message).toMatch(
      /^Apply failed with 1 conflict: conflict with "\w+" using autoscaling\/v1: \.spec\.replicas$/,
    );
    expect((await read('scaled')).spec.replicas).toBe(2);
    expect(await apply('fieldManager=ada&force=true', 3)).toMatchObject({
      code: 200,
      body: { kind: 'Scale', spec: { replicas: 3 } },
    });
    const forced = await read('scaled');
    expect(forced.spec.replicas).toBe(3);
    const owners = forced.metadata.managedFields.filter((entry) =>
      JSON.stringify(entry).includes('f:replicas"'),
    );
    expect(owners).toEqual([
      {
        manager: 'ada',
        operation: 'Apply',
        apiVersion: 'apps/v1',
        fieldsType: 'FieldsV1',
        fieldsV1: replicas,
        subresource: 'scale',
      },
    ]);
    const other = await apply('fieldManager=bob', 4);
    expect(other.message).toBe(
      'Apply failed with 1 conflict: conflict with "ada" with subresource "scale": .spec.replicas',
    );
    expect(await apply('fieldManager=bob', 3)).toMatchObject({ code: 200 });
    const both = (await read('scaled')).metadata.managedFields.filter(
      ({ subresource }) => subresource === 'scale',
    );
    expect(both.map(({ manager }) => manager)).toEqual(['ada', 'bob']);
  });

  test.each(['scale', 'status'])('an apply to the %s of a missing object creates nothing', async (part) => {
    const kind = part === 'scale' ? scaleApi : { apiVersion: 'apps/v1', kind: 'Deployment' };
    const answer = await ask('PATCH', `${apps}/deployments/none/${part}?fieldManager=a`, kind, applied);
    expect(answer).toMatchObject({ code: 404, message: 'deployments.apps "none" not found' });
  });

  test('a conflict names the subresource of the other apply', async () => {
    const path = `${apps}/deployments/web/status`;
    const status = (count: number) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      status: { replicas: count },
    });
    await ask('PATCH', `${path}?fieldManager=ada`, status(1), applied);
    expect((await ask('PATCH', `${path}?fieldManager=bob`, status(2), applied)).message).toBe(
      'Apply failed with 1 conflict: conflict with "ada" with subresource "status": .status.replicas',
    );
  });

  test("a write to a deployment's status does not change its labels", async () => {
    await ask('PUT', `${apps}/deployments/web/status`, {
      metadata: { name: 'web', annotations: { a: 'b' } },
    });
    expect((await read('web')).metadata).toMatchObject({ labels: { own: 'yes' }, annotations: { a: 'b' } });
  });

  test('a scale whose name is that of another object is refused', async () => {
    const path = `${apps}/deployments/web/scale`;
    const patched = await ask('PATCH', path, { metadata: { uid: 'x' } }, merge);
    expect(patched.code).toBe(409);
    expect(patched.message).toMatch(
      /^Operation cannot be fulfilled on deployments\/scale\.apps "web": Precondition failed: UID in precondition: x, /,
    );
    const replaced = await ask('PUT', path, scaled({ name: 'web', uid: 'x' }));
    expect(replaced.code).toBe(409);
    expect(replaced.message).toMatch(/on deployments\.apps "web": StorageError: invalid object, Code: 4, /);
  });
});
