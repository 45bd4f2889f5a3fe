import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Problem } from '../../../src/contract/problem.ts';
import { type PlaygroundConsole, startPlaygroundConsole } from '../playground-console.ts';

const crdName = 'boats.sail.example.org';
let lab: PlaygroundConsole;

beforeAll(async () => {
  lab = await startPlaygroundConsole('shop');
  const post = async (path: string, body: object) => await lab.transport.json({ method: 'POST', path, body });
  for (const [plural, kind, scope] of [
    ['boats', 'Boat', 'Namespaced'],
    ['docks', 'Dock', 'Cluster'],
  ]) {
    await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.sail.example.org` },
      spec: {
        group: 'sail.example.org',
        scope,
        names: { kind, plural, singular: kind?.toLowerCase(), shortNames: [`${plural?.slice(0, 2)}x`] },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        ],
      },
    });
  }
  await vi.waitUntil(() => lab.seen('/apis/sail.example.org/v1'), { timeout: 60_000 });
  const boat = (name: string) => ({ apiVersion: 'sail.example.org/v1', kind: 'Boat', metadata: { name } });
  await post('/apis/sail.example.org/v1/namespaces/shop/boats', boat('dinghy'));
  await post('/apis/sail.example.org/v1/namespaces/default/boats', boat('ketch'));
  await post('/apis/sail.example.org/v1/docks', {
    apiVersion: 'sail.example.org/v1',
    kind: 'Dock',
    metadata: { name: 'north' },
  });
});
afterAll(() => lab.console.close());

const statusOf = async (call: Promise<unknown>) => {
  try {
    await call;
    return 200;
  } catch (error) {
    if (error instanceof Problem) return error.status;
    throw error;
  }
};

describe('the specification’s calls for custom resources', () => {
  it('list the definitions by name, each with what it defines', async () => {
    const { clusterId, owner } = lab;
    const found = await owner.client.call('definitions', { params: { clusterId } });
    expect(found.filter(({ spec }) => spec.group === 'sail.example.org')).toEqual([
      {
        metadata: { name: crdName },
        spec: {
          group: 'sail.example.org',
          scope: 'Namespaced',
          names: { kind: 'Boat', plural: 'boats', shortNames: ['box'] },
        },
      },
      {
        metadata: { name: 'docks.sail.example.org' },
        spec: {
          group: 'sail.example.org',
          scope: 'Cluster',
          names: { kind: 'Dock', plural: 'docks', shortNames: ['dox'] },
        },
      },
    ]);
  });

  it('give the objects of a definition, of all namespaces, of one, and one of them', async () => {
    const { clusterId, owner } = lab;
    const names = (items: readonly { metadata?: { name?: string | undefined } | undefined }[]) =>
      items.map(({ metadata }) => metadata?.name ?? '').sort((a, b) => a.localeCompare(b, 'en'));
    const params = { clusterId, crdName };
    const all = await owner.client.call('customObjects', { params, query: {} });
    expect(names(all.items)).toEqual(['dinghy', 'ketch']);
    const some = await owner.client.call('customObjectsIn', { params: { ...params, ns: 'shop' }, query: {} });
    expect(names(some.items)).toEqual(['dinghy']);
    expect(
      await owner.client.call('customObjectIn', { params: { ...params, ns: 'shop', name: 'dinghy' } }),
    ).toMatchObject({ kind: 'Boat', metadata: { name: 'dinghy', namespace: 'shop' } });
    expect(
      await owner.client.call('customObject', {
        params: { clusterId, crdName: 'docks.sail.example.org', name: 'north' },
      }),
    ).toMatchObject({ kind: 'Dock', metadata: { name: 'north' } });
    const first = await owner.client.call('customObjects', { params, query: { limit: '1' } });
    expect(first.items).toHaveLength(1);
    expect(first.continue).toBeDefined();
  });

  it('give nothing that no definition makes, and no way round its permissions', async () => {
    const { clusterId, owner } = lab;
    const of = (name: string) =>
      statusOf(owner.client.call('customObjects', { params: { clusterId, crdName: name }, query: {} }));
    for (const name of ['secrets.core', 'deployments.apps', 'nothing.example.org', '../secrets', 'x'])
      expect(await of(name), name).toBe(404);
  });
});

describe('the add-ons of a cluster', () => {
  const absent = async () =>
    (await lab.owner.client.call('addOns', { params: { clusterId: lab.clusterId } })).absent;

  it('are those that it serves: a kind of one that it lacks is named until the cluster has it', async () => {
    const ofGateways = ['gateway', 'gatewayclass', 'httproute', 'grpcroute', 'referencegrant'];
    expect(await absent()).toEqual(['scaledobject', ...ofGateways]);
    await lab.transport.json({
      method: 'POST',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      body: {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'scaledobjects.keda.sh' },
        spec: {
          group: 'keda.sh',
          scope: 'Namespaced',
          names: { kind: 'ScaledObject', plural: 'scaledobjects', singular: 'scaledobject' },
          versions: [
            {
              name: 'v1alpha1',
              served: true,
              storage: true,
              schema: {
                openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              },
            },
          ],
        },
      },
    });
    await vi.waitUntil(async () => !(await absent()).includes('scaledobject'), { timeout: 60_000 });
    expect(await absent()).toEqual(ofGateways);
  });

  it('are refused to people who do not reach the cluster', async () => {
    expect(await statusOf(lab.owner.client.call('addOns', { params: { clusterId: 999 } }))).toBe(404);
  });
});
