import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { kubeconfig } from '../../src/playground/kubeconfig.ts';
import { startFaultProxy } from '../server/live/fault-proxy.ts';
import { TestClient } from '../server/http-client.ts';
import { prepareChanges } from './changes.ts';
import { openApi } from './api.ts';
import { type BenchServer, measureHeld, startCluster, startServer, timeStart } from './processes.ts';
import { type Figure, quantile } from './report.ts';
import { openSubscriber, type Subscriber } from './subscriber.ts';

export interface LiveOptions {
  readonly pods: number;
  readonly subscribers: number;
  /** Changes per second. */
  readonly rate: number;
  readonly seconds: number;
  /** Folder for CPU profiles of the server; measuring with it costs more CPU. */
  readonly profile?: string;
}

const megabyte = 1024 * 1024;
/** So long the changes go on before they are measured, seconds. */
const warmUp = 12;
/** Pages opened with one session: the server takes no more sockets of it at once. */
const pagesOfSession = 50;
const owner = { email: 'bench@example.org', password: 'a password for the bench' };

/** Signs in and finds the one cluster. */
async function signIn(url: string): Promise<{ cookie: string; clusterId: number }> {
  const client = new TestClient(url);
  const answer = await client.send('POST', '/api/auth/login', owner);
  if (answer.status > 299) throw new Error(`Signing in was answered ${answer.status}: ${answer.text}`);
  const [cluster] = await client.call('clusters', {});
  if (cluster === undefined) throw new Error('The server offers no cluster.');
  return {
    cookie: client.cookie,
    clusterId: cluster.id,
  };
}

/** The share of a core that the server takes while something runs, and half a second after. */
async function measureCpu<T>(
  server: BenchServer,
  act: () => Promise<T>,
  profile: string | undefined,
): Promise<{ readonly cpu: number; readonly run: T }> {
  const end = profile === undefined ? undefined : await server.profile(profile);
  const [before, from] = [await server.cpu(), performance.now()];
  const run = await act();
  await wait(500);
  const cpu = ((await server.cpu()) - before) / 1000 / (performance.now() - from);
  await end?.();
  return { cpu, run };
}

/** The server serves many pods to many pages over one upstream watch; then the pods change. */
export async function measureLive(options: LiveOptions): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-bench-'));
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    return await measureIn(folder, options, ends);
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

async function measureIn(
  folder: string,
  { pods, subscribers, rate, seconds, profile }: LiveOptions,
  ends: (() => Promise<unknown>)[],
): Promise<Figure[]> {
  const profileOf = (name: string) =>
    profile === undefined ? undefined : join(profile, `${name}.cpuprofile`);
  const cluster = await startCluster(folder, pods);
  ends.push(() => cluster.end());
  const api = openApi(cluster);
  ends.push(async () => api.close());
  const holding = await measureHeld(cluster);
  const proxy = await startFaultProxy(cluster);
  ends.push(() => proxy.close());
  const file = join(folder, 'kubeconfig.yaml');
  await writeFile(file, kubeconfig('bench', proxy.server, proxy.authority, cluster.token), { mode: 0o600 });
  await mkdir(join(folder, 'data'), { mode: 0o700 });
  const env = {
    PORT: '0',
    WHEELHOUSE_DATA: join(folder, 'data'),
    WHEELHOUSE_PLAYGROUND: 'off',
    WHEELHOUSE_KUBECONFIG: file,
    WHEELHOUSE_SETUP_EMAIL: owner.email,
    WHEELHOUSE_SETUP_PASSWORD: owner.password,
  };
  // The first start makes the store; of the others the best counts, as anything else on the machine only slows them.
  const starts: number[] = [];
  for (let start = 0; start < 4; start += 1) {
    const took = await timeStart(env);
    if (start > 0) starts.push(took);
  }
  const server = await startServer(env);
  ends.push(() => server.end());
  const changes = await prepareChanges(api.call);

  const { cookie, clusterId } = await signIn(server.url);
  const pages: Subscriber[] = [];
  ends.push(async () => {
    for (const page of pages) page.close();
  });
  let session = cookie;
  for (let index = 0; index < subscribers; index += 1) {
    if (index > 0 && index % pagesOfSession === 0) session = (await signIn(server.url)).cookie;
    pages.push(
      await openSubscriber(server.url, session, index === 0 ? (rows) => changes.seen(rows) : undefined),
    );
  }
  await server.figures();
  const idle = await server.figures();

  const bytesBefore = pages.reduce((sum, page) => sum + page.bytes, 0);
  const asked = performance.now();
  for (const page of pages) page.subscribe(clusterId);
  const times = await Promise.all(pages.map((page) => page.complete));
  const bytes = pages.reduce((sum, page) => sum + page.bytes, 0) - bytesBefore;
  const rows = Math.min(...pages.map((page) => page.rows));
  await wait(1_000);
  const held = await server.figures();

  // A server that runs for months is not measured while V8 still compiles it.
  await changes.run(rate, warmUp);
  changes.forget();
  const messagesBefore = pages.reduce((sum, page) => sum + page.messages, 0);
  const { cpu, run } = await measureCpu(server, () => changes.run(rate, seconds), profileOf('live'));
  const busy = await server.figures();
  const messages = pages.reduce((sum, page) => sum + page.messages, 0) - messagesBefore;
  const upstream = { ...proxy.counts };
  const arrived = changes.latencies.length / run.sent;
  const latencies = [...changes.latencies];

  await Promise.all(pages.map((page) => page.openDashboard(clusterId)));
  await wait(1_000);
  const openBoards = await server.figures();
  const boardsFrom = performance.now();
  const boardsBefore = pages.reduce((sum, page) => sum + page.dashboards, 0);
  const { cpu: boardsCpu } = await measureCpu(
    server,
    () => changes.run(rate, seconds, true),
    profileOf('dashboards'),
  );
  const boards = pages.reduce((sum, page) => sum + page.dashboards, 0) - boardsBefore;
  const boardsSeconds = (performance.now() - boardsFrom) / 1000;

  return [
    {
      name: 'start to ready, warm store',
      value: Math.min(...starts),
      unit: 'ms',
      atMost: 1_000,
      by: 'parse',
    },
    { name: 'rows in each snapshot', value: rows, unit: 'rows', atLeast: pods },
    { name: 'upstream lists of pods', value: upstream.list, unit: '', atMost: 1, atLeast: 1 },
    {
      name: 'upstream pages after the first',
      value: upstream.page,
      unit: '',
      atMost: Math.ceil(pods / 500),
    },
    { name: 'upstream watches', value: upstream.watch, unit: '', atMost: 1, atLeast: 1 },
    {
      name: 'first snapshot complete',
      value: Math.min(...times) - asked,
      unit: 'ms',
      atMost: 6_000,
      by: 'parse',
    },
    {
      name: `all ${subscribers} snapshots complete`,
      value: Math.max(...times) - asked,
      unit: 'ms',
      atMost: 8_000,
      by: 'parse',
    },
    { name: 'wire bytes per row, compressed', value: bytes / subscribers / pods, unit: 'B', atMost: 100 },
    { name: 'memory above idle, holding', value: (held.rss - idle.rss) / megabyte, unit: 'MB', atMost: 120 },
    { name: 'memory above idle, changing', value: (busy.rss - idle.rss) / megabyte, unit: 'MB', atMost: 120 },
    { name: 'heap of one held pod', value: holding.bytesEach, unit: 'B', atLeast: 1, atMost: 650 },
    { name: 'memory idle', value: idle.rss / megabyte, unit: 'MB', atMost: 230 },
    { name: 'changes made', value: run.perSecond, unit: '/s', atLeast: rate * 0.9 },
    { name: 'changes that arrived', value: arrived, unit: 'of 1', atLeast: 0.9 },
    { name: 'change to message, p50', value: quantile(latencies, 0.5), unit: 'ms' },
    { name: 'change to message, p95', value: quantile(latencies, 0.95), unit: 'ms', atMost: 250 },
    { name: 'messages per page and second', value: messages / subscribers / seconds, unit: '', atMost: 11 },
    {
      name: `server CPU at ${rate} changes/s`,
      value: cpu * 100,
      unit: '% of a core',
      atMost: 5,
      by: 'parse',
    },
    {
      name: `the same with ${subscribers} dashboards open`,
      value: boardsCpu * 100,
      unit: '% of a core',
      atMost: 35,
      by: 'parse',
    },
    {
      name: 'dashboards per page and second',
      value: boards / subscribers / boardsSeconds,
      unit: '',
      atLeast: 1,
      // Four a second, and one that was on its way.
      atMost: 4.1,
    },
    {
      name: 'memory above idle, with dashboards',
      value: (openBoards.rss - idle.rss) / megabyte,
      unit: 'MB',
      atMost: 120,
    },
  ];
}
