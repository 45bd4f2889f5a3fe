import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSecondCluster, type SecondCluster } from '../../e2e/product.ts';
import { chance, rounds } from '../../prove.ts';
import { type RoundRobin, startRoundRobin } from '../../round-robin.ts';
import { OriginClient } from '../../soak/origin-client.ts';
import { SoakPage } from '../../soak/page.ts';
import { countDeliveries } from '../../soak/writes.ts';
import type { FreshDatabase } from '../../test-postgres.ts';
import { readAnswer } from '../chat/answers.ts';
import { type ModelStub, stalling, startModelStub } from '../chat/model-stub.ts';
import { freshDatabase } from '../postgres.ts';
import { noteSteadySigns } from '../steady-signs.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

/** In the gate one server is killed; `npm run soak` does it for as long as asked, with much else at work. */
const kills = rounds(1, 20);
const random = chance();
const owner = { email: 'robin@example.org', password: 'correct horse battery staple' };
const key = `k1:${randomBytes(32).toString('base64')}`;

let database: FreshDatabase;
let receiver: Receiver;
let model: ModelStub;
let roundRobin: RoundRobin;
let cluster: SecondCluster;
/** The one that was started first does what is done once, until it is killed. */
let servers: { readonly child: ChildProcess; readonly port: number }[] = [];

beforeAll(async () => {
  [database, receiver, model, roundRobin, cluster] = await Promise.all([
    freshDatabase(),
    startReceiver(),
    startModelStub(),
    startRoundRobin(),
    startSecondCluster('--seed', 'bulk:40', '--controllers', 'off'),
  ]);
  await startServer();
});
afterAll(async () => {
  for (const { child } of servers) await kill(child);
  await Promise.all([roundRobin.close(), cluster.stop(), receiver.close(), model.close()]);
  await database.drop();
});

async function startServer(): Promise<void> {
  const child = fork(new URL('../console-child.ts', import.meta.url), {
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DATABASE_URL: database.url,
      WHEELHOUSE_SECRET_KEY: key,
      WHEELHOUSE_URL: roundRobin.url,
      WHEELHOUSE_ALLOW_CIDRS: '127.0.0.0/8',
      WHEELHOUSE_SETUP_EMAIL: owner.email,
      WHEELHOUSE_SETUP_PASSWORD: owner.password,
      WHEELHOUSE_WEBHOOK_ALLOW_PORTS: String(receiver.port),
      WHEELHOUSE_WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
      WHEELHOUSE_AI_BASE_URL: model.url.href,
      WHEELHOUSE_AI_MODEL: 'example-large',
    },
  });
  const [{ address }] = (await once(child, 'message')) as [{ address: string }];
  servers.push({ child, port: Number(new URL(address).port) });
  roundRobin.serve(servers.map(({ port }) => port));
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

it(
  'when a server is killed the other takes its duties over: nothing acknowledged is lost, nothing is told twice, pages are right',
  async () => {
    const client = new OriginClient(roundRobin.url, roundRobin.url);
    await client.call('signIn', { body: owner });
    const { id: clusterId } = await client.call('addCluster', {
      body: { name: 'soak', description: '', kubeConfigContent: cluster.kubeconfig },
    });
    await client.call('addWebhook', {
      params: { clusterId },
      body: { url: receiver.url, events: ['console.changed'], format: 'standard' },
    });
    const name = 'service-0001';
    const restart = async (): Promise<void> => {
      const { outcomes } = await client.call('runAction', {
        params: { clusterId, actionId: 'deployment.restart' },
        body: { refs: [{ kind: 'deployment', namespace: 'team-01', name }] },
      });
      expect(outcomes).toMatchObject([{ ok: true }]);
    };
    const told = () => countDeliveries(receiver.received);
    await restart();
    await expect.poll(() => told().ids).toBe(1);
    const page = new SoakPage({ url: roundRobin.url, client, clusterId });
    const acknowledged: string[] = [];
    try {
      for (let round = 0; round < kills; round += 1) {
        await startServer();
        const [holder, heir] = servers;
        if (holder === undefined || heir === undefined) throw new Error('There are two servers.');
        const total = acknowledged.length + 5 + Math.floor(random() * 20);
        for (let index = 0; acknowledged.length < total; index += 1) {
          const team = `team ${round} ${index}`;
          await client.call('createTeam', { body: { name: team } });
          acknowledged.push(team);
        }
        // What is on its way when the server dies may be done or not; nobody was told that it was.
        const cut = client.call('createTeam', { body: { name: `cut ${round}` } }).catch(() => undefined);
        const began = performance.now();
        await kill(holder.child);
        servers = [heir];
        roundRobin.serve([heir.port]);
        await cut;

        const reason = `Soak${round}`;
        const pods = '/api/v1/namespaces/team-01/pods';
        const [pod = ''] = await cluster.podNames('team-01', name);
        await cluster.call('PATCH', `${pods}/${pod}/status`, { status: { reason } });
        await expect.poll(() => page.isLive && [...page.statuses().values()].includes(reason)).toBe(true);
        expect(performance.now() - began).toBeLessThan(5_000);
        expect(page.statuses().size).toBe(40);

        await restart();
        await expect.poll(() => told().ids).toBe(round + 2);
        const teams = await client.call('teams', {});
        expect(teams.map((team) => team.name)).toEqual(expect.arrayContaining(acknowledged));
      }
    } finally {
      page.close();
    }
    expect([told().doubles, page.faults]).toEqual([[], []]);
  },
  rounds(60_000, 1_800_000),
);

it('an answer of a chat whose server is killed goes on at the other to its end: it was interrupted', async () => {
  await startServer();
  const [holder, heir] = servers;
  if (holder === undefined || heir === undefined) throw new Error('There are two servers.');
  const client = new OriginClient(roundRobin.url, roundRobin.url);
  await client.call('signIn', { body: owner });
  const [cluster] = await client.call('clusters', {});
  const clusterId = cluster?.id ?? 0;
  const { id } = await client.call('addConversation', { params: { clusterId }, body: { title: 'Trouble' } });
  model.script = [stalling('The first half. The sec')];
  const { id: turnId } = await client.at(`http://127.0.0.1:${holder.port}`).call('askChat', {
    params: { clusterId, conversationId: id },
    body: { question: 'Why?' },
  });
  const other = client.at(`http://127.0.0.1:${heir.port}`);
  const stored = async () =>
    (await other.call('conversation', { params: { clusterId, conversationId: id } })).turns[0];
  const texts = (parts: Awaited<ReturnType<typeof stored>>) =>
    JSON.stringify(parts?.parts.map(({ part }) => part));
  await expect.poll(async () => texts(await stored())).toContain('The first half.');
  const reading = readAnswer(other, clusterId, turnId);
  await kill(holder.child);
  servers = [heir];
  const { parts } = await reading;
  expect(parts.map(({ number }) => number)).toEqual(parts.map((_, index) => index + 1));
  expect(parts.at(-1)?.part).toMatchObject({
    type: 'end',
    state: 'interrupted',
    text: expect.stringContaining('interrupted'),
  });
  expect(parts.filter(({ part }) => part.type === 'end')).toHaveLength(1);
  // Whoever comes back reads on behind what they know.
  expect((await readAnswer(other, clusterId, turnId, 2)).parts).toEqual(parts.slice(2));
  expect((await stored())?.state).toBe('interrupted');
});

it('a drain goes on on another server when its own stops or is killed, and alone after the restart', async () => {
  await startServer();
  const [first, second] = servers;
  if (first === undefined || second === undefined) throw new Error('There are two servers.');
  const client = new OriginClient(roundRobin.url, roundRobin.url);
  await client.call('signIn', { body: owner });
  const [listed] = await client.call('clusters', {});
  const clusterId = listed?.id ?? 0;
  await cluster.call('POST', '/api/v1/nodes', { metadata: { name: 'leaving' } });
  const pods = '/api/v1/namespaces/team-01/pods';
  // One goes at once, the other waits for a finalizer.
  for (const [name, finalizers] of [
    ['quick', []],
    ['held', ['example.org/held']],
  ] as const)
    await cluster.call('POST', pods, {
      metadata: { name, finalizers },
      spec: {
        nodeName: 'leaving',
        terminationGracePeriodSeconds: 0,
        containers: [{ name: 'web', image: 'web:1' }],
      },
    });
  const { outcomes } = await client.at(`http://127.0.0.1:${first.port}`).call('runAction', {
    params: { clusterId, actionId: 'node.drain' },
    body: { refs: [{ kind: 'node', name: 'leaving' }], args: { limit: 10, unmanaged: 'evict' } },
  });
  const id = outcomes[0]?.job;
  const at = async ({ port }: { readonly port: number }) => {
    const { jobs } = await client.at(`http://127.0.0.1:${port}`).call('jobs', { params: { clusterId } });
    return jobs.find((job) => job.id === id);
  };
  const messageAt = async (server: { readonly port: number }) => (await at(server))?.message;
  await expect.poll(() => messageAt(second)).toBe('1 of 2 pods gone.');

  const stopped = once(first.child, 'exit');
  first.child.kill('SIGTERM');
  await expect
    .poll(() => messageAt(second))
    .toBe('1 of 2 pods gone. Its server stopped once, and another went on with it.');
  await stopped;
  expect(await at(second)).toMatchObject({ status: 'running' });

  await kill(second.child);
  const db = new Client({ connectionString: database.url });
  await db.connect();
  // As after the time in which a server counts as alive without a sign of life.
  await db.query("update jobs set beat_at = now() - interval '1 minute' where id = $1", [id]);
  servers = [];
  await startServer();
  const [third] = servers;
  if (third === undefined) throw new Error('There is a server.');
  await noteSteadySigns(drizzle(db));
  await db.end();
  await expect
    .poll(() => messageAt(third))
    .toBe('1 of 2 pods gone. Its servers stopped 2 times, and another went on with it.');
  await cluster.call('PATCH', `${pods}/held`, { metadata: { finalizers: [] } });
  await expect.poll(async () => (await at(third))?.status).toBe('succeeded');
  expect(await messageAt(third)).toBe(
    'The node is drained: 2 pods are gone. The node stays cordoned. Its servers stopped 2 times, and another went on with it.',
  );
});
