import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { setTimeout as wait } from 'node:timers/promises';
import { type Playground, startPlayground } from '../../../src/playground/server.ts';
import { createAddressGuard, loopbackCidrs } from '../../../src/server/clusters/address.ts';
import { ClusterTransport } from '../../../src/server/clusters/http-transport.ts';
import type { LiveTransport } from '../../../src/server/clusters/transport.ts';
import { reflectorLimits } from '../../../src/server/live/source/limits.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import type { LiveClient, LiveList } from './live-client.ts';
import { type LiveConsole, startLive } from './live-console.ts';

/** Requests that get no answer while the cluster answers others, in real time. */

/** The second try begins after 2.5 s; the rest is for a busy machine. */
const soon = 5_000;
const kettleKind = 'crd:kettles.example.org';
const kettles = '/apis/example.org/v1/namespaces/shop/kettles';

let playground: Playground;
let host: LiveConsole;
let direct: LiveTransport;
let proxy: FaultProxy;
let through: LiveTransport;
let client: LiveClient;
let clusterId: number;

function transportTo(server: string, authority: string, name: string): LiveTransport {
  const target = {
    server,
    ca: authority,
    tlsServerName: undefined,
    disableCompression: false,
    namespace: undefined,
    credential: { token: playground.token },
    impersonate: undefined,
  };
  const guard = createAddressGuard(loopbackCidrs);
  return new ClusterTransport(target, { clusterId: 1, name, credential: name, guard });
}

const put = (path: string, body: object) => direct.json({ method: 'POST', path, body });

const putPod = (name: string) =>
  put('/api/v1/namespaces/shop/pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'main', image: 'nginx' }] },
  });

const putKettle = (name: string) =>
  put(kettles, { apiVersion: 'example.org/v1', kind: 'Kettle', metadata: { name } });

beforeAll(async () => {
  playground = await startPlayground({ seed: 'none' });
  direct = transportTo(playground.server, playground.authority, 'direct');
  await put('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  await put('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'kettles.example.org' },
    spec: {
      group: 'example.org',
      scope: 'Namespaced',
      names: { kind: 'Kettle', plural: 'kettles' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  });
  await vi.waitFor(() => putKettle('first'), 10_000);
  await putPod('first');
  host = await startLive();
});
afterAll(async () => {
  await host.close();
  await direct.close();
  await playground.close();
});
beforeEach(async () => {
  proxy = await startFaultProxy(playground);
  through = transportTo(proxy.server, proxy.authority, `prod ${proxy.server.slice(-5)}`);
  clusterId = await host.cluster(through);
  client = await host.open(await host.person({ isOwner: true }));
});
afterEach(async () => {
  client.socket.terminate();
  await through.close();
  await proxy.close();
});

const open = (kind: string): LiveList => client.subscribe({ clusterId, kind });
const namesIn = ({ rows }: LiveList) => [...rows.values()].map((cells) => cells[1]);

/** Waits for the lists to be live; returns how long that took, ms. */
async function untilLive(...lists: readonly LiveList[]): Promise<number> {
  const from = Date.now();
  await client.until('live', () => lists.every(({ state }) => state?.status === 'live'));
  return Date.now() - from;
}

describe('a request without an answer', () => {
  test('is tried again while it waits: for a list, its watch, and the definition of its kind', async () => {
    proxy.next('list', 'hang');
    proxy.next('watch', 'hang');
    // What a custom kind is made from.
    proxy.next('other', 'hang');
    expect(await untilLive(open('pod'), open(kettleKind))).toBeLessThan(1.5 * soon);
  });

  test('holds its list back no longer than the answers are missing', async () => {
    const services = open('service');
    await untilLive(services);
    proxy.swallow(/\/(pods|kettles)$/);
    const lists = [open('pod'), open(kettleKind)];
    await wait(9_000);
    expect(lists.map(({ state }) => state?.status)).toEqual(['loading', 'loading']);
    proxy.swallow(undefined);
    expect(await untilLive(...lists)).toBeLessThan(soon);
    expect(services.statuses).toEqual(['loading', 'live']);
  });
});

test('custom lists are true as soon as others after an outage', async () => {
  const lists = [open('pod'), open(kettleKind)];
  await untilLive(...lists);
  proxy.always('hang');
  proxy.drop();
  await client.until('the outage is noticed', () => lists.every(({ state }) => state?.status !== 'live'));
  await putPod('meanwhile');
  await putKettle('meanwhile');
  await wait(4_000);
  proxy.heal();
  expect(await untilLive(...lists)).toBeLessThan(soon);
  for (const list of lists) expect(namesIn(list)).toContain('meanwhile');
});

test('a list behind a proxy that holds the headers of watches back is read and shown', async () => {
  proxy.holdHeaders();
  const list = open(kettleKind);
  await client.until('shown', () => list.state?.status === 'polled');
  expect(namesIn(list)).toContain('first');
  expect(list.state?.message).toMatch(/ does not answer watches of kettles, perhaps because a proxy/);
  await putKettle('held');
  await untilLive(list);
  await client.until('followed', () => namesIn(list).includes('held'));
});

test('a watch that a proxy ends again and again changes no state', async () => {
  const list = open('pod');
  await untilLive(list);
  for (let round = 1; round <= 4; round += 1) {
    await wait(reflectorLimits.steady + 500);
    if (round % 2 === 0) proxy.end();
    else proxy.drop();
    await expect.poll(() => proxy.counts.watch, { timeout: soon }).toBe(round + 1);
  }
  await putPod('last');
  await client.until('followed', () => namesIn(list).includes('last'));
  expect(proxy.counts.list).toBe(1);
  expect(list.statuses).toEqual(['loading', 'live']);
});
