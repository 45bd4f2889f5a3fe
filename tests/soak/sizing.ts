import { randomBytes } from 'node:crypto';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { openApi } from '../bench/api.ts';
import buildPage from '../e2e/build-page.ts';
import { freePort, startCluster } from '../e2e/product.ts';
import { createDatabase, startTestPostgres } from '../test-postgres.ts';
import { Changes } from './changes.ts';
import type { Ends } from './installation.ts';
import { OriginClient } from './origin-client.ts';
import { SoakPage } from './page.ts';
import { SoakServer } from './servers.ts';
import { endAll, finish, signalOfInterruption, Waits } from './waits.ts';

// What one server takes, by how much it serves: `npm run sizing -- CLUSTERSxPODSxPAGESxCHANGES …`, a row for each.

const usage = `npm run sizing -- [CLUSTERSxPODSxPAGESxCHANGES …]
Pods of each cluster; pages in all, each of which follows all pods of one; changes a second to the first cluster.
`;
const usualRows = [
  '0x0x0x0',
  '1x1000x10x0',
  '1x1000x50x20',
  '1x10000x50x20',
  '5x1000x50x20',
  '10x1000x100x20',
];
const owner = { email: 'sizing@example.org', password: 'correct horse battery staple' };
/** A session may have so many sockets. */
const pagesOfSession = 20;
/** V8 compiles and collects after everything is open, s; then it is looked at for so long, s. */
const times = { settling: 30, looking: 20 } as const;
/** Ticks of the system's clock of processes in a second. */
const ticks = 100;

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const interrupted = signalOfInterruption(say);
const waits = new Waits(interrupted);

/** What a server is given to serve. */
interface Load {
  readonly clusters: number;
  /** Of each cluster. */
  readonly pods: number;
  readonly pages: number;
  /** Changes per second, to the pods of the first cluster. */
  readonly changes: number;
}

/** Reads `CLUSTERSxPODSxPAGESxCHANGES`. Throws a sentence. */
function loadOf(text: string): Load {
  const [clusters, pods, pages, changes, ...more] = text.split('x').map(Number);
  const all = [clusters, pods, pages, changes];
  if (more.length > 0 || all.some((one) => one === undefined || !Number.isInteger(one) || one < 0))
    throw new Error(`"${text}" is no CLUSTERSxPODSxPAGESxCHANGES.`);
  return { clusters: clusters ?? 0, pods: pods ?? 0, pages: pages ?? 0, changes: changes ?? 0 };
}

/** Connections that a process holds to some ports of loopback. */
async function connectionsTo(ports: ReadonlySet<number>, pid: number): Promise<number> {
  const folder = `/proc/${pid}/fd`;
  const files = await readdir(folder);
  const open = new Set(
    await Promise.all(files.map((file) => readlink(`${folder}/${file}`).catch(() => 'closed meanwhile'))),
  );
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n').slice(1);
  const established = '01';
  return lines.filter((line) => {
    const [, , remote = '', state, , , , , , inode] = line.trim().split(/\s+/);
    const port = Number.parseInt(remote.split(':')[1] ?? '', 16);
    return state === established && ports.has(port) && open.has(`socket:[${inode}]`);
  }).length;
}

/** CPU of a process so far, s. */
async function cpuOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}

/** Starts a server with that load, looks at it, and ends it; gives a line of Markdown. */
async function measure(load: Load, postgresUrl: string, ends: Ends): Promise<string> {
  const { clusters: count, pods, pages: pageCount, changes: rate } = load;
  const clusters = await Promise.all(
    Array.from({ length: count }, () =>
      startCluster(['--seed', `bulk:${pods}`, '--controllers', 'off'], true),
    ),
  );
  ends.push(() => Promise.all(clusters.map((cluster) => cluster.stop())));
  const server = new SoakServer(await freePort(), {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    HOST: '127.0.0.1',
    DATABASE_URL: postgresUrl,
    WHEELHOUSE_SECRET_KEY: `sizing:${randomBytes(32).toString('base64')}`,
    WHEELHOUSE_BILLING: 'off',
    WHEELHOUSE_PLAYGROUND: 'off',
    WHEELHOUSE_ALLOW_CIDRS: '127.0.0.0/8',
    WHEELHOUSE_SETUP_EMAIL: owner.email,
    WHEELHOUSE_SETUP_PASSWORD: owner.password,
  });
  ends.push(() => server.kill());
  await waits.within('the server listens', server.start(), 200_000);
  const { url } = server;
  const signIn = async (): Promise<OriginClient> => {
    const client = new OriginClient(url, url);
    await client.call('signIn', { body: owner });
    return client;
  };
  let client = await signIn();
  const ids: number[] = [];
  for (const [index, { kubeconfig }] of clusters.entries()) {
    const body = { name: `cluster ${index}`, description: '', kubeConfigContent: kubeconfig };
    ids.push((await client.call('addCluster', { body })).id);
  }
  const pages: SoakPage[] = [];
  ends.push(() => pages.forEach((page) => page.close()));
  for (let index = 0; index < pageCount; index += 1) {
    if (index > 0 && index % pagesOfSession === 0) client = await signIn();
    pages.push(new SoakPage({ url, client, clusterId: ids[index % ids.length] ?? 0 }));
  }
  await waits.until('all pages show all pods', () => pages.every(({ isLive }) => isLive), 180_000);
  const [first] = clusters;
  if (rate > 0 && first !== undefined) {
    const api = openApi(first);
    const changes = new Changes(api.call);
    await changes.prepare();
    const changing = changes.run(rate);
    ends.push(async () => {
      changes.end();
      await changing;
      api.close();
    });
  }
  await wait(times.settling * 1_000, undefined, { signal: interrupted });
  const pid = server.pid ?? 0;
  const before = await cpuOf(pid);
  const residents: number[] = [];
  for (let second = 0; second < times.looking; second += 1) {
    await wait(1_000, undefined, { signal: interrupted });
    residents.push((await server.resident()) ?? Number.NaN);
  }
  const cpu = ((await cpuOf(pid)) - before) / times.looking;
  const ports = new Set(clusters.map((cluster) => Number(new URL(cluster.server).port)));
  const toClusters = await connectionsTo(ports, pid);
  const database = new Client({ connectionString: postgresUrl });
  await database.connect();
  const { rows } = await database.query<{ count: string }>(
    'select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await database.end();
  const memory = (residents.toSorted((a, b) => a - b)[Math.floor(residents.length / 2)] ?? 0) / 1024 ** 2;
  const cells = [count, pods, pageCount, rate, `${memory.toFixed(0)} MB`, `${(cpu * 100).toFixed(1)} %`];
  return `| ${[...cells, rows[0]?.count ?? '?', toClusters].join(' | ')} |`;
}

async function main(): Promise<boolean> {
  const asked = process.argv.slice(2);
  const loads = (asked.length > 0 ? asked : usualRows).map(loadOf);
  // Each cluster and server has one that ends it with this process.
  process.setMaxListeners(100);
  buildPage();
  const ends: Ends = [];
  try {
    const starting = startTestPostgres();
    ends.push(async () => await (await starting).stop());
    const { place } = await starting;
    say(
      '| clusters | pods in each | pages | changes/s | memory (RSS) | CPU of one core | PostgreSQL | clusters |',
    );
    say('| --- | --- | --- | --- | --- | --- | --- | --- |');
    for (const load of loads) {
      const own: Ends = [];
      const database = await createDatabase(place);
      try {
        say(await measure(load, database.url, own));
      } finally {
        await endAll(own, say);
      }
    }
    return true;
  } finally {
    await endAll(ends, say);
  }
}

await finish(main, interrupted, usage);
