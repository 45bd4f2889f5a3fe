import { afterEach, beforeEach, expect, test } from 'vitest';
import { pod } from '../../../commands/kinds/pod.ts';
import { patchTypes } from '../../../src/kube/change.ts';
import { ManualClock } from '../../../src/playground/kit/clock.ts';
import { createNode } from '../../../src/playground/seeds/nodes.ts';
import { type Playground, startPlayground } from '../../../src/playground/server.ts';
import { createAddressGuard, loopbackCidrs } from '../../../src/server/clusters/address.ts';
import { ClusterTransport } from '../../../src/server/clusters/http-transport.ts';
import type { LiveTransport } from '../../../src/server/clusters/transport.ts';
import { deploymentOf } from '../playground-console.ts';
import type { LiveClient } from './live-client.ts';
import { type LiveConsole, startLive } from './live-console.ts';

let clock: ManualClock;
let playground: Playground;
let transport: LiveTransport;
let live: LiveConsole;
let client: LiveClient;
const post = (path: string, body: object) => transport.json({ method: 'POST', path, body });

// A test that is tried again finds a cluster whose nodes answer.
beforeEach(async () => {
  clock = new ManualClock(Date.now());
  playground = await startPlayground({
    seed: 'none',
    controllers: true,
    activity: false,
    clock,
    chance: 7,
  });
  for (const [index, name] of ['east-1', 'east-2'].entries())
    createNode(playground.world, { name, zone: 'east-1a', cpu: 4, memory: 8 }, index);
  transport = new ClusterTransport(
    {
      server: playground.server,
      ca: playground.authority,
      tlsServerName: undefined,
      disableCompression: false,
      namespace: undefined,
      credential: { token: playground.token },
      impersonate: undefined,
    },
    { clusterId: 1, name: 'prod', credential: 'prod', guard: createAddressGuard(loopbackCidrs) },
  );
  live = await startLive();
  client = await live.open(await live.person({ isOwner: true }));
  clock.advance(1_000);
  await post('/api/v1/namespaces', { metadata: { name: 'shop' } });
  clock.advance(1_000);
  const deployments = '/apis/apps/v1/namespaces/shop/deployments';
  await post(deployments, deploymentOf('shop', 'web', 'nginx:1.27', 4));
  clock.advance(60_000);
});
afterEach(async () => {
  client.socket.terminate();
  await live.close();
  await transport.close();
  await playground.close();
});

test('the pods of a dead node are not ready, and its line stands for those of their Deployments', async () => {
  const clusterId = await live.cluster(transport);
  const list = client.subscribe({ clusterId, kind: 'pod', namespace: 'shop' });
  const board = client.dashboard(clusterId);
  const detail = client.open({ clusterId, kind: 'deployment', namespace: 'shop', name: 'web' });
  const at = (id: string) => pod.columns.findIndex((column) => column.id === id);
  const pods = () =>
    [...list.rows.values()]
      .map((cells) =>
        [cells[at('node')], cells[at('ready')], ...(cells[at('status')] as string[]).slice(0, 2)].join(' '),
      )
      .sort();
  await client.until(
    'its pods run',
    () => pods().length === 4 && pods().every((one) => one.endsWith('1/1 Running ok')),
  );
  await client.until('the dashboard is there', () => board.dashboard !== undefined);
  expect(board.dashboard?.attention).toEqual([]);

  await transport.json({
    method: 'PATCH',
    path: '/api/v1/nodes/east-1',
    contentType: patchTypes.merge,
    body: { metadata: { annotations: { 'playground/behaviour': 'silent' } } },
  });
  clock.advance(75_000);
  // READY is what kubectl prints: the containers were ready when the kubelet last said something.
  const lost = 'east-1 1/1 Node not ready warn';
  await client.until('its pods are not ready', () => pods().filter((one) => one === lost).length === 2);
  await client.until(
    'its line is there and both pods are counted',
    () =>
      board.dashboard?.attention[0]?.affected?.count === 1 && board.dashboard.workloads['pod']?.warn === 2,
  );
  expect(pods()).toEqual([lost, lost, 'east-2 1/1 Running ok', 'east-2 1/1 Running ok']);
  const web = { kind: 'deployment', namespace: 'shop', name: 'web' };
  expect(board.dashboard?.attention).toMatchObject([
    {
      rule: 'node.not-ready',
      on: { kind: 'node', name: 'east-1' },
      affected: { relation: 'waiting', kinds: [{ kind: 'deployment', count: 1 }], objects: [web], count: 1 },
    },
  ]);
  expect(board.dashboard?.workloads['pod']).toMatchObject({ ok: 2, warn: 2, total: 4 });
  const why = () => detail.view?.attention[0];
  await client.until('its page says why', () => why()?.rule === 'pod.node-unready' && why()?.count === 2);
  expect(why()?.detail).toBe('Node east-1 is not ready.');
});
