import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { json, send } from './client.ts';

/** What the API server says of patches and bodies that are not as they should be, word for word. */

let playground: Playground;
const maps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';

beforeAll(async () => {
  playground = await startPlayground({ seed: 'none' });
});
afterAll(async () => {
  await playground.close();
});

interface Said {
  readonly code?: number;
  readonly message?: string;
  readonly warnings: readonly string[];
}

async function ask(method: string, path: string, body: string, type: string): Promise<Said> {
  const answer = await send(playground, { method, path, body, headers: { 'content-type': type } });
  const { message } = JSON.parse(answer.text) as { message?: string };
  const given = answer.headers['warning'] ?? [];
  const warnings = [given].flat().flatMap((line) => line.split(/, (?=299 )/));
  return {
    code: answer.status,
    ...(message === undefined ? {} : { message }),
    warnings: warnings.map((line) => JSON.parse(line.replace(/^299 - /, '')) as string),
  };
}

const types = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};
const whole = (name: string) => ({ metadata: { name }, data: { x: '1' } });

test.each<[string, keyof typeof types, string, string, number, string]>([
  ['a missing object before a bad body', 'merge', 'none', '{', 404, 'configmaps "none" not found'],
  ['no JSON', 'merge', 'a', '{', 400, 'error decoding patch: unexpected end of JSON input'],
  ['no JSON, ignoring fields', 'merge', 'a?fieldValidation=Ignore', '{', 400, 'Invalid JSON Patch'],
  [
    'a list',
    'merge',
    'a',
    '[]',
    400,
    'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
  ],
  [
    'a directive nobody knows',
    'strategic',
    'a',
    '{"data":{"$patch":"foo"}}',
    500,
    'unknown patch type: foo in map: map[$patch:foo]',
  ],
  [
    'keys to keep that are no list',
    'strategic',
    'a',
    '{"data":{"$retainKeys":"x"}}',
    400,
    'invalid patch format of retainKeys',
  ],
  [
    'a path to the whole document',
    'json',
    'a',
    '[{"op":"remove","path":""}]',
    422,
    'the server rejected our request due to an error in our request',
  ],
  [
    'an operation that is a number',
    'json',
    'a',
    '[{"op":1,"path":"/data"}]',
    400,
    'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string',
  ],
  [
    'a version that is no number',
    'merge',
    'a',
    '{"metadata":{"resourceVersion":"abc"}}',
    500,
    'strconv.ParseUint: parsing "abc": invalid syntax',
  ],
  [
    'another uid',
    'merge',
    'a',
    '{"metadata":{"uid":"x"}}',
    422,
    'ConfigMap "a" is invalid: metadata.uid: Invalid value: "x": field is immutable',
  ],
  [
    'YAML that ends early',
    'apply',
    'a?fieldManager=m',
    'a: [',
    400,
    "error decoding YAML: error converting YAML to JSON: yaml: line 1: did not find expected ',' or ']'",
  ],
  [
    'no map',
    'apply',
    'a?fieldManager=m',
    'hello',
    400,
    'error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal string into Go value of type map[string]interface {}',
  ],
  ['nothing', 'apply', 'a?fieldManager=m', '', 400, 'invalid object type: /, Kind='],
  [
    'another kind',
    'apply',
    'a?fieldManager=m',
    '{apiVersion: apps/v1, kind: Deployment}',
    400,
    'invalid object type: apps/v1, Kind=Deployment',
  ],
  [
    'a uid of nobody',
    'apply',
    'new?fieldManager=m',
    '{apiVersion: v1, kind: ConfigMap, metadata: {uid: u}}',
    409,
    'Operation cannot be fulfilled on configmaps "new": uid mismatch: the provided object specified uid u, and no existing object was found',
  ],
  [
    'a version of nobody',
    'apply',
    'new?fieldManager=m',
    '{apiVersion: v1, kind: ConfigMap, metadata: {resourceVersion: "7"}}',
    500,
    'resourceVersion should not be set on objects to be created',
  ],
  [
    'keys that stand twice, strictly',
    'apply',
    'a?fieldManager=m&fieldValidation=Strict&force=true',
    'apiVersion: v1\nkind: ConfigMap\ndata:\n  a: "1"\n  a: "2"\n',
    400,
    'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 5: key "a" already set in map',
  ],
])('a patch with %s', async (_what, type, path, body, code, message) => {
  await json(playground, 'POST', maps, whole('a'));
  expect(await ask('PATCH', `${maps}/${path}`, body, types[type])).toMatchObject({ code, message });
});

test('a strict patch is refused with the whole patched object, a lenient one warned about', async () => {
  await json(playground, 'POST', maps, whole('strict'));
  const path = `${maps}/strict`;
  const body = '{"metadata":{"labls":{}},"dta":{"k":"1"},"data":{"k":"1","k":"2"}}';
  const loose = await ask('PATCH', path, body, types.merge);
  const wrong = ['duplicate field "data.k"', 'unknown field "dta"', 'unknown field "metadata.labls"'];
  expect(loose.warnings).toEqual(wrong);
  const strict = await ask('PATCH', `${path}?fieldValidation=Strict`, body, types.merge);
  expect(strict.code).toBe(422);
  expect(strict.message).toMatch(
    /^ "" is invalid: patch: Invalid value: "\{\\"apiVersion\\":\\"v1\\",\\"data\\"/,
  );
  expect(strict.message?.endsWith(`strict decoding error: ${wrong.join(', ')}`)).toBe(true);
  const merged = await ask('PATCH', `${path}?fieldValidation=Strict`, body, types.strategic);
  expect(merged.message).toContain(
    'Invalid value: "map[data:map[k:2] dta:map[k:1] metadata:map[labls:map[]]]"',
  );
  const operations = '[{"op":"add","path":"/data/z","path":"/data/y","value":"1","foo":1}]';
  expect((await ask('PATCH', path, operations, types.json)).warnings).toEqual([
    'json patch duplicate field "[0].path"',
    'json patch unknown field "[0].foo"',
  ]);
});

test('a strategic merge ignores the kind in a patch, others check it', async () => {
  await json(playground, 'POST', maps, whole('kind'));
  const body = '{"kind":"Secret"}';
  expect((await ask('PATCH', `${maps}/kind`, body, types.strategic)).code).toBe(200);
  const refused = await ask('PATCH', `${maps}/kind`, body, types.merge);
  expect(refused.code).toBe(422);
  expect(refused.message).toContain(': converting (v1.Secret) to (core.ConfigMap): unknown conversion');
});

test('a JSON patch counts from the end of a list and treats missing as null', async () => {
  const spec = { containers: ['a', 'b', 'c'].map((name) => ({ name, image: 'i:1' })) };
  await json(playground, 'POST', pods, { metadata: { name: 'p' }, spec });
  const operations = [
    { op: 'test', path: '/metadata/labels', value: null },
    { op: 'replace', path: '/spec/containers/-1/image', value: 'i:2' },
  ];
  const answer = await json<{ spec: typeof spec }>(playground, 'PATCH', `${pods}/p`, operations, types.json);
  expect(answer.spec.containers.map(({ image }) => image)).toEqual(['i:1', 'i:1', 'i:2']);
});

test('an order that contradicts its items is refused', async () => {
  const order = [{ name: 'b' }, { name: 'a' }];
  const items = [
    { name: 'a', image: 'i:3' },
    { name: 'b', image: 'i:3' },
  ];
  const body = JSON.stringify({ spec: { '$setElementOrder/containers': order, containers: items } });
  expect(await ask('PATCH', `${pods}/p`, body, types.strategic)).toMatchObject({
    code: 500,
    message:
      "The order in patch list:\n[map[image:i:3 name:a] map[image:i:3 name:b]]\n doesn't match $setElementOrder list:\n[map[name:b] map[name:a]]\n",
  });
});

const said = 'the object provided is unrecognized (must be of type ConfigMap)';
test.each<[string, string, string, number, string]>([
  [
    'a list',
    'application/json',
    '[]',
    400,
    `${said}: couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (5b5d)`,
  ],
  [
    'a kind that is a number',
    'application/json',
    '{"kind":1}',
    400,
    `${said}: couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string ({"kind":1})`,
  ],
  [
    'a version',
    'application/json',
    '{"metadata":{"name":"v","resourceVersion":"1"}}',
    500,
    'resourceVersion should not be set on objects to be created',
  ],
  [
    'YAML that ends early',
    'application/yaml',
    'kind: [',
    400,
    `${said}: yaml: line 1: did not find expected ',' or ']' (6b696e643a205b)`,
  ],
  [
    'YAML keys that stand twice',
    'application/yaml',
    'metadata: {name: twice}\ndata:\n  a: "1"\n  a: "2"\nfoo: 1\n',
    400,
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: yaml: unmarshal errors:\n  line 4: key "a" already set in map, unknown field "foo"',
  ],
  [
    'fields that are wrong',
    'application/json',
    '{"metadata":{"name":"w"},"data":{"a":"1","a":"2"},"foo":{"b":1,"b":2},"data":{}}',
    400,
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "data.a", unknown field "foo", duplicate field "data"',
  ],
])('a new object with %s', async (_what, type, body, code, message) => {
  expect(await ask('POST', `${maps}?fieldValidation=Strict`, body, type)).toMatchObject({ code, message });
});

test('the refusal of a name says if its object is still being deleted', async () => {
  await json(playground, 'POST', maps, { metadata: { name: 'held', finalizers: ['a.b/c'] } });
  await json(playground, 'DELETE', `${maps}/held`);
  const again = await ask('POST', maps, JSON.stringify(whole('held')), 'application/json');
  expect(again.message).toBe('object is being deleted: configmaps "held" already exists');
});

test('the refusal of an update with another uid names the key in the storage', async () => {
  const made = await json<{ metadata: { uid: string } }>(playground, 'POST', maps, whole('uid'));
  const body = JSON.stringify({ ...whole('uid'), metadata: { name: 'uid', uid: 'x' } });
  const answer = await ask('PUT', `${maps}/uid`, body, 'application/json');
  expect(answer.message).toBe(
    `Operation cannot be fulfilled on configmaps "uid": StorageError: invalid object, Code: 4, Key: /registry/configmaps/default/uid, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: x, UID in object meta: ${made.metadata.uid}`,
  );
});
