import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { testPassword, type TestPerson } from '../harness.ts';
import { BearerClient } from '../http-client.ts';
import { type PlaygroundConsole, startPlaygroundConsole } from '../playground-console.ts';
import { Authenticator } from './authenticator.ts';
import { openedAt, prove, register } from './steps.ts';

const url = new URL('https://console.example.org');
const needed = { status: 403, code: 'passkey-needed', proof: 'passkey' };
const missing = { apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: '1-2-3' };
const noExecute = { key: 'maintenance', effect: 'NoExecute' };

let playground: PlaygroundConsole;
let owner: TestPerson;
let authenticator: Authenticator;
let node: string;

const params = () => ({ clusterId: playground.clusterId });
const demand = async (isPasskeyRequired: boolean) =>
  await playground.console.store.db
    .update(clusters)
    .set({ isPasskeyRequired })
    .where(eq(clusters.id, playground.clusterId));
const make = async (path: string, body: object) =>
  await playground.transport.json({ method: 'POST', path, body });
const seen = async (path: string) => await playground.seen(path);
const apply = async (objects: readonly object[], dryRun = false) =>
  await owner.client.call('applyResource', {
    params: params(),
    body: { yaml: objects.map((one) => JSON.stringify(one)).join('\n---\n'), dryRun },
  });
const namespaceOf = (name: string, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, ...metadata },
});
const nodeOf = (taints: readonly object[]) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: node },
  spec: { taints },
});

beforeAll(async () => {
  playground = await startPlaygroundConsole('shop', { url });
  owner = await playground.console.person({
    companyId: playground.companyId,
    isOwner: true,
    password: testPassword,
  });
  openedAt(url, owner.client);
  authenticator = new Authenticator(url.origin);
  await register(owner.client, authenticator);
  const { items } = await playground.transport.json<{ items: { metadata: { name: string } }[] }>({
    path: '/api/v1/nodes',
  });
  node = items[0]?.metadata.name ?? '';
});
afterAll(() => playground.console.close());
beforeEach(async () => {
  await demand(true);
  await playground.console.store.db.update(sessions).set({ actProvedAt: null });
});

describe('a cluster that asks for a passkey at dangerous acts asks for it', () => {
  it('before YAML drains a node, and once for all of a text, none of which is applied without it', async () => {
    const settings = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'first', namespace: 'shop' },
    };
    await expect(apply([settings, nodeOf([noExecute])])).rejects.toMatchObject(needed);
    expect(await seen('/api/v1/namespaces/shop/configmaps/first')).toBeUndefined();
    expect((await apply([nodeOf([noExecute])], true)).results).toMatchObject([{ ok: true }]);
    expect((await apply([nodeOf([{ key: 'gpu', effect: 'NoSchedule' }])])).results).toMatchObject([
      { ok: true },
    ]);

    await make('/api/v1/namespaces', namespaceOf('beside'));
    await prove(owner.client, authenticator);
    const { results } = await apply([
      settings,
      nodeOf([noExecute]),
      namespaceOf('beside', { ownerReferences: [missing] }),
    ]);
    expect(results).toMatchObject([{ ok: true }, { ok: true }, { ok: true }]);
    // The taint is there: applying it again drains nothing more.
    expect((await apply([nodeOf([noExecute])])).results).toMatchObject([{ ok: true }]);
  });

  it('before YAML hands a namespace to the garbage collector, and not before it makes one', async () => {
    await make('/api/v1/namespaces', namespaceOf('collected'));
    const given = namespaceOf('collected', { ownerReferences: [missing] });
    await expect(apply([given])).rejects.toMatchObject(needed);
    expect(await seen('/api/v1/namespaces/collected')).toMatchObject({ status: { phase: 'Active' } });
    expect((await apply([namespaceOf('collected', { labels: { team: 'a' } })])).results).toMatchObject([
      { ok: true },
    ]);
    const created = await apply([namespaceOf('made', { ownerReferences: [missing] })]);
    expect(created.results).toMatchObject([{ ok: true }]);
  });

  it('before the editor does either, and before a patch does', async () => {
    await make('/api/v1/namespaces', namespaceOf('edited'));
    const source = async (kind: string, name: string) =>
      (await owner.client.call('editSource', { params: { ...params(), kind, name }, query: {} }))
        .resourceVersion;
    const edit = async (kind: string, name: string, path: readonly string[], value: unknown) =>
      await owner.client.call('editObject', {
        params: { ...params(), kind, name },
        query: {},
        body: {
          resourceVersion: await source(kind, name),
          changes: [{ op: 'add', path: [...path], value }],
        },
      });
    const patch = async (kind: string, name: string, change: Record<string, unknown>) =>
      await owner.client.call('patchObject', {
        params: { ...params(), kind, name },
        query: {},
        body: { resourceVersion: await source(kind, name), patch: change },
      });
    const owners = ['metadata', 'ownerReferences'];
    const taints = [{ ...noExecute, key: 'another' }];
    await expect(edit('namespace', 'edited', owners, [missing])).rejects.toMatchObject(needed);
    await expect(edit('node', node, ['spec', 'taints'], taints)).rejects.toMatchObject(needed);
    await expect(
      patch('namespace', 'edited', { metadata: { ownerReferences: [missing] } }),
    ).rejects.toMatchObject(needed);
    await expect(patch('node', node, { spec: { taints } })).rejects.toMatchObject(needed);
    expect(await seen('/api/v1/namespaces/edited')).toMatchObject({ status: { phase: 'Active' } });
    await patch('namespace', 'edited', { metadata: { labels: { team: 'a' } } });
    await edit('namespace', 'edited', ['metadata', 'annotations'], { note: 'kept' });

    await prove(owner.client, authenticator);
    await patch('node', node, { spec: { taints } });
    await expect(edit('namespace', 'edited', owners, [missing])).rejects.toMatchObject(needed);
    await demand(false);
    await edit('namespace', 'edited', owners, [missing]);
  });

  it('of no API token, which is refused in words', async () => {
    await make('/api/v1/namespaces', namespaceOf('scripted'));
    const { secret } = await owner.client.call('createToken', {
      body: { name: 'script', scopes: ['resources.manage', 'namespaces.view'] },
    });
    const script = openedAt(url, new BearerClient(playground.console.url, secret));
    const yaml = JSON.stringify(namespaceOf('scripted', { ownerReferences: [missing] }));
    await expect(script.call('applyResource', { params: params(), body: { yaml } })).rejects.toMatchObject({
      status: 403,
      code: undefined,
      title: expect.stringContaining('an API token cannot use'),
    });
  });
});
