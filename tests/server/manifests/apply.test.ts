import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import type { TestPerson } from '../harness.ts';
import { deploymentOf } from '../playground-console.ts';
import { type Lab, refusal, startLab } from '../actions/playground.ts';

let lab: Lab;
let admin: TestPerson;

beforeAll(async () => {
  lab = await startLab();
  admin = await lab.member(teamRoles.TeamAdmin);
});
afterAll(() => lab.close());

const apply = (yaml: string, more: { dryRun?: boolean; takeOver?: number[]; confirm?: string } = {}) =>
  admin.client.call('applyResource', { params: { clusterId: lab.clusterId }, body: { yaml, ...more } });
const path = (name: string) => `/apis/apps/v1/namespaces/shop/deployments/${name}`;
const text = (name: string, replicas: number) =>
  JSON.stringify(deploymentOf('shop', name, 'nginx:1', replicas));

describe('applying YAML', () => {
  it('creates what is not there, changes what is, and changes nothing in a dry run', async () => {
    const tried = await apply(text('web', 1), { dryRun: true });
    expect(tried.results).toMatchObject([
      { ok: true, message: 'Deployment shop/web would be created.', after: { spec: { replicas: 1 } } },
    ]);
    expect(tried.results[0]?.before).toBeUndefined();
    expect(await lab.seen(path('web'))).toBeUndefined();

    expect((await apply(text('web', 1))).results).toMatchObject([
      { ok: true, message: 'Deployment shop/web was applied.', conflicts: [] },
    ]);
    expect((await apply(text('web', 2), { dryRun: true })).results).toMatchObject([
      {
        message: 'Deployment shop/web already exists and would be changed.',
        before: { spec: { replicas: 1 } },
        after: { spec: { replicas: 2 } },
      },
    ]);
    await apply(text('web', 2));
    expect(await lab.seen(path('web'))).toMatchObject({ spec: { replicas: 2 } });
  });

  it('reports which fields the cluster refused, by their paths in the document', async () => {
    const odd = { ...deploymentOf('shop', 'odd', 'nginx:1', 1), specs: {} };
    const wrong = deploymentOf('shop', 'wrong', 'nginx:1', -1);
    const { results } = await apply(`${JSON.stringify(odd)}\n---\n${JSON.stringify(wrong)}`);
    expect(results).toMatchObject([
      { ok: false, fields: [{ path: 'specs', message: 'is no field that the cluster knows.' }] },
      { ok: false, fields: [{ path: 'spec.replicas' }] },
    ]);
  });

  it('names each field with another owner, changes nothing, and takes over only the fields that were confirmed', async () => {
    await lab.transport.json({
      method: 'PATCH',
      path: path('owned'),
      query: { fieldManager: 'helm' },
      contentType: 'application/apply-patch+yaml',
      body: deploymentOf('shop', 'owned', 'nginx:1', 1),
    });
    const refused = await apply(`${text('owned', 5)}\n---\n${text('free', 1)}`);
    expect(refused.results).toMatchObject([
      {
        ok: false,
        status: 409,
        message: 'Deployment shop/owned has fields that other managers own. It was not changed.',
        conflicts: [{ field: 'spec.replicas', manager: 'helm' }],
      },
      { ok: true },
    ]);
    expect(await lab.seen(path('owned'))).toMatchObject({ spec: { replicas: 1 } });
    expect((await apply(text('owned', 5), { takeOver: [0] })).results).toMatchObject([{ ok: true }]);
    expect(await lab.seen(path('owned'))).toMatchObject({ spec: { replicas: 5 } });
  });

  it('takes over the fields of the confirmed object of a List, not of its neighbours', async () => {
    for (const name of ['first', 'second'])
      await lab.transport.json({
        method: 'PATCH',
        path: path(name),
        query: { fieldManager: 'helm' },
        contentType: 'application/apply-patch+yaml',
        body: deploymentOf('shop', name, 'nginx:1', 1),
      });
    const items = ['first', 'second'].map((name) => deploymentOf('shop', name, 'nginx:1', 5));
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    expect((await apply(list, { takeOver: [1] })).results).toMatchObject([
      { at: 0, index: 0, ok: false, status: 409 },
      { at: 1, index: 0, ok: true },
    ]);
    expect(await lab.seen(path('first'))).toMatchObject({ spec: { replicas: 1 } });
    expect(await lab.seen(path('second'))).toMatchObject({ spec: { replicas: 5 } });
  });

  it('drops what the server wrote from a pasted object, so that it can be applied again', async () => {
    const seen = await lab.seen(path('web'));
    const { results } = await apply(JSON.stringify({ ...seen, kind: 'Deployment', apiVersion: 'apps/v1' }));
    expect(results).toMatchObject([{ ok: true }]);
  });

  it('asks for the name of a protected cluster before it scales to nothing', async () => {
    await lab.set({ isProtected: true });
    try {
      const refused = { status: 409, issues: [{ path: 'confirm' }] };
      const other = JSON.stringify(deploymentOf('shop', 'web', 'nginx:other', 2));
      expect(await refusal(apply(text('web', 0)))).toMatchObject(refused);
      expect(await refusal(apply(other))).toMatchObject(refused);
      const harmless = '{apiVersion: v1, kind: ConfigMap, metadata: {name: notes, namespace: shop}}';
      expect((await apply(`${text('web', 0)}\n---\n${harmless}`)).results).toMatchObject([
        { ok: false, status: 409, conflicts: [], mustConfirm: true },
        { ok: true },
      ]);
      expect((await apply(text('web', 0), { dryRun: true })).results).toMatchObject([
        { ok: true, mustConfirm: true },
      ]);
      expect((await apply(text('web', 0), { confirm: lab.name })).results).toMatchObject([{ ok: true }]);
    } finally {
      await lab.set({ isProtected: false });
    }
  });

  it('needs resources.manage, and the permission of each kind besides', async () => {
    const viewer = await lab.member(teamRoles.Viewer);
    const call = viewer.client.call('applyResource', {
      params: { clusterId: lab.clusterId },
      body: { yaml: text('web', 1) },
    });
    expect((await refusal(call)).status).toBe(403);
    const role =
      '{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: a, namespace: shop}}';
    expect((await apply(role)).results).toMatchObject([{ ok: false, status: 403 }]);
  });
});

describe('checks before creating', () => {
  const check = (documents: object[], person = admin) =>
    person.client.call('checkResource', {
      params: { clusterId: lab.clusterId },
      body: { documents: documents as never },
    });
  const apps = { apiVersion: 'apps/v1', kind: 'Deployment' };

  it('say whether the namespace and the object are there', async () => {
    const { checks } = await check([
      { ...apps, namespace: 'shop', name: 'web' },
      { ...apps, namespace: 'nowhere', name: 'web' },
      { apiVersion: 'v1', kind: 'Namespace', name: 'shop' },
    ]);
    expect(checks).toEqual([
      { title: 'Deployments', refusal: null, namespace: 'shop', namespaceExists: true, exists: true },
      { title: 'Deployments', refusal: null, namespace: 'nowhere', namespaceExists: false, exists: false },
      { title: 'Namespaces', refusal: null, namespace: null, namespaceExists: null, exists: true },
    ]);
  });

  it('say what cannot be created, and by whom', async () => {
    const { checks } = await check([
      { apiVersion: 'nobody.example/v1', kind: 'Thing', name: 'x' },
      { apiVersion: 'v1', kind: 'PodTemplate', namespace: 'shop', name: 'x' },
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', namespace: 'shop', name: 'x' },
    ]);
    expect(checks[0]).toMatchObject({ title: null, refusal: expect.stringContaining('does not serve') });
    expect(checks[1]).toMatchObject({ refusal: expect.stringContaining('Only an Owner'), exists: null });
    // Whoever may view it is told whether it is there.
    expect(checks[2]).toMatchObject({ refusal: expect.stringContaining('Only an Owner'), exists: false });
  });
});
