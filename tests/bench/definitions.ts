import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { kubeconfig } from '../../src/playground/kubeconfig.ts';
import { createKinds, manyKinds } from '../many-kinds.ts';
import { TestClient } from '../server/http-client.ts';
import { startFaultProxy } from '../server/live/fault-proxy.ts';
import { type LiveClient, openLive } from '../server/live/live-client.ts';
import { openApi } from './api.ts';
import { startCluster, startServer } from './processes.ts';
import type { Figure } from './report.ts';

/** A cluster with many definitions. */
export interface DefinitionsLoad {
  readonly definitions: number;
  /** Kinds that have objects, each one broken one. */
  readonly withObjects: number;
}

const megabyte = 1024 * 1024;
const owner = { email: 'bench@example.org', password: 'a password for the bench' };

/** Time after which a list counts as missing, ms: longer than any budget of a slow machine, so that slow is not called refused. */
const longest = 180_000;

/** Waits until something holds, looking twice a second. Answers whether it came to hold, and after how long, ms. */
async function until(holds: () => boolean | Promise<boolean>, patience: number) {
  const began = performance.now();
  for (;;) {
    if (await holds()) return { held: true, took: performance.now() - began };
    if (performance.now() - began > patience) return { held: false, took: performance.now() - began };
    await wait(250);
  }
}

/** The dashboard of a cluster with many definitions, what it costs, and what is left for people beside it. */
export async function measureDefinitions(load: DefinitionsLoad): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-bench-'));
  const ends: (() => Promise<unknown> | void)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    return await measureIn(folder, load, ends);
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

async function measureIn(
  folder: string,
  { definitions, withObjects }: DefinitionsLoad,
  ends: (() => Promise<unknown> | void)[],
): Promise<Figure[]> {
  const cluster = await startCluster(folder, 20);
  ends.push(() => cluster.end());
  const api = openApi(cluster);
  ends.push(() => api.close());
  const kinds = manyKinds(definitions, withObjects);
  await createKinds(kinds, api.call);
  const proxy = await startFaultProxy(cluster);
  ends.push(() => proxy.close());
  const file = join(folder, 'kubeconfig.yaml');
  await writeFile(file, kubeconfig('bench', proxy.server, proxy.authority, cluster.token), { mode: 0o600 });
  await mkdir(join(folder, 'data'), { mode: 0o700 });
  const server = await startServer({
    PORT: '0',
    WHEELHOUSE_DATA: join(folder, 'data'),
    WHEELHOUSE_PLAYGROUND: 'off',
    WHEELHOUSE_KUBECONFIG: file,
    WHEELHOUSE_SETUP_EMAIL: owner.email,
    WHEELHOUSE_SETUP_PASSWORD: owner.password,
  });
  ends.push(() => server.end());
  const client = new TestClient(server.url);
  await client.send('POST', '/api/auth/login', owner);
  const clusterId = (await client.call('clusters', {}))[0]?.id;
  if (clusterId === undefined) throw new Error('The server offers no cluster.');
  const open = async (): Promise<LiveClient> => {
    const page = await openLive(server.url, { cookie: client.cookie, origin: server.url });
    ends.push(() => page.socket.terminate());
    return page;
  };
  await server.figures();
  const resident = await server.resident();

  const [cpuBefore, bytesBefore] = [await server.cpu(), proxy.bytes];
  const page = await open();
  const board = page.dashboard(clusterId);
  const shown = () => board.dashboard?.attentionTotal ?? 0;
  const complete = await until(() => shown() >= withObjects, longest);
  // What goes on once the dashboard is complete, such as counting kinds without objects, is part of what opening it costs.
  await wait(5_000);
  const opening = (await server.cpu()) - cpuBefore;
  const bytes = proxy.bytes - bytesBefore;
  const [heldBytes, watches] = [await server.resident(), proxy.openWatches];

  const standingFrom = [await server.cpu(), performance.now()] as const;
  await wait(15_000);
  const standing = ((await server.cpu()) - standingFrom[0]) / 1_000 / (performance.now() - standingFrom[1]);

  const other = await open();
  const lists = kinds
    .slice(0, 60)
    .map(({ plural, group }) => other.subscribe({ clusterId, kind: `crd:${plural}.${group}` }));
  const opened = await until(() => lists.every(({ state }) => state?.status === 'live'), longest);
  const refused = lists.filter(({ state }) => state?.status !== 'live').length;
  const most = proxy.openWatches;

  await Promise.all([page.close(), other.close()]);
  const released = await until(() => proxy.openWatches === 0, 90_000);
  const left = await until(
    async () => (await server.resident()) <= resident + 40 * megabyte,
    60_000 - released.took,
  );
  const name = (what: string) => `${definitions} definitions: ${what}`;
  return [
    { name: name('broken objects shown'), value: shown(), unit: '', atLeast: withObjects },
    { name: name('dashboard complete after'), value: complete.took, unit: 'ms', atMost: 12_000, by: 'parse' },
    { name: name('watches with the dashboard open'), value: watches, unit: '', atMost: withObjects + 45 },
    { name: name('CPU of opening'), value: opening / 1e6, unit: 's', atMost: 4, by: 'parse' },
    { name: name('CPU of standing by'), value: standing * 100, unit: '% of a core', atMost: 3, by: 'parse' },
    { name: name('read from the cluster'), value: bytes / megabyte, unit: 'MB', atMost: 6 },
    { name: name('memory above idle'), value: (heldBytes - resident) / megabyte, unit: 'MB', atMost: 90 },
    { name: name('lists of people refused, of 60'), value: refused, unit: '', atMost: 0 },
    {
      name: name('60 lists of people live after'),
      value: opened.took,
      unit: 'ms',
      atMost: 8_000,
      by: 'parse',
    },
    { name: name('watches with these lists'), value: most, unit: '', atMost: 350 },
    { name: name('watches gone after the last page'), value: released.took / 1000, unit: 's', atMost: 60 },
    {
      name: name('memory back after the last page'),
      value: (released.took + left.took) / 1000,
      unit: 's',
      atMost: 60,
    },
    {
      name: name('memory left above idle'),
      value: ((await server.resident()) - resident) / megabyte,
      unit: 'MB',
      atMost: 40,
    },
  ];
}
