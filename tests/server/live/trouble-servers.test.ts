import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { AttentionLine } from '../../../src/contract/dashboard.ts';
import { patchTypes } from '../../../src/kube/change.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { type Playground, startPlayground } from '../../../src/playground/server.ts';
import type { Transport } from '../../../src/server/clusters/transport.ts';
import { judgeLine } from '../../../src/web/features/attention/acknowledged.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { deploymentOf } from '../playground-console.ts';
import { openLive } from './live-client.ts';

let cluster: Playground;
let here: TestConsole;
/** Another server over the same database and the same cluster. */
let there: TestConsole;
let owner: TestPerson;
let companyId: number;
let clusterId: number;
let transport: Transport;

/** Starts a server, over the database of another one if it is given. */
const serverOf = (shared?: TestConsole) =>
  startConsole({
    config: {
      allowCidrs: ['127.0.0.1/32'],
      ...(shared === undefined ? {} : { databaseUrl: shared.services.config.databaseUrl }),
    },
  });

beforeAll(async () => {
  cluster = await startPlayground({ seed: 'bulk:1', controllers: false, activity: false });
  here = await serverOf();
  there = await serverOf(here);
  companyId = await here.company();
  owner = await here.person({ companyId, isOwner: true });
  const added = await owner.client.call('addCluster', {
    body: { name: 'shared', description: '', kubeConfigContent: cluster.kubeconfig },
  });
  clusterId = added.id;
  transport = await here.services.clusters.transport(clusterId);
  await transport.json({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'shop' } } });
});
afterAll(async () => {
  await there.close();
  await here.close();
  await cluster.close();
});

/** The dashboard of the cluster as a page on one of the servers has it. */
async function boardOn(server: TestConsole) {
  const client = await server.session(owner.id, companyId);
  const live = await openLive(server.url, { origin: server.url, cookie: client.cookie });
  const board = live.dashboard(clusterId);
  const line = (name: string): AttentionLine | undefined =>
    board.dashboard?.attention.find(({ on }) => on.name === name);
  return {
    live,
    line,
    until: async (name: string, isSo: (line: AttentionLine) => boolean) =>
      await vi.waitUntil(
        () => {
          const found = line(name);
          return found !== undefined && isSo(found) ? found : undefined;
        },
        { timeout: 60_000 },
      ),
    close: () => live.socket.terminate(),
  };
}

const pods = '/api/v1/namespaces/shop/pods';
const makePod = (name: string) =>
  transport.json({
    method: 'POST',
    path: pods,
    body: { metadata: { name }, spec: { containers: [{ name: 'app', image: 'app:1' }] } },
  });
const setStatus = (path: string, status: object) =>
  transport.json({
    method: 'PATCH',
    path: `${path}/status`,
    contentType: patchTypes.merge,
    body: { status },
  });
const ago = (seconds: number) =>
  new Date(Math.floor(Date.now() / 1000) * 1000 - seconds * 1000).toISOString();

/** A pod whose container ended again, as a kubelet says so. */
const crashed = (name: string, restarts: number, endedAgo: number) =>
  setStatus(`${pods}/${name}`, {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: ago(endedAgo) }],
    containerStatuses: [
      {
        name: 'app',
        image: 'app:1',
        imageID: '',
        ready: false,
        restartCount: restarts,
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: { terminated: { exitCode: 1, reason: 'Error', finishedAt: ago(endedAgo) } },
      },
    ],
  });

/** A line as its reader sees it, who has acknowledged it as `known` was. */
const judged = (line: AttentionLine, known: AttentionLine) =>
  judgeLine(
    line,
    clusterId,
    [
      {
        id: '00000000-0000-4000-8000-000000000000',
        clusterId,
        object: known.on,
        causes: [...known.causes],
        until: ago(-3_600),
      },
    ],
    { cluster: Date.now(), server: Date.now() },
  );

describe('since when something is in trouble', () => {
  test('is the same on two servers, and after a restart, whatever crash the cluster records last', async () => {
    await makePod('loop');
    await crashed('loop', 2, 400);
    const first = await boardOn(here);
    const { since } = await first.until('loop', () => true);
    // It crashes again: the cluster has the last crash alone.
    await crashed('loop', 3, 5);
    const stored = async () => (await here.store.pool.query('select since from troubles')).rowCount;
    await expect.poll(stored, { timeout: 30_000 }).toBe(1);
    const second = await boardOn(there);
    expect((await second.until('loop', () => true)).since).toBe(since);
    expect((await first.until('loop', () => true)).since).toBe(since);
    const third = await serverOf(here);
    const restarted = await boardOn(third);
    expect((await restarted.until('loop', () => true)).since).toBe(since);
    for (const board of [first, second, restarted]) board.close();
    await third.close();
  });
});

describe('trouble that was acknowledged or is chronic', () => {
  test('is new again once it has another cause', async () => {
    await makePod('cause');
    await crashed('cause', 2, 90_000);
    const board = await boardOn(here);
    const known = await board.until('cause', () => true);
    expect([known.isChronic, judged(known, known).isNew]).toEqual([true, false]);
    await setStatus(`${pods}/cause`, {
      conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: ago(20) }],
      containerStatuses: [
        {
          name: 'app',
          image: 'app:1',
          imageID: '',
          ready: false,
          restartCount: 3,
          state: { waiting: { reason: 'ImagePullBackOff' } },
        },
      ],
    });
    const other = await board.until('cause', ({ rule }) => rule === 'pod.image');
    expect([other.isChronic, judged(other, known).isNew]).toEqual([undefined, true]);
    board.close();
  });

  test('is new again once fewer are ready, on the other server as well', async () => {
    const path = '/apis/apps/v1/namespaces/shop/deployments';
    await transport.json({ method: 'POST', path, body: deploymentOf('shop', 'fewer', 'app:1', 5) });
    const available = (availableReplicas: number) =>
      setStatus(`${path}/fewer`, {
        observedGeneration: 1,
        replicas: 5,
        updatedReplicas: 5,
        readyReplicas: availableReplicas,
        availableReplicas,
        conditions: [
          { type: 'Available', status: 'False', lastTransitionTime: ago(90_000) },
          { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable', lastUpdateTime: ago(-60) },
        ],
      });
    await available(2);
    const [board, other] = [await boardOn(here), await boardOn(there)];
    const known = await board.until('fewer', ({ isChronic }) => isChronic === true);
    await other.until('fewer', ({ isChronic }) => isChronic === true);
    expect(judged(known, known)).toMatchObject({ isNew: false, acknowledgedUntil: expect.any(String) });
    await available(1);
    for (const { until } of [board, other]) {
      const worse = await until('fewer', ({ isChronic }) => isChronic !== true);
      expect(worse.since).toBe(known.since);
      expect(judged(worse, known)).toEqual({ line: worse, isNew: true });
    }
    for (const { close } of [board, other]) close();
  });

  test('is new again once a custom object fails that was degraded, and once it fails for another reason', async () => {
    await transport.json({
      method: 'POST',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      body: {
        metadata: { name: 'kettles.example.org' },
        spec: {
          group: 'example.org',
          scope: 'Namespaced',
          names: { kind: 'Kettle', plural: 'kettles', singular: 'kettle' },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              subresources: { status: {} },
              schema: {
                openAPIV3Schema: {
                  type: 'object',
                  properties: { status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
                },
              },
            },
          ],
        },
      },
    });
    const path = '/apis/example.org/v1/namespaces/shop/kettles';
    await expect
      .poll(
        () =>
          transport
            .json({
              method: 'POST',
              path,
              body: { apiVersion: 'example.org/v1', kind: 'Kettle', metadata: { name: 'pot' } },
            })
            .then(
              () => true,
              () => false,
            ),
        { timeout: 20_000 },
      )
      .toBe(true);
    const says = (type: string, status: string, reason: string) =>
      setStatus(`${path}/pot`, { conditions: [{ type, status, reason, lastTransitionTime: ago(90_000) }] });
    await says('Degraded', 'True', 'Scale');
    const board = await boardOn(here);
    const known = await board.until('pot', ({ isChronic }) => isChronic === true);
    await says('Ready', 'False', 'BoilFailed');
    const failed = await board.until('pot', ({ tone, isChronic }) => tone === 'bad' && isChronic !== true);
    expect(judged(failed, known)).toEqual({ line: failed, isNew: true });
    await says('Ready', 'False', 'LidFailed');
    const other = await board.until('pot', ({ title }) => title.includes('LidFailed'));
    expect(judged(other, failed)).toEqual({ line: other, isNew: true });
    // What it was a moment ago is nothing new.
    await says('Ready', 'False', 'BoilFailed');
    const again = await board.until('pot', ({ title }) => title.includes('BoilFailed'));
    expect(judged(again, failed).isNew).toBe(false);
    board.close();
  });
});

describe('a Deployment that an autoscaler scales up', () => {
  test('is in trouble once a pod of it fails, or its deadline passes, and no sooner', async () => {
    const path = '/apis/apps/v1/namespaces/shop/deployments';
    const { spec, ...deployment } = deploymentOf('shop', 'grows', 'app:1', 2);
    const made = await transport.json<KubeObject>({
      method: 'POST',
      path,
      body: { ...deployment, spec: { ...spec, progressDeadlineSeconds: 120 } },
    });
    await transport.json({
      method: 'PATCH',
      path: `${path}/grows/scale`,
      contentType: patchTypes.merge,
      body: { spec: { replicas: 8 } },
    });
    // The rollout is long over, and an earlier step took it below what has to be available.
    const below = (lostAgo: number) =>
      setStatus(`${path}/grows`, {
        observedGeneration: 2,
        replicas: 8,
        updatedReplicas: 8,
        readyReplicas: 2,
        availableReplicas: 2,
        conditions: [
          { type: 'Available', status: 'False', lastTransitionTime: ago(lostAgo) },
          { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable', lastUpdateTime: ago(600) },
        ],
      });
    await below(45);
    const board = await boardOn(here);
    const page = board.live.open({ clusterId, kind: 'deployment', namespace: 'shop', name: 'grows' });
    await vi.waitUntil(() => page.view !== undefined, { timeout: 60_000 });
    expect([page.view?.status?.[1], page.view?.attention, board.line('grows')]).toEqual([
      'info',
      [],
      undefined,
    ]);

    const ownedBy = (kind: string, { metadata }: KubeObject) => ({
      apiVersion: 'apps/v1',
      kind,
      name: metadata?.name ?? '',
      uid: metadata?.uid ?? '',
      controller: true,
    });
    const { selector, template } = spec;
    const set = await transport.json<KubeObject>({
      method: 'POST',
      path: '/apis/apps/v1/namespaces/shop/replicasets',
      body: {
        metadata: { name: 'grows-a', ownerReferences: [ownedBy('Deployment', made)] },
        spec: { replicas: 8, selector, template },
      },
    });
    await transport.json({
      method: 'POST',
      path: pods,
      body: {
        metadata: {
          name: 'grows-1',
          ownerReferences: [ownedBy('ReplicaSet', set)],
        },
        spec: { containers: [{ name: 'app', image: 'app:1' }] },
      },
    });
    await crashed('grows-1', 2, 5);
    await board.until('grows', ({ rule, tone }) => rule === 'pod.crash-loop' && tone === 'bad');
    await transport.json({ method: 'DELETE', path: `${pods}/grows-1`, query: { gracePeriodSeconds: 0 } });
    // The deadline of the first step that it lost pods by is over.
    await below(200);
    await board.until('grows', ({ rule }) => rule === 'deployment.unavailable');
    await vi.waitUntil(() => page.view?.status?.[1] === 'bad', { timeout: 60_000 });
    board.close();
  });
});
