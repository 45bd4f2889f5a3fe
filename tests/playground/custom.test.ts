import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { json, send, stream } from './client.ts';

interface Answer {
  status: string | Record<string, unknown>;
  message: string;
  code: number;
  details: { causes: { reason: string; message: string; field: string }[] };
  metadata: { name: string; generation: number; resourceVersion: string; managedFields: unknown[] };
  spec: Record<string, unknown>;
  items: { apiVersion: string; metadata: { name: string } }[];
}

let playground: Playground;
let group = '';
let count = 0;

beforeAll(async () => {
  playground = await startPlayground({ seed: 'none' });
});
afterAll(async () => {
  await playground.close();
});
beforeEach(() => {
  group = `g${count++}.example.org`;
});

const call = (method: string, path: string, body?: unknown, type?: string) =>
  json<Answer>(playground, method, path, body, type);
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

interface Options {
  scope?: string;
  kind?: string;
  version?: object;
  versions?: object[];
}

function definition(
  spec: object,
  { scope = 'Namespaced', kind = 'Kettle', version, versions }: Options = {},
) {
  const plural = `${kind.toLowerCase()}s`;
  const schema = {
    openAPIV3Schema: { type: 'object', properties: { spec, status: { type: 'object' } } },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { plural, kind },
      versions: versions ?? [{ name: 'v1', served: true, storage: true, schema, ...version }],
    },
  };
}

/** A definition of kettles, and how to write one. */
async function kettles(spec: object, options: Options = {}) {
  expect((await call('POST', definitions, definition(spec, options))).metadata.name).toBe(`kettles.${group}`);
  const place = options.scope === 'Cluster' ? '' : '/namespaces/default';
  const path = `/apis/${group}/v1${place}/kettles`;
  const body = (name: string, value: object) => ({
    apiVersion: `${group}/v1`,
    kind: 'Kettle',
    metadata: { name },
    spec: value,
  });
  return {
    path,
    body,
    create: (name: string, value: object) => call('POST', path, body(name, value)),
    apply: (manager: string, value: object) =>
      call(
        'PATCH',
        `${path}/one?fieldManager=${manager}`,
        body('one', value),
        'application/apply-patch+yaml',
      ),
  };
}
const causes = (answer: Answer) => answer.details.causes.map(({ field, message }) => `${field}: ${message}`);

test("a value of the wrong type, length or number is refused with the real server's message", async () => {
  const { create } = await kettles({
    type: 'object',
    required: ['size'],
    properties: {
      size: { type: 'integer', minimum: 1, exclusiveMinimum: true },
      label: { type: 'string', maxLength: 3 },
      parts: { type: 'array', maxItems: 1, items: { type: 'string', minLength: 2 } },
      when: { type: 'string', format: 'date-time' },
    },
  });
  const answer = await create('one', { size: 'big', label: 'long', parts: ['a', 'bc'], when: 'noon' });
  expect(causes(answer)).toEqual([
    'spec.label: Too long: may not be more than 3 bytes',
    'spec.parts[0]: Invalid value: "a": spec.parts[0] in body should be at least 2 chars long',
    'spec.parts: Too many: 2: must have at most 1 item',
    'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
    'spec.when: Invalid value: "noon": spec.when in body must be of type date-time: "noon"',
  ]);
  expect(causes(await create('one', { size: 1 }))).toEqual([
    'spec.size: Invalid value: 1: spec.size in body should be greater than 1',
  ]);
});

test('alternatives of a schema are reported with its path', async () => {
  const { create } = await kettles({
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
  });
  expect((await create('one', { a: 'x' })).metadata.name).toBe('one');
  expect(causes(await create('two', { a: 'x', b: 'y' }))).toEqual([
    '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found 2 valid alternatives',
  ]);
});

test('rules get the stored state, lists by key, and integers as such', async () => {
  const { create, path } = await kettles({
    type: 'object',
    properties: {
      colour: {
        type: 'string',
        'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'the colour stays' }],
      },
      parts: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        maxItems: 10,
        items: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string', maxLength: 20 }, count: { type: 'integer' } },
          'x-kubernetes-validations': [
            {
              rule: 'self.count >= oldSelf.count',
              messageExpression: '"fewer of " + self.name',
            },
          ],
        },
      },
    },
  });
  const parts = (lid: number, spout: number) => [
    { name: 'lid', count: lid },
    { name: 'spout', count: spout },
  ];
  expect((await create('one', { colour: 'red', parts: parts(1, 1) })).metadata.generation).toBe(1);
  const patch = (spec: object) => call('PATCH', `${path}/one`, { spec }, 'application/merge-patch+json');
  expect((await patch({ parts: parts(1, 2).toReversed() })).metadata.generation).toBe(2);
  expect(causes(await patch({ colour: 'blue', parts: parts(1, 1) }))).toEqual([
    'spec.colour: Invalid value: the colour stays',
    'spec.parts[1]: Invalid value: fewer of spout',
  ]);
  expect(causes(await create('two', { parts: [{ name: 'lid' }, { name: 'lid' }] }))).toEqual([
    'spec.parts[1]: Duplicate value: {"name":"lid"}',
  ]);
});

test('a definition with an invalid rule is refused', async () => {
  const answer = await call(
    'POST',
    definitions,
    definition({ type: 'object', 'x-kubernetes-validations': [{ rule: 'self.a ==' }] }),
  );
  expect(answer.details.causes[0]?.field).toBe(
    'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule',
  );
});

test('unknown fields are pruned with a warning, refused in strict mode, and kept where the schema says so', async () => {
  const { path, body } = await kettles({
    type: 'object',
    properties: { free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  });
  const post = (name: string, query: string) =>
    send(playground, {
      method: 'POST',
      path: `${path}${query}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body(name, { free: { a: { b: [1] } }, odd: 1 })),
    });
  const warned = await post('one', '');
  expect(warned.headers['warning']).toBe('299 - "unknown field \\"spec.odd\\""');
  expect((JSON.parse(warned.text) as Answer).spec).toEqual({ free: { a: { b: [1] } } });
  expect((await post('two', '?fieldValidation=Ignore')).headers['warning']).toBeUndefined();
  expect(JSON.parse((await post('three', '?fieldValidation=Strict')).text)).toMatchObject({
    code: 400,
    message: expect.stringContaining('strict decoding error: unknown field "spec.odd"') as string,
  });
});

test('two managers apply to a list by its keys, and conflict where both set a field', async () => {
  const { apply } = await kettles({
    type: 'object',
    properties: {
      free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      parts: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, count: { type: 'integer' } },
        },
      },
    },
  });
  await apply('ann', { parts: [{ name: 'lid', count: 1 }], free: { a: 1 } });
  const both = await apply('bob', { parts: [{ name: 'spout', count: 2 }], free: { b: 2 } });
  expect(both.spec).toEqual({
    free: { a: 1, b: 2 },
    parts: [
      { name: 'lid', count: 1 },
      { name: 'spout', count: 2 },
    ],
  });
  const conflict = await apply('bob', { parts: [{ name: 'lid', count: 3 }] });
  expect(conflict.message).toBe(
    'Apply failed with 1 conflict: conflict with "ann": .spec.parts[name="lid"].count',
  );
  expect((await apply('ann', {})).spec).toEqual({ free: { b: 2 }, parts: [{ name: 'spout', count: 2 }] });
});

test('versions of a definition serve the same objects under their own apiVersion', async () => {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const versions = [
    { name: 'v1', served: true, storage: true, schema },
    { name: 'v1beta1', served: true, storage: false, schema },
  ];
  const { create, path } = await kettles({}, { versions, scope: 'Cluster' });
  await create('one', {});
  const older = await call('GET', path.replace('/v1/', '/v1beta1/'));
  expect(older.items.map(({ apiVersion }) => apiVersion)).toEqual([`${group}/v1beta1`]);
  expect(await call('GET', `/apis/${group}`)).toMatchObject({
    preferredVersion: { version: 'v1' },
    versions: [{ version: 'v1' }, { version: 'v1beta1' }],
  });
  const document = (await call('GET', `/openapi/v3/apis/${group}/v1`)) as unknown as { paths: object };
  expect(Object.keys(document.paths)).toEqual([
    `/apis/${group}/v1/kettles`,
    `/apis/${group}/v1/kettles/{name}`,
  ]);
});

test('columns follow their paths through lists', async () => {
  const column = (name: string, jsonPath: string, type = 'string') => ({ name, type, jsonPath });
  const { create, path } = await kettles(
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    {
      version: {
        additionalPrinterColumns: [
          column('Lid', '.spec.parts[?(@.name=="lid")].colour'),
          column('First', '.spec.parts[0].name'),
          column('Count', '.spec.count', 'integer'),
          column('Missing', '.spec.nothing'),
          column('Object', '.spec.parts[0]'),
        ],
      },
    },
  );
  await create('one', { count: 3, parts: [{ name: 'spout' }, { name: 'lid', colour: 'red' }] });
  const table = await send(playground, {
    method: 'GET',
    path,
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
  });
  expect((JSON.parse(table.text) as { rows: { cells: unknown[] }[] }).rows[0]?.cells).toEqual([
    'one',
    'red',
    'spout',
    3,
    null,
    '{"name":"spout"}',
  ]);
});

test('scale writes the field that the definition declares', async () => {
  const { create, path } = await kettles(
    { type: 'object', properties: { cups: { type: 'integer' } } },
    {
      version: {
        subresources: { scale: { specReplicasPath: '.spec.cups', statusReplicasPath: '.status.cups' } },
      },
    },
  );
  await create('one', { cups: 2 });
  const scale = { spec: { replicas: 5 } };
  await call('PATCH', `${path}/one/scale`, scale, 'application/merge-patch+json');
  expect((await call('GET', `${path}/one`)).spec).toEqual({ cups: 5 });
});

test('names that another definition of the group has are not accepted', async () => {
  await kettles({ type: 'object' });
  const other = definition({ type: 'object' }, { kind: 'Pot' });
  await call('POST', definitions, {
    ...other,
    spec: { ...other.spec, names: { plural: 'pots', singular: 'pot', kind: 'Kettle', listKind: 'PotList' } },
  });
  const { status } = await call('GET', `${definitions}/pots.${group}`);
  expect(status).toMatchObject({
    conditions: [
      {
        type: 'NamesAccepted',
        status: 'False',
        reason: 'KindConflict',
        message: '"Kettle" is already in use',
      },
      { type: 'Established', status: 'False', reason: 'NotAccepted' },
    ],
  });
  expect((await send(playground, { method: 'GET', path: `/apis/${group}/v1/pots` })).status).toBe(404);
});

test('a deleted definition waits for its objects, whose watchers see the deletions', async () => {
  const { create, path, body } = await kettles({ type: 'object' });
  const held = body('held', {});
  await call('POST', path, { ...held, metadata: { name: 'held', finalizers: ['example.org/wait'] } });
  const { metadata } = await create('free', {});
  const watch = await stream(playground, {
    method: 'GET',
    path: `${path}?watch=1&resourceVersion=${metadata.resourceVersion}`,
  });
  await call('DELETE', `${definitions}/kettles.${group}`);
  await watch.until(2);
  expect(watch.lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual([
    'DELETED',
    'MODIFIED',
  ]);
  watch.close();
  expect((await call('GET', path)).items.map((item) => item.metadata.name)).toEqual(['held']);
  await call('PATCH', `${path}/held`, { metadata: { finalizers: null } }, 'application/merge-patch+json');
  expect((await send(playground, { method: 'GET', path })).text).toBe('404 page not found\n');
  expect((await call('GET', `${definitions}/kettles.${group}`)).code).toBe(404);
});
