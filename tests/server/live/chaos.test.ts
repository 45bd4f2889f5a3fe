import { afterAll, beforeAll, expect, test } from 'vitest';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { pod } from '../../../commands/kinds/pod.ts';
import type { KubeList } from '../../../src/kube/object.ts';
import { createAddressGuard, loopbackCidrs } from '../../../src/server/clusters/address.ts';
import { ClusterTransport } from '../../../src/server/clusters/http-transport.ts';
import type { LiveTransport } from '../../../src/server/clusters/transport.ts';
import { createProjector } from '../../../src/server/live/source/projector.ts';
import { chance, isFull, rounds, seed } from '../../prove.ts';
import { type ClusterProcess, prepareCluster } from './cluster-process.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import type { LiveClient, LiveList } from './live-client.ts';
import { type LiveConsole, startLive } from './live-console.ts';

/**
 * A real API server, a process of its own, that freezes, dies, compacts and rotates, in an order of chance. Whenever a
 * page says that a list is live, its rows are those of the cluster.
 */
/** Every fault so many times. */
const turns = rounds(1, 12);
/** A page shows the cluster again so long after it is ready, ms; in the gate other tests keep the machine busy. */
const backWithin = rounds(12_000, 5_000);

/** One way from the console to the cluster, and what a page shows of it. */
interface Way {
  readonly name: string;
  readonly clusterId: number;
  readonly list: LiveList;
}

const random = chance();
const seconds = (from: number, to: number) => (from + random() * (to - from)) * 1000;
const transports: LiveTransport[] = [];
let cluster: ClusterProcess;
let proxy: FaultProxy;
let host: LiveConsole;
let direct: LiveTransport;
let client: LiveClient;
/** The straight way, and one through a proxy that breaks what passes. */
let straight: Way;
let shaky: Way;
let lives = 0;

function transportTo(server: string, authority: string, credential: string): LiveTransport {
  const transport = new ClusterTransport(
    {
      server,
      ca: authority,
      tlsServerName: undefined,
      disableCompression: false,
      namespace: undefined,
      credential: { token: cluster.token },
      impersonate: undefined,
    },
    { clusterId: 1, name: 'prod', credential, guard: createAddressGuard(loopbackCidrs) },
  );
  transports.push(transport);
  return transport;
}

/** Starts the cluster with pods that only this life has; its versions begin again, as after a restored backup. */
async function start(identity: 'same' | 'new'): Promise<void> {
  lives += 1;
  const pods = 20 + Math.floor(random() * 600);
  await cluster.start({ seed: `bulk:${pods}`, chance: seed + lives, history: 200 }, identity);
  direct = transportTo(cluster.server, cluster.authority, `direct ${lives}`);
}

/** Changes pods at random so many times, and deletes one. */
async function write(count: number): Promise<void> {
  const { items = [] } = await direct.json<KubeList>({ path: '/api/v1/pods', query: { limit: 500 } });
  const pathOf = (index: number) => {
    const { namespace = '', name = '' } = items[index]?.metadata ?? {};
    return `/api/v1/namespaces/${namespace}/pods/${name}`;
  };
  for (let index = 0; index < count; index += 1) {
    await direct.json({
      method: 'PATCH',
      path: `${pathOf(1 + Math.floor(random() * (items.length - 1)))}/status`,
      contentType: 'application/merge-patch+json',
      body: { status: { reason: `Write${Math.floor(random() * 1e6)}` } },
    });
  }
  await direct.json({ method: 'DELETE', path: pathOf(0), query: { gracePeriodSeconds: 0 } });
}

const textOf = (rows: ReadonlyMap<string, unknown>) =>
  JSON.stringify([...rows].sort(([a], [b]) => (a < b ? -1 : 1)));

/** What a fresh list, asked for past the console, would show. */
async function truth(): Promise<string> {
  const { items = [] } = await direct.json<KubeList>({ path: '/api/v1/pods' });
  const project = createProjector(pod, pino({ level: 'silent' }));
  const entries = items.map((item) => project(item, undefined));
  return textOf(new Map(entries.flatMap((entry) => (entry === undefined ? [] : [[entry.uid, entry.cells]]))));
}

/** The rows of a list at the moment at which it is first called live after so many statuses, and how long it took. */
async function whenLive({ name, list }: Way, mark: number, from: number) {
  let rows = '';
  await client.until(`${name} is live again`, () => {
    if (list.statuses.length <= mark || list.state?.status !== 'live') return false;
    rows = textOf(list.rows);
    return true;
  });
  return { name, rows, after: Date.now() - from };
}

/** Waits until a page shows of these lists that something is wrong: a fault that is over before need not be shown. */
async function showsFault(ways: readonly Way[], fault: () => unknown): Promise<void> {
  const marks = ways.map(({ list }) => list.statuses.length);
  fault();
  await client.until(`${ways.map(({ name }) => name).join(' and ')} shows the fault`, () =>
    ways.every(({ list }, index) => list.statuses.slice(marks[index]).some((status) => status !== 'live')),
  );
}

/** Does something to the cluster after which these lists say that they are live again, and are. */
async function expectBack(ways: readonly Way[], fault: () => Promise<number>): Promise<void> {
  const marks = ways.map(({ list }) => list.statuses.length);
  const from = await fault();
  const shown = await Promise.all(ways.map((way, index) => whenLive(way, marks[index] ?? 0, from)));
  const held = await truth();
  for (const { name, rows, after } of shown) {
    expect(rows === held, `${name}: what is shown as live equals the cluster`).toBe(true);
    expect(after, `${name}: ms from the cluster's readiness to a live list`).toBeLessThan(backWithin);
  }
}

/** Puts a new proxy before the cluster of this life. */
async function proxyAgain(): Promise<LiveTransport> {
  const old = proxy;
  proxy = await startFaultProxy({ server: cluster.server, authority: cluster.authority });
  await old.close();
  return transportTo(proxy.server, proxy.authority, `shaky way ${lives}`);
}

const faults: Readonly<Record<string, () => Promise<void>>> = {
  freezes: () =>
    expectBack([straight, shaky], async () => {
      await showsFault([straight, shaky], () => cluster.freeze());
      await wait(seconds(0, rounds(1, 15)));
      cluster.thaw();
      return Date.now();
    }),
  dies: () =>
    expectBack([straight, shaky], async () => {
      await cluster.kill();
      // Sometimes so long that everything which waits longer each time does.
      await wait(isFull && random() < 0.2 ? 70_000 : seconds(0, 3));
      await start('same');
      return Date.now();
    }),
  rotates: () =>
    expectBack([straight, shaky], async () => {
      await cluster.kill();
      await start('new');
      await wait(seconds(0, 2));
      const way = await proxyAgain();
      await host.replace(straight.clusterId, transportTo(cluster.server, cluster.authority, `way ${lives}`));
      await host.replace(shaky.clusterId, way);
      return Date.now();
    }),
  // More changes than its history holds: the version of the watch is gone when the way is open again.
  compacts: () =>
    expectBack([shaky], async () => {
      proxy.always('drop');
      await showsFault([shaky], () => proxy.drop());
      await write(220);
      proxy.heal();
      proxy.next('page', { status: 410, reason: 'Expired' });
      return Date.now();
    }),
  stalls: () =>
    expectBack([shaky], async () => {
      proxy.always('hang');
      await showsFault([shaky], () => proxy.drop());
      await write(20);
      await wait(seconds(3, rounds(5, 20)));
      proxy.heal();
      return Date.now();
    }),
  'breaks off': () =>
    expectBack([shaky], async () => {
      proxy.always('drop');
      await showsFault([shaky], () => proxy.halfLine());
      await write(5);
      proxy.heal();
      return Date.now();
    }),
};

/** The faults in an order of chance. */
function shuffled(): string[] {
  const names = Array.from({ length: turns }, () => Object.keys(faults)).flat();
  for (let at = names.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [names[at], names[other]] = [names[other] ?? '', names[at] ?? ''];
  }
  return names;
}

beforeAll(async () => {
  cluster = await prepareCluster();
  await start('same');
  proxy = await startFaultProxy({ server: cluster.server, authority: cluster.authority });
  host = await startLive();
  client = await host.open(await host.person({ isOwner: true }));
  const way = async (name: string, transport: LiveTransport): Promise<Way> => {
    const clusterId = await host.cluster(transport, { name: `prod, ${name}` });
    return { name, clusterId, list: client.subscribe({ clusterId, kind: 'pod' }) };
  };
  straight = await way('straight', transportTo(cluster.server, cluster.authority, 'way'));
  shaky = await way('shaky', transportTo(proxy.server, proxy.authority, 'shaky way'));
});
afterAll(async () => {
  await host.close();
  for (const transport of transports) await transport.close();
  await proxy.close();
  await cluster.kill();
});

test(
  'rows shown as live equal the cluster soon after it recovers from any fault',
  async () => {
    for (const name of shuffled()) {
      const isLive = ({ list }: Way) => list.state?.status === 'live';
      await client.until(`both ways are live before the cluster ${name}`, () =>
        [straight, shaky].every(isLive),
      );
      await faults[name]?.();
    }
  },
  turns * 120_000,
);
