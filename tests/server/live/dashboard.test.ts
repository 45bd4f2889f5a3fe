import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import type { Member } from '../../../src/server/access/person.ts';
import { dashboardInterval } from '../../../src/server/live/dashboard/board.ts';
import { feedGrace } from '../../../src/server/live/feed/audience.ts';
import { samplesKept } from '../../../src/server/live/joins/metrics.ts';
import { metricsInterval } from '../../../src/server/live/joins/metrics.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import type { LiveClient } from './live-client.ts';
import { type LiveConsole, startLive } from './live-console.ts';
import {
  collections,
  createScriptedTransport,
  listOf,
  podOf,
  refusal,
  type ScriptedTransport,
} from './script-transport.ts';

const pods = '/api/v1/pods';
const nodes = '/api/v1/nodes';
const metrics = '/apis/metrics.k8s.io/v1beta1/nodes';
let clock: FakeClock;
let live: LiveConsole;
let owner: Member;

beforeEach(async () => {
  clock = createFakeClock();
  live = await startLive(clock);
  owner = await live.person({ isOwner: true });
});
afterEach(() => live.close());

const event = (type: string, object: object) => ({ type, object });
const nodeOf = (name: string, version = '1') =>
  ({
    metadata: { name, uid: `uid-${name}`, resourceVersion: version },
    status: {
      allocatable: { cpu: '4', memory: '8Gi', pods: '10' },
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  }) as KubeObject;
const onNode = (name: string, version: string, node: string | undefined) => ({
  ...podOf(name, version),
  spec: node === undefined ? {} : { nodeName: node },
});
const failing = (name: string, version: string) => ({
  ...podOf(name, version),
  status: {
    phase: 'Pending',
    containerStatuses: [{ name: 'app', state: { waiting: { reason: 'ImagePullBackOff' } } }],
  },
});
/** Runs but is not ready: trouble a minute after it became so. */
const unready = (name: string, version: string, since: number) => ({
  ...podOf(name, version),
  status: {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: new Date(since).toISOString() }],
    containerStatuses: [
      { name: 'app', ready: false, state: { running: { startedAt: new Date(since).toISOString() } } },
    ],
  },
});

async function cluster(
  lists: Record<string, KubeObject[]>,
): Promise<{ transport: ScriptedTransport; id: number }> {
  const transport = createScriptedTransport();
  const answer = collections({ [pods]: [], [nodes]: [], ...lists });
  transport.onList = (request) => {
    if (request.path.startsWith('/apis/metrics')) throw refusal(404);
    return answer(request);
  };
  return { transport, id: await live.cluster(transport) };
}

/** Lets the clock go on in small steps until something is so. */
async function runUntil(client: LiveClient, what: string, isTrue: () => boolean, step = 50): Promise<void> {
  for (let rounds = 0; rounds < 400 && !isTrue(); rounds += 1) {
    await clock.advance(step);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await client.until(what, isTrue);
}

describe('a dashboard', () => {
  test('comes once everything on it was read, and again when something on it changed', async () => {
    const { transport, id } = await cluster({ [pods]: [podOf('a', '1')] });
    const client = await live.open(owner);
    const page = client.dashboard(id);
    await runUntil(
      client,
      'it is there',
      () => page.dashboard !== undefined && page.state?.status === 'live',
    );
    expect(page.dashboard?.attention).toEqual([]);
    expect(page.dashboard?.workloads['pod']).toMatchObject({ total: 1 });
    const before = page.times.length;
    transport.watchOf(pods).say(event('ADDED', failing('b', '2')));
    await runUntil(client, 'a line', () => page.dashboard?.attention.length === 1);
    expect(page.dashboard?.attention[0]).toMatchObject({ rule: 'pod.image', on: { name: 'b' } });
    expect(page.times.length).toBe(before + 1);
    transport.watchOf(pods).say(event('MODIFIED', podOf('b', '3')));
    await runUntil(client, 'its end', () => page.dashboard?.attention[0]?.endedAt !== undefined);
    await runUntil(client, 'no line', () => page.dashboard?.attention.length === 0, 1_000);
    // A version in which nothing shown is new is nothing to send.
    const count = page.times.length;
    transport.watchOf(pods).say(event('MODIFIED', podOf('b', '4')));
    await clock.advance(10 * dashboardInterval);
    expect(page.times.length).toBe(count);
  });

  test('is sent at most four times a second', async () => {
    const { transport, id } = await cluster({});
    const client = await live.open(owner);
    const page = client.dashboard(id);
    await runUntil(
      client,
      'it is there',
      () => page.dashboard !== undefined && page.state?.status === 'live',
    );
    const before = page.times.length;
    for (let step = 0; step < 40; step += 1) {
      transport.watchOf(pods).say(event('ADDED', podOf(`p${step}`, `${step + 2}`)));
      await clock.advance(50);
    }
    await runUntil(client, 'all counted', () => page.dashboard?.workloads['pod']?.total === 40);
    expect(page.times.length - before).toBeLessThanOrEqual(10);
  });

  test('shows each person what they may see, from one watch of each kind', async () => {
    const { transport, id } = await cluster({ [pods]: [failing('a', '1')], [nodes]: [nodeOf('n1')] });
    const viewer = await live.person();
    await live.grant(viewer, id, teamRoles.Viewer);
    const narrow = await live.person();
    await live.grant(narrow, id, teamRoles.Viewer);
    await live.narrow(narrow, ['clusters.view']);
    const clients = [await live.open(owner), await live.open(viewer), await live.open(narrow)] as const;
    const pages = clients.map((client) => client.dashboard(id));
    for (const [index, client] of clients.entries()) {
      await runUntil(client, 'it is there', () => pages[index]?.dashboard !== undefined);
    }
    const [all, viewed, narrowed] = pages.map((page) => page.dashboard);
    expect(all?.attention[0]?.action).toEqual({
      id: 'object.delete',
      refs: [{ kind: 'pod', namespace: 'shop', name: 'a' }],
    });
    expect(viewed?.attention).toMatchObject([{ rule: 'pod.image', action: null }]);
    expect(narrowed?.attention).toEqual([]);
    expect(narrowed?.workloads).toEqual({});
    expect([narrowed?.events, narrowed?.capacity?.cpu.requested, viewed?.capacity?.cpu.requested]).toEqual([
      null,
      null,
      0,
    ]);
    expect(transport.watches.filter(({ request }) => request.path === pods)).toHaveLength(1);
    expect(JSON.stringify(narrowed)).not.toContain('shop');
  });

  test('follows grants: what is taken away goes at once, and its end ends the page', async () => {
    const { transport, id } = await cluster({ [pods]: [failing('a', '1')] });
    const person = await live.person();
    const endGrant = await live.grant(person, id, teamRoles.Viewer);
    const client = await live.open(person);
    const page = client.dashboard(id);
    await runUntil(client, 'a line', () => page.dashboard?.attention.length === 1);
    await live.narrow(person, ['clusters.view']);
    await runUntil(client, 'no line', () => page.dashboard?.attention.length === 0);
    await endGrant();
    await runUntil(client, 'ended', () => page.ended !== undefined);
    const count = page.times.length;
    transport.watchOf(nodes).say(event('ADDED', nodeOf('late', '9')));
    await clock.advance(5_000);
    expect([page.ended?.status, page.times.length]).toEqual([404, count]);
  });

  test('gives trouble its time by the clock: no sooner, and without any change of the cluster', async () => {
    const since = clock.now();
    const { id } = await cluster({ [pods]: [unready('a', '1', since)] });
    const client = await live.open(owner);
    const page = client.dashboard(id);
    await runUntil(client, 'it is there', () => page.dashboard !== undefined);
    await runUntil(client, 'nearly a minute', () => clock.now() >= since + 59_000, 500);
    expect(page.dashboard?.attention).toEqual([]);
    await runUntil(client, 'a minute', () => page.dashboard?.attention.length === 1);
    expect(page.dashboard?.attention[0]?.rule).toBe('pod.unready');
    expect(clock.now() - since).toBeLessThan(61_500);
  });

  test.each([
    ['that the console may not read, and says so', 403, 'Not shown because they cannot be read: “Nodes”.'],
    ['that the cluster does not serve, and does not miss it', 404, undefined],
  ])('goes without a kind %s', async (_, status, message) => {
    const { transport, id } = await cluster({ [pods]: [podOf('a', '1')] });
    const answer = transport.onList;
    transport.onList = (request) => {
      if (request.path === nodes) throw refusal(status);
      return answer(request);
    };
    const client = await live.open(owner);
    const page = client.dashboard(id);
    await runUntil(
      client,
      'it is there',
      () => page.dashboard !== undefined && page.state?.status === 'live',
    );
    expect([page.dashboard?.nodes, page.dashboard?.capacity]).toEqual([null, null]);
    expect(page.state?.message).toBe(message);
  });

  test('of a cluster that never answered shows nothing that could be taken for health', async () => {
    const { transport, id } = await cluster({});
    transport.onList = () => {
      throw refusal(500);
    };
    const client = await live.open(owner);
    const page = client.dashboard(id);
    await runUntil(client, 'a state', () => page.state !== undefined);
    await clock.advance(5_000);
    expect(page.dashboard).toBeUndefined();
  });

  test('has usage where the cluster has metrics, read every 15 s while somebody looks', async () => {
    const { transport, id } = await cluster({ [nodes]: [nodeOf('n1')] });
    const answer = transport.onList;
    let cpu = 500;
    transport.onList = (request) =>
      request.path === metrics
        ? listOf('1', [{ metadata: { name: 'n1' }, usage: { cpu: `${cpu}m`, memory: '1Gi' } } as KubeObject])
        : answer(request);
    const client = await live.open(owner);
    const page = client.dashboard(id);
    await runUntil(client, 'usage', () => page.dashboard?.capacity?.cpu.used === 0.5);
    expect(page.dashboard?.usage?.status).toBe('live');
    cpu = 900;
    await runUntil(client, 'more', () => page.dashboard?.nodes?.[0]?.cpu.used === 0.9, 1_000);
    client.send({ type: 'unsubscribe', id: page.id });
    await expect.poll(() => live.hub.stats().subscriptions).toBe(0);
    await clock.advance(feedGrace);
    const asked = transport.requests.length;
    await clock.advance(4 * metricsInterval);
    // The totals of a cluster that was opened are still sampled once a minute, and nothing else.
    expect(transport.requests.slice(asked).map(({ path }) => path)).toEqual([metrics]);
  });

  test('leaves nothing running a minute after its last page', async () => {
    const { id } = await cluster({ [pods]: [podOf('a', '1')], [nodes]: [nodeOf('n1')] });
    const idle = clock.pending;
    const clients = [await live.open(owner), await live.open(owner)];
    const pages = clients.map((client) => client.dashboard(id));
    for (const [index, client] of clients.entries()) {
      await runUntil(client, 'it is there', () => pages[index]?.dashboard !== undefined);
    }
    expect(live.hub.stats().reflectors).toBeGreaterThan(5);
    for (const client of clients) await client.close();
    await expect.poll(() => live.hub.stats().sockets).toBe(0);
    await clock.advance(feedGrace + 1_000);
    expect(live.hub.stats()).toMatchObject({
      sockets: 0,
      subscriptions: 0,
      reflectors: 0,
      objects: 0,
      heldBytes: 0,
    });
    // What it has sampled of usage is kept a while longer, and forgotten by itself.
    await clock.advance(samplesKept);
    // Only the totals are still sampled, once a minute.
    expect(clock.pending).toBe(idle + 1);
  });
});

describe('joined columns', () => {
  const columnOf = (client: LiveClient, kind: string, id: string) =>
    client.hello?.columns[kind]?.indexOf(id) ?? -1;

  test('pods of a node are counted, and only the rows whose count changed are sent again', async () => {
    const { transport, id } = await cluster({
      [nodes]: [nodeOf('n1'), nodeOf('n2')],
      [pods]: [onNode('a', '1', 'n1'), onNode('b', '2', 'n1'), onNode('c', '3', undefined)],
    });
    const client = await live.open(owner);
    const list = client.subscribe({ clusterId: id, kind: 'node' });
    const at = columnOf(client, 'node', 'pods');
    const count = (name: string) => list.rows.get(`uid-${name}`)?.[at];
    await runUntil(client, 'counted', () => count('n1') === 2 && count('n2') === 0);
    const before = list.upserts;
    transport.watchOf(pods).say(event('MODIFIED', onNode('c', '4', 'n2')));
    await runUntil(client, 'one more', () => count('n2') === 1);
    expect(list.upserts).toBe(before + 1);
    transport.watchOf(pods).say(event('DELETED', onNode('a', '5', 'n1')));
    await runUntil(client, 'one less', () => count('n1') === 1);
    transport
      .watchOf(pods)
      .say(event('MODIFIED', { ...onNode('b', '6', 'n1'), status: { phase: 'Succeeded' } }));
    await runUntil(client, 'none', () => count('n1') === 0);
  });

  test('are empty for somebody who may not see what is counted, and follow their grants', async () => {
    const { id } = await cluster({ [nodes]: [nodeOf('n1')], [pods]: [onNode('a', '1', 'n1')] });
    const person = await live.person();
    await live.grant(person, id, teamRoles.Viewer);
    await live.narrow(person, ['clusters.view']);
    const [narrow, whole] = [await live.open(person), await live.open(owner)];
    const at = columnOf(whole, 'node', 'pods');
    const [poor, rich] = [narrow, whole].map((client) => client.subscribe({ clusterId: id, kind: 'node' }));
    await runUntil(whole, 'counted', () => rich?.rows.get('uid-n1')?.[at] === 1);
    await runUntil(narrow, 'live', () => poor?.state?.status === 'live');
    expect(poor?.rows.get('uid-n1')?.[at]).toBeNull();
    await live.narrow(person, ['clusters.view', 'pods.view']);
    await runUntil(narrow, 'counted too', () => poor?.rows.get('uid-n1')?.[at] === 1);
    await live.narrow(person, ['clusters.view']);
    await runUntil(narrow, 'empty again', () => poor?.rows.get('uid-n1')?.[at] === null);
  });

  test('of the wide table cost nothing unless they are asked for', async () => {
    const { transport, id } = await cluster({ [pods]: [podOf('a', '1')] });
    const answer = transport.onList;
    let memory = '100Mi';
    transport.onList = (request) =>
      request.path === '/apis/metrics.k8s.io/v1beta1/pods'
        ? listOf('1', [
            {
              metadata: { name: 'a', namespace: 'shop' },
              containers: [{ usage: { cpu: '12m', memory } }],
            } as KubeObject,
          ])
        : answer(request);
    const client = await live.open(owner);
    const narrow = client.subscribe({ clusterId: id, kind: 'pod' });
    await runUntil(client, 'live', () => narrow.state?.status === 'live');
    const asked = () => transport.requests.filter(({ path }) => path.startsWith('/apis/metrics')).length;
    expect(asked()).toBe(0);
    const wide = client.subscribe({ clusterId: id, kind: 'pod', wide: true });
    const [cpu, used] = [columnOf(client, 'pod', 'cpu-usage'), columnOf(client, 'pod', 'memory-usage')];
    await runUntil(client, 'usage', () => wide.rows.get('uid-a')?.[cpu] === 0.012);
    expect(narrow.rows.get('uid-a')?.[cpu]).toBeNull();
    // Half a percent more is the same in a table.
    const before = wide.upserts;
    memory = '100.4Mi';
    await clock.advance(metricsInterval + 1_000);
    memory = '200Mi';
    await runUntil(client, 'more', () => Number(wide.rows.get('uid-a')?.[used]) === 200 * 2 ** 20, 1_000);
    expect(wide.upserts).toBe(before + 1);
  });

  test('name what scales a workload, as long as it does', async () => {
    const deployments = '/apis/apps/v1/deployments';
    const { transport, id } = await cluster({
      [deployments]: [{ metadata: { name: 'web', namespace: 'shop', uid: 'uid-web', resourceVersion: '1' } }],
    });
    const client = await live.open(owner);
    const list = client.subscribe({ clusterId: id, kind: 'deployment', wide: true });
    const at = columnOf(client, 'deployment', 'scaled-by');
    await runUntil(client, 'live', () => list.state?.status === 'live');
    expect(list.rows.get('uid-web')?.[at]).toBeNull();
    const autoscalers = '/apis/autoscaling/v2/horizontalpodautoscalers';
    const scaler = {
      metadata: { name: 'web-hpa', namespace: 'shop', uid: 'h', resourceVersion: '2' },
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 3 },
    };
    await runUntil(client, 'watched', () =>
      transport.watches.some(({ request }) => request.path === autoscalers),
    );
    transport.watchOf(autoscalers).say(event('ADDED', scaler));
    await runUntil(client, 'named', () => Array.isArray(list.rows.get('uid-web')?.[at]));
    expect(list.rows.get('uid-web')?.[at]).toEqual(['HorizontalPodAutoscaler', 'web-hpa']);
    transport.watchOf(autoscalers).say(event('DELETED', scaler));
    await runUntil(client, 'no more', () => list.rows.get('uid-web')?.[at] === null);
  });
});
