import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { isDestructive } from '../../../src/server/actions/protection.ts';
import type { TestPerson } from '../harness.ts';
import { actingAs, deploymentNamed, deployments, ref, refusal, startLab, type Lab } from './playground.ts';

let lab: Lab;
let admin: TestPerson;
let count = 0;
let name = '';

beforeAll(async () => {
  lab = await startLab();
  admin = await lab.member(teamRoles.TeamAdmin);
});
afterAll(() => lab.close());
beforeEach(async () => {
  count += 1;
  name = `api-${count}`;
  await lab.put(deployments, deploymentNamed(name));
});
afterEach(() => lab.set({ isReadOnly: false, isProtected: false }));

const { act, actOn, offered } = actingAs(() => ({ lab, person: admin }));

describe('a read-only cluster', () => {
  it('refuses every change with a sentence, and offers its actions with that reason', async () => {
    await lab.set({ isReadOnly: true });
    const before = await lab.seen(`${deployments}/${name}`);
    const sentence = `${lab.name} is read-only in this console: nothing can be changed there.`;
    const params = { clusterId: lab.clusterId, kind: 'deployment' };
    const refused = [
      act('object.delete', [ref(name)]),
      act('deployment.restart', [ref(name)], {}, { dryRun: true }),
      admin.client.call('createObject', {
        params,
        body: { object: deploymentNamed('other') },
        query: { namespace: 'shop' },
      }),
      admin.client.call('patchObject', {
        params: { ...params, name },
        query: { namespace: 'shop' },
        body: { resourceVersion: '1', patch: {} },
      }),
      admin.client.call('createNamespace', { params, body: { name: 'other' } }),
    ];
    for (const problem of await Promise.all(refused.map(refusal))) {
      expect(problem).toMatchObject({ status: 403, title: sentence });
    }
    for (const { enabled } of await offered([ref(name)])) expect(enabled).toBe(sentence);
    expect(await lab.seen(`${deployments}/${name}`)).toEqual(before);
    expect(await lab.seen(`${deployments}/other`)).toBeUndefined();
    expect(await lab.seen('/api/v1/namespaces/other')).toBeUndefined();
  });
});

describe('a protected cluster', () => {
  it('asks for its name before something dangerous, and for nothing else', async () => {
    await lab.set({ isProtected: true });
    expect(await refusal(act('object.delete', [ref(name)]))).toMatchObject({
      status: 428,
      title: `${lab.name} is protected: type its name to confirm.`,
    });
    expect(await refusal(act('object.delete', [ref(name)], {}, { confirm: 'another' }))).toMatchObject({
      status: 409,
      title: expect.stringContaining('Nothing was changed.'),
    });
    expect(await lab.seen(`${deployments}/${name}`)).toBeDefined();
    expect(await actOn('object.delete', [ref(name)], {}, { dryRun: true })).toMatchObject({ ok: true });
    expect(await actOn('deployment.restart', [ref(name)])).toMatchObject({ ok: true });
    expect(await actOn('object.delete', [ref(name)], {}, { confirm: lab.name })).toMatchObject({ ok: true });
    expect(await lab.seen(`${deployments}/${name}`)).toBeUndefined();
  });

  it('asks before a workload loses its last pod, not before it is scaled to some', async () => {
    await lab.set({ isProtected: true });
    const scale = (replicas: number, more = {}) => act('deployment.scale', [ref(name)], { replicas }, more);
    expect(await refusal(scale(0))).toMatchObject({ status: 428 });
    expect(await refusal(scale(0, { confirm: 'another' }))).toMatchObject({ status: 409 });
    expect((await scale(0, { dryRun: true })).outcomes).toMatchObject([{ ok: true }]);
    expect((await scale(2)).outcomes).toMatchObject([{ ok: true }]);
    expect(await lab.seen(`${deployments}/${name}`)).toMatchObject({ spec: { replicas: 2 } });
    expect((await scale(0, { confirm: lab.name })).outcomes).toMatchObject([{ ok: true }]);
    expect(await lab.seen(`${deployments}/${name}`)).toMatchObject({ spec: { replicas: 0 } });
  });

  it.each([
    ['no replicas', { spec: { replicas: 0 } }],
    ['no finalizers', { metadata: { finalizers: null } }],
    [
      'an owner that is gone, so that the garbage collector deletes it',
      {
        metadata: {
          ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: 'never-there' }],
        },
      },
    ],
  ])('asks before an edit that leaves %s: no way round what actions ask for', async (_what, patch) => {
    await lab.set({ isProtected: true });
    const edit = async (change: object, more: { confirm?: string } = {}, dryRun?: 'true') => {
      const { resourceVersion = '' } = (await lab.seen(`${deployments}/${name}`))?.metadata ?? {};
      return await admin.client.call('patchObject', {
        params: { clusterId: lab.clusterId, kind: 'deployment', name },
        query: { namespace: 'shop', ...(dryRun === undefined ? {} : { dryRun }) },
        body: { resourceVersion, patch: { ...change }, ...more },
      });
    };
    expect(await refusal(edit(patch))).toMatchObject({ status: 428 });
    expect(await refusal(edit(patch, { confirm: 'another' }))).toMatchObject({ status: 409 });
    expect(await edit(patch, {}, 'true')).toMatchObject({ kind: 'Deployment' });
    expect(await edit({ spec: { replicas: 1 } })).toMatchObject({ spec: { replicas: 1 } });
    expect(await edit(patch, { confirm: lab.name })).toMatchObject({ kind: 'Deployment' });
  });
});

it('an edit of a protected cluster asks as well before it ends the pods of a node, a finished Job or a released volume', () => {
  const anyKind = { group: '', kind: 'Node' };
  const taints = [
    { key: 'a', effect: 'NoSchedule' },
    { key: 'b', effect: 'NoExecute' },
  ];
  expect(isDestructive({ spec: { taints } }, anyKind)).toBe(true);
  expect(isDestructive({ spec: { taints: taints.slice(0, 1) } }, anyKind)).toBe(false);
  expect(isDestructive({ spec: { taints: null } }, anyKind)).toBe(false);
  expect(isDestructive({ spec: { ttlSecondsAfterFinished: 0 } }, anyKind)).toBe(true);
  expect(isDestructive({ spec: { ttlSecondsAfterFinished: null } }, anyKind)).toBe(false);
  expect(isDestructive({ spec: { persistentVolumeReclaimPolicy: 'Delete' } }, anyKind)).toBe(true);
  expect(isDestructive({ spec: { persistentVolumeReclaimPolicy: 'Retain' } }, anyKind)).toBe(false);
  for (const odd of [{ spec: null }, { spec: 'x', metadata: [] }, { spec: { taints: [null, 1] } }]) {
    expect(isDestructive(odd, anyKind)).toBe(false);
  }
  const job = { group: 'batch', kind: 'Job' };
  expect(isDestructive({ spec: { suspend: true } }, job)).toBe(true);
  expect(isDestructive({ spec: { suspend: false } }, job)).toBe(false);
  expect(isDestructive({ spec: { suspend: true } }, { group: 'batch', kind: 'CronJob' })).toBe(false);
  const scaled = { group: 'keda.sh', kind: 'ScaledObject' };
  const paused = (at: string) => ({
    metadata: { annotations: { 'autoscaling.keda.sh/paused-replicas': at } },
  });
  expect([isDestructive(paused('0'), scaled), isDestructive(paused('2'), scaled)]).toEqual([true, false]);
});
