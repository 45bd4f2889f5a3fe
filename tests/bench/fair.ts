import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { kubeconfig } from '../../src/playground/kubeconfig.ts';
import { orgRoles } from '../../src/contract/permissions.ts';
import { createSessions } from '../../src/server/access/sessions.ts';
import { createAudit } from '../../src/server/audit/audit.ts';
import { createTriesRetention } from '../../src/server/audit/retention.ts';
import { xsrfTokenOf } from '../../src/server/http/cookies.ts';
import { openStore } from '../../src/server/store/open.ts';
import { users } from '../../src/server/store/schema/accounts.ts';
import { companies } from '../../src/server/store/schema/companies.ts';
import { memberships } from '../../src/server/store/schema/memberships.ts';
import type { Store } from '../../src/server/store/store.ts';
import { TestClient } from '../server/http-client.ts';
import { createDatabase, startTestPostgres } from '../test-postgres.ts';
import type { FloodCall, FloodOrder, FloodReport } from './fair-flood.ts';
import { type BenchCluster, type BenchServer, startCluster, startServer } from './processes.ts';
import { aligned, type Figure, quantile } from './report.ts';
import { systemClock } from '../../src/server/kit/clock.ts';

/** How much is measured. */
export interface FairLoad {
  /** Pairs of a control and a flood, of each sort. */
  readonly rounds: number;
  /** Length of a control and of a flood, seconds. */
  readonly seconds: number;
  /** One sort of flood alone. */
  readonly flood?: string | undefined;
  /** Folder for a CPU profile of the server for each flood. */
  readonly profile?: string | undefined;
}

const connections = 30;
const refusedStatuses: ReadonlySet<string> = new Set(['0', '429', '503']);
const pods = 2_000;
const auditRows = 3_000;
/** Between two calls of the other company, ms. */
const pause = 20;
const owner = { email: 'bench@example.org', password: 'a password for the bench' };

/** A process that floods, or burns as much of a core and sends nothing. */
class Sender {
  readonly #child: ChildProcess = fork(join(import.meta.dirname, 'fair-flood.ts'), {
    env: { PATH: process.env['PATH'] ?? '' },
  });
  readonly #ready = once(this.#child, 'message');

  /** Does what is ordered for this long. */
  async run(order: FloodOrder, meanwhile: () => Promise<void>): Promise<FloodReport> {
    await this.#ready;
    this.#child.send(order);
    await meanwhile();
    const report = once(this.#child, 'message');
    this.#child.send({ type: 'stop' } satisfies FloodOrder);
    const [answer] = await report;
    return answer as FloodReport;
  }

  end(): void {
    this.#child.disconnect();
  }
}

/** The company that floods, and the one beside it. */
interface Companies {
  readonly server: BenchServer;
  /** The same console by a server that works on calls as they come. */
  readonly unshared: BenchServer;
  /** The cluster of the company that floods. */
  readonly cluster: BenchCluster;
  /** The other company's own calls, one after the other. */
  readonly calls: readonly (() => Promise<void>)[];
  readonly floods: Readonly<Record<string, FloodCall>>;
  /** Headers of the flooding company's people, or of as many who are signed out. */
  readonly headersAt: (
    server: BenchServer,
    isSignedOut: boolean,
  ) => readonly Readonly<Record<string, string>>[];
}

/** Makes the calls of the other company by turns until the time is over; gives how long each took, ms. */
async function probe(calls: Companies['calls'], seconds: number): Promise<number[]> {
  const until = performance.now() + seconds * 1000;
  const times: number[] = [];
  while (performance.now() < until) {
    for (const call of calls) {
      const from = performance.now();
      await call();
      times.push(performance.now() - from);
      await wait(pause);
    }
  }
  return times;
}

/** Another company's calls beside floods of 30 connections, against the same calls beside a process that only burns. */
export async function measureFair(load: FairLoad): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-bench-'));
  const ends: (() => Promise<unknown> | void)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const companies = await startCompanies(folder, ends);
    const sender = new Sender();
    ends.push(() => sender.end());
    const burners = [new Sender(), new Sender()];
    ends.push(() => burners.forEach((burner) => burner.end()));
    const figures: Figure[] = [];
    const names = Object.keys(companies.floods).filter(
      (name) => load.flood === undefined || name === load.flood,
    );
    for (const name of names)
      figures.push(...(await measureFlood(companies, { ...load, name, sender, burners })));
    return figures;
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

interface FloodParts extends FairLoad {
  readonly name: string;
  readonly sender: Sender;
  readonly burners: readonly Sender[];
}

/** Calls that were answered otherwise than by 429 or 503, a second. */
function rateOf({ answers, seconds }: FloodReport): number {
  const counts = Object.entries(answers).map(([status, count]) => (refusedStatuses.has(status) ? 0 : count));
  return counts.reduce((sum, count) => sum + count, 0) / seconds;
}

async function measureFlood(
  { server, unshared, cluster, calls, floods, headersAt }: Companies,
  { name, rounds, seconds, sender, burners, profile }: FloodParts,
): Promise<Figure[]> {
  const call = floods[name];
  if (call === undefined) throw new Error(`There is no flood of ${name}.`);
  const orderAt = (at: BenchServer, count = connections): FloodOrder => {
    const people = headersAt(at, name === 'signed-out bodies');
    return { type: 'flood', url: at.url, call, connections: people.slice(0, count) };
  };
  const order = orderAt(server);
  const control: number[] = [];
  const beside: number[] = [];
  const answers: Record<string, number> = {};
  let withoutRetryAfter = 0;
  const stop =
    profile === undefined ? undefined : await server.profile(join(profile, `fair-${name}.cpuprofile`));
  // Calls of a flood alone in equal periods, alternately with shares and without.
  const alone = { shared: [] as number[], unshared: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    for (const [sort, at] of [
      ['shared', server],
      ['unshared', unshared],
    ] as const)
      alone[sort].push(rateOf(await sender.run(orderAt(at), () => wait(seconds * 500))));
  }
  await stop?.();
  for (let round = 0; round < rounds; round += 1) {
    const before = await cluster.cpu();
    const report = await sender.run(order, async () => {
      beside.push(...(await probe(calls, seconds)));
    });
    // The cluster of the company that floods is elsewhere, in life, and busy with the flood alone.
    const busy = (report.cpu + (await cluster.cpu()) - before) / 1e6 / report.seconds;
    withoutRetryAfter += report.withoutRetryAfter;
    for (const [status, count] of Object.entries(report.answers))
      answers[status] = (answers[status] ?? 0) + count;
    const burn: FloodOrder = { type: 'burn', share: Math.min(0.95, busy / burners.length) };
    await Promise.all(
      burners.map((burner, at) =>
        burner.run(burn, async () => {
          if (at === 0) control.push(...(await probe(calls, seconds)));
          else await wait(seconds * 1000);
        }),
      ),
    );
  }
  const ratio = (at: number) => quantile(beside, at) / quantile(control, at);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  process.stdout.write(
    `${aligned([
      [name, 'control', 'beside it', `answers ${JSON.stringify(answers)}`],
      ['median', quantile(control, 0.5).toFixed(1), quantile(beside, 0.5).toFixed(1), 'ms'],
      ['p95', quantile(control, 0.95).toFixed(1), quantile(beside, 0.95).toFixed(1), 'ms'],
    ])}\n`,
  );
  return [
    { name: `${name}: median beside it`, value: ratio(0.5), unit: 'of the control', atMost: 3 },
    { name: `${name}: p95 beside it`, value: ratio(0.95), unit: 'of the control', atMost: 6 },
    { name: `${name}: calls of a lone company`, value: sum(alone.shared) / rounds, unit: '/s' },
    {
      name: `${name}: the same without shares`,
      value: sum(alone.shared) / sum(alone.unshared),
      unit: 'of them',
      atLeast: 0.8,
    },
    { name: `${name}: answers of 429 without Retry-After`, value: withoutRetryAfter, unit: '', atMost: 0 },
  ];
}

const configOf = (cluster: BenchCluster) =>
  kubeconfig('bench', cluster.server, cluster.authority, cluster.token);

async function startCompanies(folder: string, ends: (() => Promise<unknown> | void)[]): Promise<Companies> {
  const starting = startTestPostgres();
  ends.push(async () => await (await starting).stop());
  const database = await createDatabase((await starting).place);
  const [ownFolder, otherFolder] = [await mkdtemp(join(folder, 'a-')), await mkdtemp(join(folder, 'b-'))];
  const [flooded, quiet] = [await startCluster(ownFolder, pods), await startCluster(otherFolder, 20)];
  ends.push(() => Promise.all([flooded.end(), quiet.end()]));
  const environment = {
    PORT: '0',
    DATABASE_URL: database.url,
    WHEELHOUSE_SECRET_KEY: `bench:${randomBytes(32).toString('base64')}`,
    WHEELHOUSE_DATA: join(folder, 'data'),
    WHEELHOUSE_PLAYGROUND: 'off',
    WHEELHOUSE_ALLOW_CIDRS: '127.0.0.1/32',
    WHEELHOUSE_SETUP_EMAIL: owner.email,
    WHEELHOUSE_SETUP_PASSWORD: owner.password,
  };
  const server = await startServer(environment);
  ends.push(() => server.end());
  const unshared = await startServer({ ...environment, BENCH_SHARES: 'off' });
  ends.push(() => unshared.end());
  const log = pino({ level: 'silent' });
  const store = await openStore({ databaseUrl: database.url, dataDir: folder }, log);
  ends.push(() => store.close());
  const quietOwner = new TestClient(server.url);
  await quietOwner.send('POST', '/api/auth/login', owner);
  const quietId = await addCluster(quietOwner, quiet);
  const { companyId, tokens } = await populate(store);
  const clientAt = (at: BenchServer, token: string | undefined) => {
    const client = new TestClient(at.url);
    if (token === undefined) return client;
    client.cookies.set(client.sessionCookie, token);
    client.cookies.set(client.xsrfCookie, xsrfTokenOf(token));
    return client;
  };
  const first = clientAt(server, tokens[0]);
  const clusterId = await addCluster(first, flooded);
  await fillAudit(store, companyId);
  const page = await first.call('objects', {
    params: { clusterId, kind: 'pod' },
    query: { limit: '1' },
  });
  const { name = '', namespace = '' } = page.items[0]?.metadata ?? {};
  const floods = floodCalls(clusterId, { name, namespace: String(namespace) });
  const calls = [
    () => quietOwner.call('currentUser', {}),
    () => quietOwner.call('clusters', {}),
    () => quietOwner.call('search', { query: { q: 'a', limit: '20' } }),
    () => quietOwner.call('objects', { params: { clusterId: quietId, kind: 'pod' }, query: { limit: '20' } }),
  ].map((call) => async () => {
    await call();
  });
  // Names are indexed and code is compiled before anything is measured.
  for (const one of [first, clientAt(unshared, tokens[0])])
    for (const call of Object.values(floods))
      for (let count = 0; count < 5; count += 1)
        await one.send(call.method, call.path, undefined, rawOf(call));
  await probe(calls, 3);
  return {
    server,
    unshared,
    cluster: flooded,
    calls,
    floods,
    headersAt: (at, isSignedOut) =>
      tokens.map((token) => ({
        origin: at.url,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
        ...(isSignedOut ? {} : { cookie: clientAt(at, token).cookie, 'x-xsrf-token': xsrfTokenOf(token) }),
      })),
  };
}

const rawOf = ({ body }: FloodCall) => (body === undefined ? {} : { raw: body });

async function addCluster(client: TestClient, cluster: BenchCluster): Promise<number> {
  const { id } = await client.call('addCluster', {
    body: { name: 'bench', description: '', kubeConfigContent: configOf(cluster) },
  });
  return id;
}

/** Founds a company of Owners, one for each connection, and gives their sessions. */
async function populate(store: Store): Promise<{ companyId: number; tokens: readonly string[] }> {
  const { db } = store;
  const [company] = await db.insert(companies).values({ name: 'flooding' }).returning();
  if (company === undefined) throw new Error('No company was stored.');
  const sessions = createSessions(store, systemClock);
  const tokens = await Promise.all(
    Array.from({ length: connections }, async (_, at) => {
      const values = { email: `flood-${at}@example.org`, name: `Flood ${at}`, mayFoundCompany: false };
      const [user] = await db
        .insert(users)
        .values({ ...values, passwordHash: null })
        .returning();
      if (user === undefined) throw new Error('Nobody was stored.');
      const place = { userId: user.id, companyId: company.id };
      await db.insert(memberships).values({ ...place, orgRole: orgRoles.Owner });
      return await sessions.start(user.id, { userAgent: 'bench', address: '127.0.0.1' });
    }),
  );
  return { companyId: company.id, tokens };
}

/** Gives the exports something to export. */
async function fillAudit(store: Store, companyId: number): Promise<void> {
  const log = pino({ level: 'silent' });
  const audit = createAudit(store, log, createTriesRetention(store, log, systemClock));
  for (let at = 0; at < auditRows; at += 10)
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const entry = { companyId, userId: null, actor: 'bench', action: 'objects', clusterId: null };
        const row = await audit.begin({ ...entry, subject: {}, address: '127.0.0.1', requestId: 'bench' });
        await row.finish(200);
      }),
    );
}

/** The eight floods. */
function floodCalls(
  clusterId: number,
  pod: { readonly namespace: string; readonly name: string },
): Readonly<Record<string, FloodCall>> {
  const cluster = `/api/clusters/${clusterId}`;
  const object = (at: number) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: bench-${at}\n  namespace: ${pod.namespace}\ndata:\n${Array.from(
      { length: 200 },
      (_, line) => `  key-${line}: value ${line} of ${at}\n`,
    ).join('')}`;
  const yaml = Array.from({ length: 100 }, (_, at) => object(at)).join('---\n');
  const logRequest = JSON.stringify({ of: { pods: [pod] } });
  const get = (path: string): FloodCall => ({ method: 'GET', path });
  return {
    search: get('/api/search?q=a&limit=50'),
    lists: get(`${cluster}/kinds/pod/objects?limit=50`),
    'lists of 500': get(`${cluster}/kinds/pod/objects?limit=500`),
    'signed-out bodies': { method: 'POST', path: '/api/auth/login', body: '['.repeat(60_000) },
    YAML: {
      method: 'POST',
      path: `${cluster}/apply-resource`,
      body: JSON.stringify({ yaml, dryRun: true }),
    },
    'log files': get(`${cluster}/log/file?request=${encodeURIComponent(logRequest)}`),
    diagnosis: get(`${cluster}/diagnosis`),
    exports: get('/api/organization/audit/export'),
  };
}
