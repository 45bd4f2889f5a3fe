import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { patchTypes } from '../../../src/kube/change.ts';
import { type Playground, startPlayground } from '../../../src/playground/server.ts';
import type { Transport } from '../../../src/server/clusters/transport.ts';
import { clusterReaders } from '../../../src/server/store/schema/servers.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { type FaultProxy, startFaultProxy } from '../live/fault-proxy.ts';
import { type LiveClient, openLive } from '../live/live-client.ts';
import type { FreshDatabase } from '../../test-postgres.ts';
import { freshDatabase } from '../postgres.ts';
import { createStoreGate, type StoreGate } from '../store-gate.ts';
import { type FreezableWay, freezableWay } from './freezable.ts';

const patience = { timeout: 30_000, interval: 50 };

let playground: Playground;
let database: FreshDatabase;
let gate: StoreGate;
/** Counts what both servers ask the cluster for. */
let proxy: FaultProxy;
/** The server that reads the cluster, as it opens it first. */
let reader: TestConsole;
let other: TestConsole;
let way: FreezableWay;
let target = '';
let owner: TestPerson;
let companyId: number;
let clusterId: number;
let transport: Transport;
const pages: LiveClient[] = [];

const startServer = () =>
  startConsole({
    config: { allowCidrs: ['127.0.0.1/32'], peerAddress: '127.0.0.1:0', databaseUrl: gate.url },
  });

async function pageOn(server: TestConsole, person = owner): Promise<LiveClient> {
  const client = await server.session(person.id, companyId);
  const page = await openLive(server.url, { origin: server.url, cookie: client.cookie });
  pages.push(page);
  return page;
}

async function rowOf() {
  const [row] = await reader.store.db
    .select()
    .from(clusterReaders)
    .where(eq(clusterReaders.clusterId, clusterId));
  return row;
}

const pods = '/api/v1/namespaces/shop/pods';
const makePod = (name: string) =>
  transport.json({
    method: 'POST',
    path: pods,
    body: { metadata: { name }, spec: { containers: [{ name: 'app', image: 'app:1' }] } },
  });
const label = (name: string, labels: Record<string, string>) =>
  transport.json({
    method: 'PATCH',
    path: `${pods}/${name}`,
    contentType: patchTypes.merge,
    body: { metadata: { labels } },
  });
const namesIn = (list: { rows: ReadonlyMap<string, readonly unknown[]> }) =>
  JSON.stringify([...list.rows.values()]);

beforeAll(async () => {
  playground = await startPlayground({ seed: 'bulk:30', controllers: false, activity: false });
  proxy = await startFaultProxy(playground);
  database = await freshDatabase();
  gate = await createStoreGate(database.url);
  reader = await startServer();
  other = await startServer();
  companyId = await reader.company();
  owner = await reader.person({ companyId, isOwner: true });
  const kubeConfigContent = playground.kubeconfig
    .replaceAll(playground.server, proxy.server)
    .replace(
      /certificate-authority-data: .*/,
      `certificate-authority-data: ${Buffer.from(proxy.authority).toString('base64')}`,
    );
  const added = await owner.client.call('addCluster', {
    body: { name: 'shared', description: '', kubeConfigContent },
  });
  clusterId = added.id;
  transport = await reader.services.clusters.transport(clusterId);
  await transport.json({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'shop' } } });
  await makePod('first');
  const page = await pageOn(reader);
  const list = page.subscribe({ clusterId, kind: 'pod' });
  await page.until('the reader shows pods', () => list.state?.status === 'live');
  const row = await vi.waitFor(async () => {
    const found = await rowOf();
    if (found?.server == null) throw new Error('Nobody reads it yet.');
    return found;
  }, patience);
  // Everything between the servers goes through a way that the tests cut.
  target = row.address;
  way = await freezableWay(() => target);
  await reader.store.db.update(clusterReaders).set({ address: way.address });
});
afterAll(async () => {
  for (const page of pages) page.socket.terminate();
  way.close();
  await other.close();
  await reader.close();
  await gate.shut();
  await database.drop();
  await proxy.close();
  await playground.close();
});

describe('a page on another server than the one that reads the cluster', () => {
  test('adds no list and no watch, and has each change', async () => {
    const before = { ...proxy.counts };
    const page = await pageOn(other);
    const list = page.subscribe({ clusterId, kind: 'pod' });
    await page.until('the other server shows pods', () => list.state?.status === 'live');
    expect(namesIn(list)).toContain('first');
    expect(list.rows.size).toBeGreaterThan(30);
    await makePod('second');
    await page.until('a new row', () => namesIn(list).includes('second'));
    await transport.json({ method: 'DELETE', path: `${pods}/second` });
    await page.until('a row is gone', () => !namesIn(list).includes('second'));
    expect(proxy.counts.watch).toBe(before.watch);
    expect(proxy.counts.list).toBe(before.list);
    expect(other.services.readers?.stats()).toMatchObject({ clusters: 0, through: 1, beside: 0 });
  });

  test('has the rows of a list that it opens first, which the reader opens for it', async () => {
    const before = proxy.counts.watch;
    const page = await pageOn(other);
    const list = page.subscribe({ clusterId, kind: 'configmap' });
    await page.until('configmaps', () => list.state?.status === 'live');
    expect(proxy.counts.watch).toBe(before + 1);
  });

  test('has every version of an object that is open, also of changes that no list shows', async () => {
    const page = await pageOn(other);
    const object = page.open({ clusterId, kind: 'pod', namespace: 'shop', name: 'first' });
    await page.until('the object', () => object.view !== undefined && object.state?.status === 'live');
    await transport.json({
      method: 'PATCH',
      path: `${pods}/first`,
      contentType: patchTypes.merge,
      body: { metadata: { annotations: { note: 'unseen in lists' } } },
    });
    await page.until('the annotation', () => JSON.stringify(object.view).includes('unseen in lists'));
  });

  test('gets no value of a Secret over the link', async () => {
    const value = 'c3VycHJpc2luZ2x5LXNlY3JldA==';
    await transport.json({
      method: 'POST',
      path: '/api/v1/namespaces/shop/secrets',
      body: { metadata: { name: 'hidden' }, type: 'Opaque', data: { password: value } },
    });
    const page = await pageOn(other);
    const list = page.subscribe({ clusterId, kind: 'secret' });
    await page.until('secrets', () => list.state?.status === 'live' && namesIn(list).includes('hidden'));
    const feeds = [...other.services.hub.feeds()].filter(({ kind }) => kind.id === 'secret');
    const held = feeds.flatMap((feed) => [...list.rows.keys()].map((uid) => feed.find(uid)));
    expect(held.length).toBeGreaterThan(0);
    expect(JSON.stringify(held)).not.toContain(value);
    expect(JSON.stringify(held)).not.toContain('surprisingly-secret');
  });

  test('shows nothing beyond the rights of its person, and ends with them', async () => {
    const person = await reader.person({ companyId });
    const teamId = await reader.grant(companyId, person.id, clusterId, teamRoles.Viewer, ['shop']);
    const page = await pageOn(other, person);
    const list = page.subscribe({ clusterId, kind: 'pod' });
    await page.until('its pods', () => list.state?.status === 'live');
    expect(list.rows.size).toBe(1);
    await owner.client.call('removeTeamCluster', { params: { teamId, clusterId } });
    await page.until('the end', () => list.ended !== undefined);
  });

  test('takes nothing of a reader with an earlier number', async () => {
    const page = await pageOn(other);
    const list = page.subscribe({ clusterId, kind: 'pod' });
    await page.until('pods', () => list.state?.status === 'live');
    const credentials = () =>
      [...other.services.hub.feeds()].flatMap(({ kind, credential }) =>
        kind.id === 'pod' ? (credential ?? '') : [],
      );
    const row = await rowOf();
    if (row === undefined) throw new Error('Nobody reads the cluster.');
    await reader.store.db.update(clusterReaders).set({ fence: row.fence + 1 });
    await vi.waitFor(() => expect(credentials()[0]).toMatch(new RegExp(`\\.${row.fence + 1}$`)), patience);
    expect(list.rows.size).toBeGreaterThan(30);
  });
});

describe.each([
  ['is silent', () => way.freeze()],
  ['is cut off', () => way.cut()],
] as const)('when the reader %s', (_how, fail) => {
  test('pages elsewhere keep their rows, are true within five seconds, and are read through it again', async () => {
    const page = await pageOn(other);
    const list = page.subscribe({ clusterId, kind: 'pod' });
    await page.until('pods', () => list.state?.status === 'live');
    const through = () => other.services.readers?.stats().through ?? 0;
    await vi.waitFor(() => expect(through()).toBeGreaterThan(0), patience);
    const size = list.rows.size;
    const snapshots = list.snapshots;
    let fewest = size;
    const watching = setInterval(() => {
      fewest = Math.min(fewest, list.rows.size);
    }, 20);
    fail();
    const mark = `m${Math.random().toString(36).slice(2)}`;
    const failedAt = Date.now();
    await makePod(mark);
    await page.until('the change', () => namesIn(list).includes(mark) && list.state?.status === 'live');
    expect(Date.now() - failedAt).toBeLessThan(5_000);
    await label(mark, { tier: 'late' });
    way.heal();
    await vi.waitFor(() => expect(other.services.readers?.stats()).toMatchObject({ beside: 0 }), patience);
    await transport.json({ method: 'DELETE', path: `${pods}/${mark}` });
    await page.until('the end of the pod', () => !namesIn(list).includes(mark));
    clearInterval(watching);
    expect(fewest).toBeGreaterThanOrEqual(size);
    expect(list.snapshots).toBe(snapshots);
    expect(list.statuses).not.toContain('unreachable');
  });
});

/** The one that reads the cluster, as both servers know it, and the other one. */
async function agreed(): Promise<readonly [TestConsole, TestConsole]> {
  return await vi.waitFor(() => {
    const [mine, theirs] = [reader, other].map(({ services }) => services.readers?.stats().clusters ?? 0);
    if (mine === theirs) throw new Error('The servers do not agree who reads.');
    return mine === 1 ? ([reader, other] as const) : ([other, reader] as const);
  }, patience);
}

test('without the database the reader goes on, and no other begins', async () => {
  const [reading] = await agreed();
  const page = await pageOn(reading === reader ? other : reader);
  const list = page.subscribe({ clusterId, kind: 'pod' });
  await page.until('pods', () => list.state?.status === 'live');
  await gate.shut();
  await vi.waitFor(() => {
    const lost = [reader, other].map(({ log }) =>
      log.some(({ msg }) => msg === 'No connection for duties could be opened; it is tried again soon'),
    );
    expect(lost).toEqual([true, true]);
  }, patience);
  const before = proxy.counts.watch;
  await makePod('meanwhile');
  await page.until('a row', () => namesIn(list).includes('meanwhile'));
  expect((await agreed())[0]).toBe(reading);
  expect(proxy.counts.watch).toBe(before);
  await gate.open();
  await vi.waitFor(async () => await rowOf(), patience);
});

test('when the reader ends, another server becomes it', async () => {
  const [ending, next] = await agreed();
  const page = await pageOn(next);
  const list = page.subscribe({ clusterId, kind: 'pod' });
  await page.until('pods', () => list.state?.status === 'live');
  const fence = (await rowOf())?.fence ?? 0;
  await ending.services.readers?.close();
  await vi.waitFor(async () => {
    const row = await rowOf();
    expect(row?.server).not.toBeNull();
    expect(row?.fence).toBeGreaterThan(fence);
  }, patience);
  await vi.waitFor(() => expect(next.services.readers?.stats()).toMatchObject({ clusters: 1 }), patience);
  await makePod('after');
  await page.until('a row of its own', () => namesIn(list).includes('after'));
  expect(list.statuses).not.toContain('unreachable');
});
