import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { at, type Obj, type Rec, rec, recs, str } from '../../src/playground/kit/values.ts';
import { json } from './client.ts';

let playground: Playground;
let count = 0;
let name = '';

beforeAll(async () => {
  playground = await startPlayground({ seed: 'none' });
});
afterAll(async () => {
  await playground.close();
});
beforeEach(() => {
  name = `thing-${count++}`;
});

const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';
const configMaps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const services = '/api/v1/namespaces/default/services';

const call = (method: string, path: string, body?: unknown, type?: string) =>
  json<Obj>(playground, method, path, body, type);
const apply = (path: string, manager: string, body: Rec, force = false) =>
  call(
    'PATCH',
    `${path}/${name}?fieldManager=${manager}&force=${String(force)}`,
    body,
    'application/apply-patch+yaml',
  );

/** The field set of one owner: a manager and how it writes. */
const owned = (object: Obj, manager: string, operation: 'Apply' | 'Update'): Rec | undefined => {
  const entry = recs(object.metadata.managedFields).find(
    (item) => item['manager'] === manager && item['operation'] === operation,
  );
  return entry === undefined ? undefined : rec(entry['fieldsV1']);
};

const config = (data: Rec, more: Rec = {}): Rec => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...more },
  data,
});
const deployment = (containers: readonly Rec[], spec: Rec = {}): Rec => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    ...spec,
    template: { metadata: { labels: { app: name } }, spec: { containers } },
  },
});
const main = { name: 'main', image: 'main:1' };
const side = { name: 'side', image: 'side:1' };
const containersOf = (object: Obj): Rec[] => recs(at(object, 'spec', 'template', 'spec', 'containers'));

test('empty optional maps and lists disappear, empty structs stay', async () => {
  const made = await call('POST', configMaps, config({}, { labels: {}, annotations: {} }));
  expect(made).not.toHaveProperty('data');
  expect(made.metadata).not.toHaveProperty('labels');
  expect(made.metadata).not.toHaveProperty('annotations');
  const run = await call('POST', deployments, deployment([{ ...main, env: [], args: [], resources: {} }]));
  const [container] = containersOf(run);
  expect(container).not.toHaveProperty('env');
  expect(container).not.toHaveProperty('args');
  expect(container).toHaveProperty('resources', {});
  expect(at(run, 'spec', 'template', 'spec')).toHaveProperty('securityContext', {});
});

test('a create owns the fields that differ from an empty object, defaults included', async () => {
  const made = await call('POST', `${deployments}?fieldManager=ann`, deployment([main]));
  const fields = owned(made, 'ann', 'Update');
  expect(at(fields, 'f:spec')).toMatchObject({ 'f:replicas': {}, 'f:revisionHistoryLimit': {} });
  // The labels of a template are by value: an owner of one of them owns nothing of the map besides.
  expect(at(fields, 'f:spec', 'f:template', 'f:metadata', 'f:labels')).toEqual({ '.': {}, 'f:app': {} });
  expect(Object.keys(rec(at(fields, 'f:spec', 'f:template')))).not.toContain('.');
});

test('a field that an apply no longer names is removed, unless somebody else owns it', async () => {
  await apply(configMaps, 'ann', config({ a: '1', b: '2', shared: '3' }));
  await apply(configMaps, 'bob', config({ shared: '3', c: '4' }));
  const less = await apply(configMaps, 'ann', config({ a: '1' }));
  expect(less['data']).toEqual({ a: '1', shared: '3', c: '4' });
  expect(owned(less, 'ann', 'Apply')).toEqual({ 'f:data': { 'f:a': {} } });
  expect(owned(less, 'bob', 'Apply')).toEqual({ 'f:data': { 'f:c': {}, 'f:shared': {} } });
});

test('an item of a keyed list that its only applier no longer names is removed with all its fields', async () => {
  await apply(deployments, 'ann', deployment([main, { ...side, env: [{ name: 'A', value: '1' }] }]));
  const less = await apply(deployments, 'ann', deployment([main]));
  expect(containersOf(less).map((item) => item['name'])).toEqual(['main']);
  const fields = owned(less, 'ann', 'Apply');
  const places = rec(at(fields, 'f:spec', 'f:template', 'f:spec', 'f:containers'));
  expect(Object.keys(places)).toEqual(['k:{"name":"main"}']);
});

test('a value that an update adds or changes leaves its previous owners', async () => {
  await apply(configMaps, 'ann', config({ a: '1', b: '2' }));
  const changed = await call('PATCH', `${configMaps}/${name}?fieldManager=hand`, { data: { a: '9' } }, merge);
  expect(owned(changed, 'ann', 'Apply')).toEqual({ 'f:data': { 'f:b': {} } });
  expect(at(owned(changed, 'hand', 'Update'), 'f:data')).toMatchObject({ 'f:a': {} });
  // What stays as it was stays with whom it was.
  const same = await call('PATCH', `${configMaps}/${name}?fieldManager=other`, { data: { b: '2' } }, merge);
  expect(owned(same, 'other', 'Update')).toBeUndefined();
  expect(same.metadata.resourceVersion).toBe(changed.metadata.resourceVersion);
});

test('a removed field is owned by nobody, and a manager without fields is dropped', async () => {
  await apply(configMaps, 'ann', config({ a: '1' }));
  await apply(configMaps, 'bob', config({ b: '2' }));
  const gone = await call('PATCH', `${configMaps}/${name}?fieldManager=hand`, { data: { b: null } }, merge);
  expect(gone['data']).toEqual({ a: '1' });
  expect(JSON.stringify(gone.metadata.managedFields)).not.toContain('f:b');
  const given = await apply(configMaps, 'ann', config({}));
  expect(given).not.toHaveProperty('data');
  expect(given.metadata.managedFields ?? []).toEqual([]);
});

test('keys of a list include the defaults of its schema: a port without a protocol is a TCP port', async () => {
  const service = (ports: readonly Rec[]) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { ports, selector: { app: name } },
  });
  const made = await apply(services, 'ann', service([{ port: 80, name: 'web' }]));
  const key = 'k:{"port":80,"protocol":"TCP"}';
  expect(at(owned(made, 'ann', 'Apply'), 'f:spec', 'f:ports')).toMatchObject({ [key]: { 'f:port': {} } });
  const again = await apply(services, 'bob', service([{ port: 80, protocol: 'TCP', name: 'web' }]));
  expect(recs(at(again, 'spec', 'ports'))).toHaveLength(1);
  const both = await apply(
    services,
    'ann',
    service([
      { port: 80, name: 'web' },
      { port: 80, protocol: 'UDP', name: 'dns' },
    ]),
  );
  expect(recs(at(both, 'spec', 'ports')).map((item) => str(item['protocol']))).toEqual(['TCP', 'UDP']);
});

test('a strategic patch puts its own items first, and keeps the places of the others among them', async () => {
  const third = { name: 'third', image: 'third:1' };
  await call('POST', deployments, deployment([main, side, third]));
  const patch = (containers: readonly Rec[]) =>
    call('PATCH', `${deployments}/${name}`, { spec: { template: { spec: { containers } } } }, strategic);
  const named = async (containers: readonly Rec[]) =>
    containersOf(await patch(containers)).map((item) => item['name']);
  expect(await named([{ name: 'third', image: 'third:2' }])).toEqual(['main', 'side', 'third']);
  expect(await named([{ name: 'new', image: 'new:1' }])).toEqual(['new', 'main', 'side', 'third']);
  expect(await named([{ $patch: 'delete', name: 'side' }])).toEqual(['new', 'main', 'third']);
});

test('an object without managed fields stays so until an apply, which assigns its fields to a manager', async () => {
  await call('POST', configMaps, config({ a: '1' }));
  const bare = await call('PATCH', `${configMaps}/${name}`, { metadata: { managedFields: [{}] } }, merge);
  expect(bare.metadata.managedFields).toBeUndefined();
  const updated = await call('PATCH', `${configMaps}/${name}?fieldManager=hand`, { data: { b: '2' } }, merge);
  expect(updated.metadata.managedFields).toBeUndefined();
  const applied = await apply(configMaps, 'ann', config({ c: '3' }));
  expect(owned(applied, 'before-first-apply', 'Update')).toEqual({
    'f:data': { '.': {}, 'f:a': {}, 'f:b': {} },
  });
  expect(owned(applied, 'ann', 'Apply')).toEqual({ 'f:data': { 'f:c': {} } });
});

test('an owned value must be given up or taken by force; an equal value is shared', async () => {
  await apply(configMaps, 'ann', config({ a: '1' }));
  const refused = await apply(configMaps, 'bob', config({ a: '2' }));
  expect(refused).toMatchObject({
    code: 409,
    message: 'Apply failed with 1 conflict: conflict with "ann": .data.a',
  });
  const shared = await apply(configMaps, 'bob', config({ a: '1' }));
  expect(owned(shared, 'ann', 'Apply')).toEqual(owned(shared, 'bob', 'Apply'));
  const forced = await apply(configMaps, 'bob', config({ a: '2' }), true);
  expect(forced['data']).toEqual({ a: '2' });
  expect(owned(forced, 'ann', 'Apply')).toBeUndefined();
});
