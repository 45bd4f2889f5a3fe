import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { pino } from 'pino';
import { pod } from '../../../commands/kinds/pod.ts';
import type { KubeList } from '../../../src/kube/object.ts';
import { type Playground, startPlayground } from '../../../src/playground/server.ts';
import { createAddressGuard, loopbackCidrs } from '../../../src/server/clusters/address.ts';
import { ClusterTransport } from '../../../src/server/clusters/http-transport.ts';
import type { LiveTransport } from '../../../src/server/clusters/transport.ts';
import { systemClock } from '../../../src/server/kit/clock.ts';
import { createProjector } from '../../../src/server/live/source/projector.ts';
import { createFastClock } from './fast-clock.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import type { LiveClient, LiveList } from './live-client.ts';
import { type LiveConsole, startLive } from './live-console.ts';

/** Ten times real time, so that nobody waits for the 15 s until a list is stale. */
const clock = createFastClock(10);
/** The 90 s of silence take six. */
const fastest = createFastClock(15);
let playground: Playground;
let live: LiveConsole;
let direct: LiveTransport;
let proxy: FaultProxy;
let through: LiveTransport;
let client: LiveClient;
let list: LiveList;

function transportTo(server: string, authority: string, name: string): LiveTransport {
  return new ClusterTransport(
    {
      server,
      ca: authority,
      tlsServerName: undefined,
      disableCompression: false,
      namespace: undefined,
      credential: { token: playground.token },
      impersonate: undefined,
    },
    {
      clusterId: 1,
      name,
      credential: name,
      guard: createAddressGuard(loopbackCidrs),
      clock,
    },
  );
}

const pods = '/api/v1/namespaces/shop/pods';

async function create(name: string): Promise<void> {
  await direct.json({
    method: 'POST',
    path: pods,
    body: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'shop' },
      spec: { containers: [{ name: 'main', image: 'nginx' }] },
    },
  });
}

async function setPhase(name: string, phase: string): Promise<void> {
  await direct.json({
    method: 'PATCH',
    path: `${pods}/${name}/status`,
    contentType: 'application/merge-patch+json',
    body: { status: { phase, reason: phase } },
  });
}

async function remove(name: string): Promise<void> {
  await direct.json({ method: 'DELETE', path: `${pods}/${name}`, query: { gracePeriodSeconds: 0 } });
}

/** What a fresh list, asked for past proxy and hub, would show. */
async function freshRows(): Promise<Map<string, unknown>> {
  const fresh = await direct.json<KubeList>({ path: '/api/v1/pods' });
  const project = createProjector(pod, pino({ level: 'silent' }));
  const entries = (fresh.items ?? []).map((item) => project(item, undefined));
  return new Map(entries.flatMap((entry) => (entry === undefined ? [] : [[entry.uid, entry.cells]])));
}

const sorted = (rows: ReadonlyMap<string, unknown>) =>
  [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([uid, cells]) => ({ uid, cells }));

/** The page shows exactly what a fresh list shows, and says that it is live. */
async function expectTruth(): Promise<void> {
  await client.until('live', () => list.state?.status === 'live');
  await expect.poll(async () => sorted(list.rows), { timeout: 10_000 }).toEqual(sorted(await freshRows()));
}

beforeAll(async () => {
  playground = await startPlayground({ seed: 'none', history: 2_000 });
  direct = transportTo(playground.server, playground.authority, 'direct');
  await direct.json({
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
  });
  for (const name of ['web-0', 'web-1', 'web-2']) await create(name);
  live = await startLive(clock);
});
afterAll(async () => {
  await live.close();
  await direct.close();
  await playground.close();
});
beforeEach(async () => {
  proxy = await startFaultProxy(playground);
  through = transportTo(proxy.server, proxy.authority, 'prod');
});
afterEach(async () => {
  client.socket.terminate();
  await through.close();
  await proxy.close();
});

/** A page that watches through the proxy. */
async function watch(live: LiveConsole): Promise<void> {
  const id = await live.cluster(through, { name: `prod-${proxy.server.slice(-5)}` });
  client = await live.open(await live.person({ isOwner: true }));
  list = client.subscribe({ clusterId: id, kind: 'pod' });
}

async function watchTruly(console = live): Promise<void> {
  await watch(console);
  await expectTruth();
}

describe('a watch', () => {
  test('whose connection drops goes on from where it was', async () => {
    await watchTruly();
    proxy.drop();
    await setPhase('web-0', 'Failed');
    await expect.poll(() => proxy.counts.watch).toBe(2);
    await expectTruth();
    expect(proxy.counts.list).toBe(1);
  });

  test('whose connection drops twice shows reconnecting, then the truth', async () => {
    await watchTruly();
    proxy.next('watch', 'drop');
    proxy.drop();
    await setPhase('web-0', 'Failed');
    await client.until('live again', () => list.statuses.length > 3 && list.statuses.at(-1) === 'live');
    await expectTruth();
    // A busy machine may notice the second drop as one of its own, before or after it is live again.
    const changes = list.statuses.filter((status, at) => status !== list.statuses[at - 1]);
    expect(changes.slice(0, 4)).toEqual(['loading', 'live', 'reconnecting', 'live']);
    expect(list.sentences[0]).toMatch(/^prod ended the connection/);
  });

  test('that is cut in the middle of a line loses and invents nothing', async () => {
    await watchTruly();
    proxy.halfLine();
    await setPhase('web-0', 'Running');
    await expect.poll(() => proxy.counts.watch).toBe(2);
    await expectTruth();
    expect(proxy.counts.list).toBe(1);
  });

  test('that falls silent is cut after 90 s and resumed; the rows were as old as its last word', async () => {
    const impatient = await startLive(fastest);
    onTestFinished(() => impatient.close());
    await watchTruly(impatient);
    const heard = fastest.now();
    proxy.stall();
    await setPhase('web-0', 'Failed');
    await client.until('cut', () =>
      list.sentences.some((sentence) => sentence.endsWith('stopped responding; reconnecting.')),
    );
    expect(fastest.now() - heard).toBeGreaterThan(89_000);
    await expectTruth();
  });

  test('that expires inside the stream (410) is listed again, unseen', async () => {
    await watchTruly();
    const changes = list.changes;
    proxy.error(410, 'Expired');
    await expect.poll(() => proxy.counts.list).toBe(2);
    await expect.poll(() => proxy.openWatches).toBe(1);
    await setPhase('web-0', 'Running');
    await expectTruth();
    expect(list.changes - changes).toBe(1);
    expect(list.snapshots).toBe(1);
  });

  test('that is refused with 410 is listed again', async () => {
    await watchTruly();
    proxy.next('watch', { status: 410, reason: 'Gone' });
    proxy.drop();
    await expect.poll(() => proxy.counts.list).toBe(2);
    await expectTruth();
  });

  test('whose time is up goes on from where it was', async () => {
    await watchTruly();
    for (let round = 1; round <= 3; round += 1) {
      const opened = clock.now();
      await expect.poll(() => clock.now() - opened).toBeGreaterThan(6_000);
      proxy.end();
      await expect.poll(() => proxy.counts.watch).toBe(round + 1);
      await expect.poll(() => proxy.openWatches).toBe(1);
    }
    await setPhase('web-1', 'Failed');
    await expect.poll(() => JSON.stringify([...list.rows.values()])).toContain('Failed');
    await expectTruth();
    expect(proxy.counts.list).toBe(1);
  });

  test('that meets 500s goes on from where it was', async () => {
    await watchTruly();
    proxy.next('watch', { status: 500 }, { status: 503 });
    proxy.drop();
    await remove('web-1');
    await create('web-1');
    await client.until('live again', () => list.statuses.at(-1) === 'live' && list.statuses.length > 2);
    await expectTruth();
    expect(list.sentences.join('\n')).toMatch(/the proxy says 500/);
    expect(list.state?.message).toBeUndefined();
    expect(proxy.counts.list).toBe(1);
  });

  test('that may not come back says reconnecting, then stale, then live', async () => {
    await watchTruly();
    proxy.always('drop');
    proxy.drop();
    await client.until('stale', () => list.state?.status === 'stale');
    expect(list.rows.size).toBe(3);
    expect(list.state?.message).toMatch(/^prod /);
    await setPhase('web-2', 'Failed');
    proxy.always(undefined);
    await client.until('live again', () => list.state?.status === 'live');
    await expectTruth();
    expect([...new Set(list.statuses)]).toEqual(['loading', 'live', 'reconnecting', 'stale']);
    // Read anew in the end, and asked for few times meanwhile: one cheap question finds out when the cluster is back.
    expect(proxy.counts.list).toBeGreaterThanOrEqual(2);
    expect(proxy.counts.list).toBeLessThanOrEqual(4);
  });

  test('over a slow line is late, not wrong', async () => {
    // In real time: on the fast clock a busy machine is soon late by the 15 s after which a list is rightly called stale.
    const patient = await startLive(systemClock);
    onTestFinished(() => patient.close());
    proxy.slow(50);
    await watchTruly(patient);
    await setPhase('web-2', 'Running');
    await expect.poll(() => sorted(list.rows)).toEqual(sorted(await freshRows()));
    expect(list.statuses).toEqual(['loading', 'live']);
  });
});

describe('a list', () => {
  test('that is throttled (429) waits as long as it is asked to, and says so', async () => {
    proxy.next('list', { status: 429, retryAfter: 20 });
    const asked = clock.now();
    await watch(live);
    await client.until('said', () => list.sentences.length > 0);
    expect(list.state).toMatchObject({ status: 'loading', attempt: 1 });
    expect(list.sentences[0]).toMatch(/is throttling this console \(429\)/);
    await expectTruth();
    expect(clock.now() - asked).toBeGreaterThan(19_000);
    expect(proxy.counts.list).toBe(2);
  });

  test('whose page token expires is begun anew and is whole', async () => {
    for (let index = 0; index < 520; index += 1) await create(`bulk-${index}`);
    proxy.next('page', { status: 410, reason: 'Expired' });
    await watchTruly();
    expect(list.rows.size).toBe(523);
    expect(proxy.counts).toMatchObject({ list: 2, page: 2, watch: 1 });
    for (let index = 0; index < 520; index += 1) await remove(`bulk-${index}`);
    await expectTruth();
    expect(list.rows.size).toBe(3);
  });

  test('that is refused (401, 403) is forbidden until it is not', async () => {
    proxy.next('list', { status: 401, reason: 'Unauthorized' }, { status: 403, reason: 'Forbidden' });
    await watch(live);
    for (let sentences = 1; sentences <= 2; sentences += 1) {
      await client.until('said', () => list.sentences.length >= sentences);
      expect(list.state?.status).toBe('forbidden');
      const asked = clock.now();
      await expect.poll(() => clock.now() - asked).toBeGreaterThan(1_000);
      client.send({ type: 'retry', id: list.id });
    }
    await expectTruth();
    expect(list.sentences[0]).toMatch(/rejected this console's credential \(401\)/);
    expect(list.sentences[1]).toMatch(/may not list pods in all namespaces/);
  });

  test('without an answer is unreachable, then live when the cluster is back', async () => {
    proxy.always('drop');
    await watch(live);
    await client.until('said', () => list.state?.status === 'unreachable');
    proxy.always(undefined);
    client.send({ type: 'retry', id: list.id });
    await expectTruth();
  });
});

describe('a cluster on a bad day', () => {
  test('a hundred writes a second and random faults: page and fresh list are the same in the end', async () => {
    await watchTruly();
    const faults = [
      () => proxy.drop(),
      () => proxy.halfLine(),
      () => proxy.error(410, 'Expired'),
      () => proxy.error(500, 'InternalError'),
      () => proxy.end(),
      () => proxy.next('watch', { status: 500 }),
      () => proxy.next('watch', { status: 410, reason: 'Expired' }),
      () => proxy.next('watch', 'drop'),
      () => proxy.next('list', { status: 429, retryAfter: 1 }),
    ];
    const pick = <T>(items: readonly T[]): T => {
      const item = items[Math.floor(Math.random() * items.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    };
    const exists = new Set<string>();
    let writes = 0;
    let hits = 0;
    let nextFault = Date.now();
    while (writes < 300 || hits < 15) {
      const name = `chaos-${Math.floor(Math.random() * 200)}`;
      const began = Date.now();
      if (!exists.has(name)) {
        await create(name);
        exists.add(name);
      } else if (Math.random() < 0.3) {
        await remove(name);
        exists.delete(name);
      } else await setPhase(name, pick(['Running', 'Failed', 'Pending', 'Succeeded']));
      writes += 1;
      if (Date.now() >= nextFault) {
        nextFault = Date.now() + 50 + Math.random() * 200;
        pick(faults)();
        hits += 1;
      }
      await expect.poll(() => Date.now() - began, { interval: 2 }).toBeGreaterThanOrEqual(8);
    }
    proxy.heal();
    await expectTruth();
    expect(list.rows.size).toBe(exists.size + 3);
    expect(list.snapshots).toBe(1);
  });
});
