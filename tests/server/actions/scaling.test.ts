import { desc } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { deployments, pods, ref, refusal, sharedShore } from './playground.ts';

const shore = sharedShore();
const { actOn, offered } = shore;

describe('scaling', () => {
  it('is possible while an autoscaler sets the count as well, which is one of its writers', async () => {
    await shore.lab.put('/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers', {
      metadata: { name: 'web-scaler' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: shore.name },
        minReplicas: 2,
        maxReplicas: 9,
      },
    });
    expect((await offered([ref(shore.name)])).find(({ id }) => id === 'deployment.scale')?.enabled).toBe(
      true,
    );
    expect(await actOn('deployment.scale', [ref(shore.name)], { replicas: 4 })).toMatchObject({ ok: true });
    expect(await shore.lab.seen(`${deployments}/${shore.name}`)).toMatchObject({ spec: { replicas: 4 } });
  });
});

describe('scaling a custom resource', () => {
  const group = 'sail.example.org';
  const boats = `/apis/${group}/v1/namespaces/shop/boats`;
  const kind = `crd:boats.${group}`;
  const crew = (type: string) => ({ type: 'object', properties: { crew: { type } } });

  beforeAll(async () => {
    await shore.lab.put('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: `boats.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { kind: 'Boat', plural: 'boats', singular: 'boat' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { spec: crew('integer'), status: crew('integer') },
              },
            },
            subresources: {
              status: {},
              scale: { specReplicasPath: '.spec.crew', statusReplicasPath: '.status.crew' },
            },
          },
        ],
      },
    });
  });
  beforeEach(() =>
    shore.lab.put(boats, {
      apiVersion: `${group}/v1`,
      kind: 'Boat',
      metadata: { name: shore.name },
      spec: { crew: 2 },
    }),
  );

  const scale = (replicas: number, more = {}) =>
    actOn('custom.scale', [ref(shore.name, kind)], { replicas }, more);
  const last = async () =>
    (await shore.lab.console.store.db.select().from(audit).orderBy(desc(audit.id)).limit(1))[0];

  it('goes by the scale of its definition: first as a preview, then on record', async () => {
    const sent = [{ method: 'PATCH', path: `${boats}/${shore.name}/scale`, body: { spec: { replicas: 5 } } }];
    expect(await scale(5, { dryRun: true })).toMatchObject({ ok: true, requests: sent });
    expect(await shore.lab.seen(`${boats}/${shore.name}`)).toMatchObject({ spec: { crew: 2 } });
    expect(await last()).toMatchObject({ action: 'custom.scale', subject: { dryRun: true } });
    expect(await scale(5)).toMatchObject({ ok: true, requests: sent });
    expect(await shore.lab.seen(`${boats}/${shore.name}`)).toMatchObject({ spec: { crew: 5 } });
    expect(await last()).toMatchObject({
      action: 'custom.scale',
      actor: shore.admin.email,
      status: 200,
      subject: { kind, namespace: 'shop', names: `shop/${shore.name}`, dryRun: false, failed: 0 },
    });
  });

  it('is for whoever may change it, and asks on a protected cluster before nothing is left', async () => {
    const viewer = await shore.lab.member(teamRoles.Viewer);
    const refused = viewer.client.call('runAction', {
      params: { clusterId: shore.lab.clusterId, actionId: 'custom.scale' },
      body: { refs: [ref(shore.name, kind)], args: { replicas: 1 } },
    });
    expect(await refusal(refused)).toMatchObject({ status: 403 });
    await shore.lab.set({ isProtected: true });
    expect(await refusal(scale(0))).toMatchObject({ status: 409, issues: [{ path: 'confirm' }] });
    await shore.lab.set({ isProtected: false, isReadOnly: true });
    expect(await refusal(scale(3))).toMatchObject({ status: 403 });
    await shore.lab.set({ isReadOnly: false });
    expect(await shore.lab.seen(`${boats}/${shore.name}`)).toMatchObject({ spec: { crew: 2 } });
  });
});

describe('evicting', () => {
  it('gives the words of the disruption budget that forbids it', async () => {
    const labels = { app: 'guarded' };
    await shore.lab.put(pods, {
      metadata: { name: 'guarded', labels },
      spec: { containers: [{ name: 'a', image: 'a' }] },
    });
    await shore.lab.merge(`${pods}/guarded/status`, {
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    });
    const budgets = '/apis/policy/v1/namespaces/shop/poddisruptionbudgets';
    await shore.lab.put(budgets, {
      metadata: { name: 'keep' },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    });
    await shore.lab.merge(`${budgets}/keep/status`, {
      status: { disruptionsAllowed: 0, desiredHealthy: 1, currentHealthy: 1, expectedPods: 1 },
    });
    expect(await actOn('pod.evict', [ref('guarded', 'pod')])).toMatchObject({
      ok: false,
      status: 429,
      message:
        'Pod shop/guarded cannot be evicted now: The disruption budget keep needs 1 healthy pods and has 1 currently. Try again when more of its pods are ready.',
    });
    expect(await shore.lab.seen(`${pods}/guarded`)).not.toHaveProperty('metadata.deletionTimestamp');
  });
});
