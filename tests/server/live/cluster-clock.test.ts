import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { patchTypes } from '../../../src/kube/change.ts';
import { kubeconfig } from '../../../src/playground/kubeconfig.ts';
import { type Playground, startPlayground } from '../../../src/playground/server.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { readAnswer } from '../chat/answers.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { openLive } from './live-client.ts';

let playground: Playground;
let console: TestConsole;
let owner: TestPerson;
let companyId: number;

beforeAll(async () => {
  playground = await startPlayground({ seed: 'none', controllers: false, activity: false });
  console = await startConsole({ config: { allowCidrs: ['127.0.0.1/32'] } });
  companyId = await console.company();
  owner = await console.person({ companyId, isOwner: true });
});
afterAll(async () => {
  await console.close();
  await playground.close();
});

/** A cluster whose clock is ahead by some hours, with a pod that has not been ready for ten minutes by that clock. */
async function clusterAhead(hours: number): Promise<{ clusterId: number; proxy: FaultProxy; name: string }> {
  const ms = hours * 3_600_000;
  const proxy = await startFaultProxy(playground);
  proxy.shiftClock(ms);
  const { id: clusterId } = await owner.client.call('addCluster', {
    body: {
      name: `by ${hours} hours`,
      description: '',
      kubeConfigContent: kubeconfig('shifted', proxy.server, proxy.authority, playground.token),
    },
  });
  const transport = await console.services.clusters.transport(clusterId);
  const path = '/api/v1/namespaces/default/pods';
  const name = `unready-${hours < 0 ? 'behind' : 'ahead'}`;
  await transport.json({
    method: 'POST',
    path,
    body: { metadata: { name }, spec: { containers: [{ name: 'app', image: 'app:1' }] } },
  });
  const at = (ago: number) => `${new Date(Date.now() + ms - ago * 1000).toISOString().slice(0, 19)}Z`;
  await transport.json({
    method: 'PATCH',
    path: `${path}/${name}/status`,
    contentType: patchTypes.merge,
    body: {
      status: {
        phase: 'Running',
        startTime: at(3_600),
        conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: at(600) }],
        containerStatuses: [
          {
            name: 'app',
            image: 'app:1',
            imageID: '',
            ready: false,
            restartCount: 0,
            state: { running: { startedAt: at(3_600) } },
          },
        ],
      },
    },
  });
  return { clusterId, proxy, name };
}

describe.each([3, -3])('of a cluster whose clock is ahead by %i hours', (hours) => {
  let cluster: Awaited<ReturnType<typeof clusterAhead>>;
  beforeAll(async () => {
    cluster = await clusterAhead(hours);
  });
  afterAll(() => cluster.proxy.close());

  test('the dashboard, Why and the chat call a pod unready that has been so for ten minutes by that clock', async () => {
    const { clusterId, name } = cluster;
    const live = await openLive(console.url, { origin: console.url, cookie: owner.client.cookie });
    const board = live.dashboard(clusterId);
    const line = () => board.dashboard?.attention.find(({ on }) => on.name === name);
    await vi.waitUntil(() => line()?.rule === 'pod.unready', { timeout: 60_000 });
    live.socket.terminate();
    const { findings } = await owner.client.call('diagnoseObject', {
      params: { clusterId, kind: 'pod', name },
      query: { namespace: 'default' },
    });
    expect(findings).toEqual([
      expect.objectContaining({ object: { kind: 'pod', namespace: 'default', name } }),
    ]);
    const { id: conversationId } = await owner.client.call('addConversation', {
      params: { clusterId },
      body: { title: 'Clock' },
    });
    const hourBefore = () =>
      new Date(Date.now() + (hours - 1) * 3_600_000).toISOString().slice(0, 13).replace('T', ' ');
    const asked = hourBefore();
    const { id } = await owner.client.call('askChat', {
      params: { clusterId, conversationId },
      body: { question: 'What changed in the last hour?' },
    });
    const { parts } = await readAnswer(owner.client, clusterId, id);
    expect(JSON.stringify(parts)).toMatch(new RegExp(`since (?:${asked}|${hourBefore()})`));
  });
});
