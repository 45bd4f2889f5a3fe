import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ref } from '../../../src/contract/objects.ts';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { type Lab, startLab } from './playground.ts';

let lab: Lab;
const ref = (kind: string, name: string, namespace: string | undefined = 'shop'): Ref =>
  namespace === '' ? { kind, name } : { kind, namespace, name };
const template = {
  metadata: { labels: { app: 'api' } },
  spec: { containers: [{ name: 'app', image: 'registry.example.org/app:1' }] },
};
const owner = (kind: string, apiVersion: string, name: string, uid: string | undefined) => ({
  ownerReferences: [{ apiVersion, kind, name, uid: uid ?? '', controller: true }],
});

beforeAll(async () => {
  lab = await startLab();
  const selector = { matchLabels: { app: 'api' } };
  const put = (path: string, object: object) => lab.put(path, object);
  const apps = '/apis/apps/v1/namespaces/shop';
  const core = '/api/v1/namespaces/shop';
  const api = await put(`${apps}/deployments`, { metadata: { name: 'api' }, spec: { selector, template } });
  const set = await put(`${apps}/replicasets`, {
    metadata: {
      name: 'api-1',
      labels: { app: 'api' },
      ...owner('Deployment', 'apps/v1', 'api', api.metadata?.uid),
    },
    spec: { selector, template },
  });
  for (const name of ['api-1-a', 'api-1-b'])
    await put(`${core}/pods`, {
      metadata: {
        name,
        labels: { app: 'api' },
        ...owner('ReplicaSet', 'apps/v1', 'api-1', set.metadata?.uid),
      },
      spec: { ...template.spec, nodeName: 'pier' },
    });
  await put(`${core}/pods`, { metadata: { name: 'alone' }, spec: template.spec });
  await put('/api/v1/nodes', { metadata: { name: 'pier' } });
  await put(`${apps}/statefulsets`, {
    metadata: { name: 'loki' },
    spec: {
      serviceName: 'loki',
      selector: { matchLabels: { app: 'loki' } },
      template: { ...template, metadata: { labels: { app: 'loki' } } },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    },
  });
  for (const name of ['data-loki-0', 'data-loki-extra'])
    await put(`${core}/persistentvolumeclaims`, {
      metadata: { name },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
});
afterAll(() => lab.close());

const effectsOf = async (person: { readonly client: Lab['owner']['client'] }, ...refs: readonly Ref[]) =>
  await person.client.call('deletionEffects', {
    params: { clusterId: lab.clusterId },
    body: { refs: [...refs] },
  });

test('a workload takes along what it owns, and what that owns', async () => {
  expect(await effectsOf(lab.owner, ref('deployment', 'api'))).toEqual({
    effects: [
      { effect: 'owned', kind: 'ReplicaSet', title: 'ReplicaSets', count: 1, names: ['api-1'] },
      { effect: 'owned', kind: 'Pod', title: 'Pods', count: 2, names: ['api-1-a', 'api-1-b'] },
    ],
    hasUnseen: false,
  });
});

test('the claims of a StatefulSet stay, and no other claim is named among them', async () => {
  const { effects } = await effectsOf(lab.owner, ref('statefulset', 'loki'));
  expect(effects).toEqual([expect.objectContaining({ effect: 'claims', count: 1, names: ['data-loki-0'] })]);
});

test('a pod says what makes another, and one that stands alone has nothing', async () => {
  const made = await effectsOf(lab.owner, ref('pod', 'api-1-a'));
  expect(made.effects).toEqual([
    expect.objectContaining({ effect: 'maker', kind: 'ReplicaSet', names: ['api-1'] }),
  ]);
  expect(await effectsOf(lab.owner, ref('pod', 'alone'))).toEqual({ effects: [], hasUnseen: false });
});

test('a namespace counts what is in it, and a node what runs on it', async () => {
  const inside = await effectsOf(lab.owner, ref('namespace', 'shop', ''));
  expect(inside.effects).toContainEqual(expect.objectContaining({ effect: 'inside', kind: 'Pod', count: 3 }));
  const node = await effectsOf(lab.owner, ref('node', 'pier', ''));
  expect(node.effects).toEqual([expect.objectContaining({ effect: 'running', kind: 'Pod', count: 2 })]);
});

test('of what a person may not view there is no count, and never silence', async () => {
  // Secrets are for other roles than a Viewer's.
  const viewer = await lab.member(teamRoles.Viewer);
  const seen = await effectsOf(viewer, ref('namespace', 'shop', ''));
  expect(seen.hasUnseen).toBe(true);
  expect(seen.effects.map(({ kind }) => kind)).not.toContain('Secret');
  const other = await lab.member(teamRoles.Viewer, ['elsewhere']);
  await expect(effectsOf(other, ref('deployment', 'api'))).rejects.toMatchObject({ status: 403 });
});
