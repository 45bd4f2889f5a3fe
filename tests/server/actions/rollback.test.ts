import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../src/kube/object.ts';
import { type Lab, refusal, startLab } from './playground.ts';

const apps = '/apis/apps/v1/namespaces/shop';
const hash = 'pod-template-hash';
const revision = 'deployment.kubernetes.io/revision';
const cause = 'kubernetes.io/change-cause';

const template = (image: string, labels: Record<string, string> = {}) => ({
  metadata: { labels: { app: 'web', ...labels } },
  spec: { containers: [{ name: 'web', image }] },
});
const owner = (object: KubeObject) => ({
  apiVersion: 'apps/v1',
  kind: object.kind,
  name: object.metadata?.name,
  uid: object.metadata?.uid,
  controller: true,
});

describe('rolling back', () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await startLab();
    const deployment = await lab.put(`${apps}/deployments`, {
      metadata: { name: 'web', annotations: { [revision]: '2', [cause]: 'web:2', mine: 'two' } },
      spec: { selector: { matchLabels: { app: 'web' } }, template: template('web:2') },
    });
    const replicaSet = (number: number, more: object) => ({
      metadata: {
        name: `web-${number}`,
        labels: { app: 'web', [hash]: `h${number}` },
        annotations: { [revision]: String(number), [cause]: `web:${number}` },
        ...more,
      },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'web', [hash]: `h${number}` } },
        template: template(`web:${number}`, { [hash]: `h${number}` }),
      },
    });
    await lab.put(`${apps}/replicasets`, replicaSet(1, { ownerReferences: [owner(deployment)] }));
    await lab.put(`${apps}/replicasets`, replicaSet(2, { ownerReferences: [owner(deployment)] }));
    // Somebody else's, with the same labels.
    await lab.put(`${apps}/replicasets`, replicaSet(9, {}));
  });
  afterAll(() => lab.close());

  const history = (name: string, kind = 'deployment') =>
    lab.owner.client.call('revisions', {
      params: { clusterId: lab.clusterId, kind, name },
      query: { namespace: 'shop' },
    });
  const rollBack = async (number: number, dryRun = false) => {
    const { outcomes } = await lab.owner.client.call('runAction', {
      params: { clusterId: lab.clusterId, actionId: 'deployment.rollback' },
      body: {
        refs: [{ kind: 'deployment', namespace: 'shop', name: 'web' }],
        args: { revision: number },
        dryRun,
      },
    });
    return outcomes[0];
  };

  it('offers the revisions of its own, newest first, without what controllers add', async () => {
    const { current, revisions } = await history('web');
    expect(revisions).toMatchObject([
      { revision: 2, isCurrent: true, images: ['web:2'], cause: 'web:2', createdAt: expect.any(String) },
      { revision: 1, isCurrent: false, images: ['web:1'], cause: 'web:1' },
    ]);
    expect(current).toMatchObject({ spec: { containers: [{ image: 'web:2' }] } });
    expect(revisions.map((one) => (one.template as KubeObject).metadata?.labels)).toEqual([
      { app: 'web' },
      { app: 'web' },
    ]);
  });

  it('refuses what is no longer kept, and what runs already', async () => {
    expect(await rollBack(7)).toMatchObject({
      ok: false,
      status: 409,
      message: 'Revision 7 of web is no longer kept. These are kept: 2, 1.',
      requests: [],
    });
    expect(await rollBack(2)).toMatchObject({
      ok: false,
      status: 409,
      message: 'web has the pod template of revision 2 already.',
    });
  });

  it('brings back the pod template and the annotations of that revision, guarded by the version looked at', async () => {
    const before = await lab.seen(`${apps}/deployments/web`);
    const outcome = await rollBack(1, true);
    expect(outcome).toMatchObject({ ok: true, after: { spec: { template: template('web:1') } } });
    expect(outcome?.requests).toMatchObject([
      {
        method: 'PATCH',
        contentType: 'application/json-patch+json',
        body: [
          { op: 'replace', path: '/metadata/resourceVersion', value: before?.metadata?.resourceVersion },
          { op: 'replace', path: '/spec/template' },
          { op: 'add', path: '/metadata/annotations' },
        ],
      },
    ]);
    expect(await lab.seen(`${apps}/deployments/web`)).toEqual(before);
    expect(await rollBack(1)).toMatchObject({ ok: true, message: 'Deployment shop/web was rolled back.' });
    const after = await lab.seen(`${apps}/deployments/web`);
    expect(after).toMatchObject({ spec: { template: template('web:1') } });
    expect(JSON.stringify(after)).not.toContain(hash);
    expect(after?.metadata?.annotations).toEqual({ [revision]: '2', [cause]: 'web:1' });
  });

  it('is nothing for kinds that keep no revisions', async () => {
    expect(await refusal(history('any', 'pod'))).toMatchObject({
      status: 400,
      title: 'Pods keep no earlier revisions.',
    });
  });
});
