import { sql } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { kinds } from '../../../commands/kinds/index.ts';
import { orgRoles, teamRoles } from '../../../src/contract/permissions.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { Fleet } from '../../../src/server/fleet/fleet.ts';
import { TallyStore } from '../../../src/server/fleet/tally-store.ts';
import { systemClock } from '../../../src/server/kit/clock.ts';
import { type Lab, startLab } from '../actions/playground.ts';
import type { TestPerson } from '../harness.ts';
import { openLive } from '../live/live-client.ts';
import { createScriptedTransport, listOf, type ScriptedTransport } from '../live/script-transport.ts';

let lab: Lab;
const patience = { timeout: 60_000, interval: 100 };

async function putPod(namespace: string, name: string, phase: string): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/pods`;
  await lab.put(path, { metadata: { name }, spec: { containers: [{ name: 'web', image: 'web:1' }] } });
  await lab.merge(`${path}/${name}/status`, { status: { phase } });
}

beforeAll(async () => {
  lab = await startLab();
  await lab.put('/api/v1/namespaces', { metadata: { name: 'quay' } });
  await putPod('shop', 'lost', 'Failed');
  await putPod('shop', 'well', 'Running');
  await putPod('quay', 'sunk', 'Failed');
  await putPod('quay', 'adrift', 'Failed');
});
afterAll(() => lab.close());

async function figuresOf({ client }: TestPerson, clusterId = lab.clusterId) {
  return await vi.waitFor(async () => {
    const { clusters } = await client.call('fleet', {});
    const figures = clusters.find((one) => one.clusterId === clusterId);
    if (figures?.readAt == null) throw new Error('It is not counted yet.');
    return figures;
  }, patience);
}

const countedAt = async (clusterId: number): Promise<unknown> =>
  (
    await lab.console.store.db.execute(
      sql`select counted_at from cluster_tallies where cluster_id = ${clusterId}`,
    )
  ).rows[0]?.['counted_at'];

describe('how all clusters do', () => {
  test('is counted without a watch, and at most once a minute', async () => {
    const { tallies } = await figuresOf(lab.owner);
    expect(tallies['pod']).toEqual({ total: 3, bad: 3 });
    expect(tallies['deployment']).toEqual({ total: 0, bad: 0 });
    expect(lab.console.services.hub.stats().reflectors).toBe(0);
    const before = await countedAt(lab.clusterId);
    await figuresOf(lab.owner);
    expect(await countedAt(lab.clusterId)).toEqual(before);
  });

  test('is summed over the namespaces that a grant reaches, never over the whole cluster', async () => {
    await figuresOf(lab.owner);
    const ofShop = await lab.member(teamRoles.Viewer, ['shop']);
    const { tallies } = await figuresOf(ofShop);
    expect(tallies['pod']).toEqual({ total: 1, bad: 1 });
    expect(tallies).not.toHaveProperty('node');
    const ofNone = await lab.member(teamRoles.Viewer, ['elsewhere']);
    expect((await figuresOf(ofNone)).tallies['pod']).toEqual({ total: 0, bad: 0 });
    const stranger = await lab.console.person({ companyId: await lab.console.company(), isOwner: true });
    expect((await stranger.client.call('fleet', {})).clusters).toEqual([]);
  });

  test('leaves out the namespaces that somebody leaves out of their views', async () => {
    const reached = await lab.console.services.grants.reach({
      id: lab.owner.id,
      companyId: await companyOf(),
      orgRole: orgRoles.Owner,
      token: null,
    });
    const [reach] = reached.filter(({ cluster }) => cluster.id === lab.clusterId);
    if (reach === undefined) throw new Error('The Owner reaches nothing.');
    const [figures] = await lab.console.services.fleet.of([{ ...reach, excluded: new Set(['quay']) }]);
    expect(figures?.tallies['pod']).toEqual({ total: 1, bad: 1 });
  });

  test('is what people have open anyway, once somebody has', async () => {
    const { url, services } = lab.console;
    services.fleet.start();
    const live = await openLive(url, { origin: url, cookie: lab.owner.client.cookie });
    const board = live.tallies(lab.clusterId);
    await live.until('all are counted', () => board.tallies?.['pod']?.total === 4);
    await vi.waitFor(async () => {
      // All pods, not only those that a count asks for.
      expect((await figuresOf(lab.owner)).tallies['pod']).toEqual({ total: 4, bad: 3 });
    }, patience);
    live.socket.terminate();
  });
});

async function companyOf(): Promise<number> {
  const { rows } = await lab.console.store.db.execute<{ id: number }>(
    sql`select company_id as id from clusters where id = ${lab.clusterId}`,
  );
  return rows[0]?.id ?? 0;
}

test('the figures of a cluster are written at most once in five seconds, by all servers together', async () => {
  const clusterId = await lab.console.cluster(await lab.console.company());
  const { store } = lab.console;
  const [one, other] = [new TallyStore(store), new TallyStore(store)];
  await one.write(clusterId, { pod: { shop: [1, 0] } });
  await other.write(clusterId, { pod: { shop: [2, 0] } });
  expect((await other.read([clusterId])).get(clusterId)?.tallies).toEqual({ pod: { shop: [1, 0] } });
  const claims = await Promise.all([one.claim([clusterId]), other.claim([clusterId])]);
  expect(claims.flat()).toEqual([]);
});

test('a count that took long replaces no figures that came meanwhile', async () => {
  const clusterId = await lab.console.cluster(await lab.console.company());
  const stored = new TallyStore(lab.console.store);
  const tallies = async () => (await stored.read([clusterId])).get(clusterId)?.tallies;
  expect(await stored.claim([clusterId])).toEqual([clusterId]);
  await stored.write(clusterId, { pod: { shop: [2, 0] } });
  await stored.writeCount(clusterId, { pod: { shop: [1, 0] } });
  expect(await tallies()).toEqual({ pod: { shop: [2, 0] } });
  await lab.console.store.db.execute(
    sql`update cluster_tallies set read_at = read_at - interval '2 minutes', counted_at = counted_at - interval '2 minutes'
      where cluster_id = ${clusterId}`,
  );
  expect(await stored.claim([clusterId])).toEqual([clusterId]);
  await stored.writeCount(clusterId, { pod: { shop: [1, 0] } });
  expect(await tallies()).toEqual({ pod: { shop: [1, 0] } });
});

test('of several servers one counts a cluster', async () => {
  const clusterId = await lab.console.cluster(await lab.console.company());
  const { store } = lab.console;
  const claims = await Promise.all(Array.from({ length: 5 }, () => new TallyStore(store).claim([clusterId])));
  expect(claims.flat()).toEqual([clusterId]);
});

test('a hundred clusters are counted without a watch, and one that fails is seen though it was added last', async () => {
  const { console } = lab;
  const companyId = await console.company();
  const owner = await console.person({ companyId, isOwner: true });
  const transports = new Map<number, ScriptedTransport>();
  for (let at = 0; at < 100; at += 1) {
    const id = await console.cluster(companyId);
    const transport = createScriptedTransport();
    const node = (name: string, status: string) =>
      ({
        metadata: { name, uid: name },
        status: { conditions: [{ type: 'Ready', status }] },
      }) as KubeObject;
    transport.onList = ({ path }) =>
      listOf('1', path === '/api/v1/nodes' ? [node('n1', at === 99 ? 'Unknown' : 'True')] : []);
    transports.set(id, transport);
  }
  const fleet = new Fleet({
    store: console.store,
    hub: console.services.hub,
    clusters: {
      transport: async (id) => transports.get(id) ?? createScriptedTransport(),
      namespaces: async () => [],
      state: () => ({ status: 'reachable' }),
    },
    kinds,
    budget: { limit: Number.POSITIVE_INFINITY, held: 0 },
    clock: systemClock,
    log: pino({ level: 'silent' }),
  });
  const reached = await console.services.grants.reach({
    id: owner.id,
    companyId,
    orgRole: orgRoles.Owner,
    token: null,
  });
  expect(reached).toHaveLength(100);
  await vi.waitFor(async () => {
    const figures = await fleet.of(reached);
    expect(figures.every(({ readAt }) => readAt !== null)).toBe(true);
    const failing = figures.filter(({ tallies }) => (tallies['node']?.bad ?? 0) > 0);
    expect(failing.map(({ clusterId }) => clusterId)).toEqual([Math.max(...transports.keys())]);
  }, patience);
  const calls = [...transports.values()].flatMap((transport) => transport.calls);
  expect(calls.filter((call) => call === 'watch')).toEqual([]);
  // Each kind twice at most: how many there are, and what they are.
  expect(calls.length).toBeLessThanOrEqual(100 * 10);
  await fleet.close();
});
