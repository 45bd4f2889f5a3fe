import { afterEach, describe, expect, it } from 'vitest';
import { BearerClient } from '../http-client.ts';
import { deploymentNamed, deployments, ref, refusal, sharedShore } from './playground.ts';

const shore = sharedShore();
const { act, actOn, offered } = shore;

afterEach(() => shore.lab.set({ isReadOnly: false, isProtected: false }));

describe('a read-only cluster', () => {
  it('refuses every change with a sentence, and offers its actions with that reason', async () => {
    await shore.lab.set({ isReadOnly: true });
    const before = await shore.lab.seen(`${deployments}/${shore.name}`);
    const sentence = `${shore.lab.name} is read-only in this console: nothing can be changed there.`;
    const params = { clusterId: shore.lab.clusterId, kind: 'deployment' };
    const refused = [
      act('object.delete', [ref(shore.name)]),
      act('deployment.restart', [ref(shore.name)], {}, { dryRun: true }),
      shore.admin.client.call('createObject', {
        params,
        body: { object: deploymentNamed('other') },
        query: { namespace: 'shop' },
      }),
      shore.admin.client.call('patchObject', {
        params: { ...params, name: shore.name },
        query: { namespace: 'shop' },
        body: { resourceVersion: '1', patch: {} },
      }),
      shore.admin.client.call('createNamespace', { params, body: { name: 'other' } }),
    ];
    for (const problem of await Promise.all(refused.map(refusal))) {
      expect(problem).toMatchObject({ status: 403, title: sentence });
    }
    for (const { enabled } of await offered([ref(shore.name)])) expect(enabled).toBe(sentence);
    expect(await shore.lab.seen(`${deployments}/${shore.name}`)).toEqual(before);
    expect(await shore.lab.seen(`${deployments}/other`)).toBeUndefined();
    expect(await shore.lab.seen('/api/v1/namespaces/other')).toBeUndefined();
  });
});

describe('a protected cluster', () => {
  it('asks for its name before something dangerous, and for nothing else', async () => {
    await shore.lab.set({ isProtected: true });
    expect(await refusal(act('object.delete', [ref(shore.name)]))).toMatchObject({
      status: 409,
      title: `${shore.lab.name} is protected, and this ends pods or deletes something: type its name to confirm.`,
      detail: expect.stringContaining(JSON.stringify({ confirm: shore.lab.name })),
      issues: [{ path: 'confirm' }],
    });
    expect(await refusal(act('object.delete', [ref(shore.name)], {}, { confirm: 'another' }))).toMatchObject({
      status: 409,
      title: expect.stringContaining('Nothing was changed.'),
    });
    expect(await shore.lab.seen(`${deployments}/${shore.name}`)).toBeDefined();
    expect(await actOn('object.delete', [ref(shore.name)], {}, { dryRun: true })).toMatchObject({ ok: true });
    expect(await actOn('deployment.pause', [ref(shore.name)])).toMatchObject({ ok: true });
    expect(await actOn('object.delete', [ref(shore.name)], {}, { confirm: shore.lab.name })).toMatchObject({
      ok: true,
    });
    expect(await shore.lab.seen(`${deployments}/${shore.name}`)).toBeUndefined();
  });

  it('asks an API token for its name as well, on every call that ends pods', async () => {
    const { lab, name, admin } = shore;
    const { clusterId } = lab;
    const { secret } = await admin.client.call('createToken', {
      body: { name: 'pipeline', scopes: ['deployments.view', 'deployments.manage', 'resources.manage'] },
    });
    const pipeline = new BearerClient(lab.console.url, secret);
    const path = `${deployments}/${name}`;
    await lab.set({ isProtected: true });
    const before = await lab.seen(path);
    const { resourceVersion = '' } = before?.metadata ?? {};
    const run = (actionId: string, args = {}, more: { confirm?: string } = {}) =>
      pipeline.call('runAction', {
        params: { clusterId, actionId },
        body: { refs: [ref(name)], args, ...more },
      });
    const asked = [
      run('deployment.restart'),
      run('deployment.scale', { replicas: 0 }),
      run('object.delete'),
      pipeline.call('editObject', {
        params: { clusterId, kind: 'deployment', name },
        query: { namespace: 'shop' },
        body: { resourceVersion, changes: [{ op: 'replace', path: ['spec', 'replicas'], value: 0 }] },
      }),
    ];
    for (const problem of await Promise.all(asked.map(refusal)))
      expect(problem).toMatchObject({ status: 409, issues: [{ path: 'confirm' }] });
    expect(await lab.seen(path)).toEqual(before);
    expect((await run('deployment.restart', {}, { confirm: lab.name })).outcomes).toMatchObject([
      { ok: true },
    ]);
  });

  it('asks before a workload loses pods, by what it has now, and not before it gets more', async () => {
    await shore.lab.set({ isProtected: true });
    const scale = (replicas: number, more = {}) =>
      act('deployment.scale', [ref(shore.name)], { replicas }, more);
    expect(await refusal(scale(0))).toMatchObject({ status: 409, issues: [{ path: 'confirm' }] });
    expect(await refusal(scale(1))).toMatchObject({ status: 409, issues: [{ path: 'confirm' }] });
    expect(await refusal(scale(0, { confirm: 'another' }))).toMatchObject({ status: 409 });
    expect((await scale(0, { dryRun: true })).outcomes).toMatchObject([{ ok: true }]);
    expect((await scale(3)).outcomes).toMatchObject([{ ok: true }]);
    expect(await shore.lab.seen(`${deployments}/${shore.name}`)).toMatchObject({ spec: { replicas: 3 } });
    expect((await scale(0, { confirm: shore.lab.name })).outcomes).toMatchObject([{ ok: true }]);
    expect(await shore.lab.seen(`${deployments}/${shore.name}`)).toMatchObject({ spec: { replicas: 0 } });
  });

  it.each([
    ['no replicas', { spec: { replicas: 0 } }],
    ['fewer replicas', { spec: { replicas: 1 } }],
    ['another pod template', { spec: { template: { metadata: { annotations: { at: 'now' } } } } }],
    [
      'an owner that is gone, so that the garbage collector deletes it',
      {
        metadata: {
          ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: 'never-there' }],
        },
      },
    ],
  ])('asks before an edit that leaves %s: no way round what actions ask for', async (_what, patch) => {
    await shore.lab.set({ isProtected: true });
    const edit = async (change: object, more: { confirm?: string } = {}, dryRun?: 'true') => {
      const { resourceVersion = '' } = (await shore.lab.seen(`${deployments}/${shore.name}`))?.metadata ?? {};
      return await shore.admin.client.call('patchObject', {
        params: { clusterId: shore.lab.clusterId, kind: 'deployment', name: shore.name },
        query: { namespace: 'shop', ...(dryRun === undefined ? {} : { dryRun }) },
        body: { resourceVersion, patch: { ...change }, ...more },
      });
    };
    expect(await refusal(edit(patch))).toMatchObject({ status: 409, issues: [{ path: 'confirm' }] });
    expect(await refusal(edit(patch, { confirm: 'another' }))).toMatchObject({ status: 409 });
    expect(await edit(patch, {}, 'true')).toMatchObject({ kind: 'Deployment' });
    expect(await edit({ spec: { replicas: 4 } })).toMatchObject({ spec: { replicas: 4 } });
    expect(await edit(patch, { confirm: shore.lab.name })).toMatchObject({ kind: 'Deployment' });
  });
});
