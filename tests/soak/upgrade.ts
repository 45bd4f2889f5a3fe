import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort, startSecondCluster } from '../e2e/product.ts';
import { type RoundRobin, startRoundRobin } from '../round-robin.ts';
import { openLive } from '../server/live/live-client.ts';
import { type Receiver, startReceiver } from '../server/webhooks/receiver.ts';
import { createDatabase, startTestPostgres } from '../test-postgres.ts';
import { checkOutEarlier, type EarlierVersion } from './earlier-version.ts';
import type { Ends } from './installation.ts';
import { OriginClient } from './origin-client.ts';
import { SoakPage } from './page.ts';
import { SoakServer } from './servers.ts';
import { countDeliveries } from './writes.ts';

// Replaces version N by this one while people work: `npm run upgrade-test`, or with a commit as version N.

const owner = { email: 'upgrade@example.org', password: 'correct horse battery staple' };
/** A page is right again in this time after its server was told to end, ms: on a busy machine, too. */
const resumeLimit = 15_000;
/** A server that is asked to end has ended in this time, ms. */
const endLimit = 10_000;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function until(what: string, isSo: () => boolean | Promise<boolean>, limit = 30_000): Promise<void> {
  const end = performance.now() + limit;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`It took longer than ${limit} ms until ${what}.`);
    await wait(20);
  }
}

interface Parts {
  readonly earlier: SoakServer;
  readonly next: SoakServer;
  readonly roundRobin: RoundRobin;
  readonly receiver: Receiver;
  readonly kubeconfig: string;
  /** Changes the status of a pod on the cluster itself. */
  readonly changePod: (reason: string) => Promise<unknown>;
}

/** The build that a server tells its pages: one that is older asks to be reloaded. */
async function buildOf(server: SoakServer, client: OriginClient): Promise<string> {
  const page = await openLive(server.url, client.handshake);
  const build = page.hello?.build ?? '';
  page.socket.terminate();
  return build;
}

async function upgrade({ earlier, next, roundRobin, receiver, kubeconfig, changePod }: Parts): Promise<void> {
  await earlier.start();
  roundRobin.serve([earlier.port]);
  const client = new OriginClient(roundRobin.url, roundRobin.url);
  await client.call('signIn', { body: owner });
  const body = { name: 'upgrade', description: '', kubeConfigContent: kubeconfig };
  const { id: clusterId } = await client.call('addCluster', { body });
  await client.call('addWebhook', {
    params: { clusterId },
    body: { url: receiver.url, events: ['console.changed'], format: 'standard' },
  });
  const restart = async (at: OriginClient): Promise<void> => {
    const { outcomes } = await at.call('runAction', {
      params: { clusterId, actionId: 'deployment.restart' },
      body: { refs: [{ kind: 'deployment', namespace: 'team-01', name: 'service-0001' }] },
    });
    assert.equal(outcomes[0]?.ok, true);
  };
  const teams: string[] = [];
  const makeTeam = async (at: OriginClient): Promise<void> => {
    const name = `team ${teams.length}`;
    await at.call('createTeam', { body: { name } });
    teams.push(name);
  };
  const seesAll = async (at: OriginClient): Promise<void> => {
    const names = (await at.call('teams', {})).map(({ name }) => name);
    assert.deepEqual(
      teams.filter((name) => !names.includes(name)),
      [],
    );
  };
  await makeTeam(client);
  await restart(client);
  await until('N delivers', () => countDeliveries(receiver.received).ids === 1);
  const page = new SoakPage({ url: roundRobin.url, client, clusterId });
  await until('a page shows the pods', () => page.isLive && page.rows.size > 0);
  say('Version N serves a page and delivers.');

  await next.start();
  const [atEarlier, atNext] = [client.at(earlier.url), client.at(next.url)];
  // Each acts by the session that the other has begun, and reads what the other has written.
  for (let turn = 0; turn < 5; turn += 1) {
    await makeTeam(atNext);
    await seesAll(atEarlier);
    await makeTeam(atEarlier);
    await seesAll(atNext);
  }
  const begun = new OriginClient(next.url, roundRobin.url);
  await begun.call('signIn', { body: owner });
  await makeTeam(begun.at(earlier.url));
  await restart(atNext);
  await restart(atEarlier);
  await until('both deliver', () => countDeliveries(receiver.received).ids === 3);
  const [oldBuild, newBuild] = [await buildOf(earlier, atEarlier), await buildOf(next, atNext)];
  assert.notEqual(oldBuild, newBuild, 'Pages are not told that there is another version.');
  say('Both versions serve one database; sessions and writes of each are good on the other.');

  // A message that could not be delivered while N ran is delivered by who comes after it.
  receiver.answer({ status: 503 });
  await restart(atEarlier);
  await until('a delivery has failed', () => countDeliveries(receiver.received).ids === 4);
  roundRobin.serve([earlier.port, next.port]);
  const writing = new AbortController();
  const failures: unknown[] = [];
  const writer = (async () => {
    while (!writing.signal.aborted) {
      await makeTeam(client).catch((error: unknown) => failures.push(error));
      await wait(50);
    }
  })();
  await wait(1_000);
  // As a Service does: nothing new goes to a server that is about to end, and then it is told to.
  roundRobin.serve([next.port]);
  const began = performance.now();
  const ended = await earlier.stop();
  assert.equal(ended.code, 0, `Version N ended with ${ended.code}.`);
  assert.ok(ended.after < endLimit, `Version N took ${ended.after} ms to end.`);
  await changePod('Upgraded');
  await until(
    'the page shows a change',
    () => page.isLive && [...page.statuses().values()].includes('Upgraded'),
  );
  const resumed = performance.now() - began;
  assert.ok(resumed < resumeLimit, `The page took ${resumed} ms to be right again.`);
  await wait(1_000);
  writing.abort();
  await writer;
  assert.deepEqual(failures, [], 'Somebody was refused while the servers changed.');
  await seesAll(client);
  assert.deepEqual(page.faults, []);
  const tries = () => receiver.received.filter(({ headers }) => headers['webhook-id'] === fourth).length;
  const fourth = receiver.received.at(-1)?.headers['webhook-id'];
  await until('the next version delivers what N could not', () => tries() >= 2, 180_000);
  assert.deepEqual(countDeliveries(receiver.received).doubles, []);
  page.close();
  say(
    `Version N ended in ${Math.round(ended.after)} ms, the page was right after ${Math.round(resumed)} ms; ${teams.length} writes acknowledged, none lost or refused; nothing told twice.`,
  );
}

async function run(ends: Ends): Promise<void> {
  const version: EarlierVersion = checkOutEarlier(process.argv[2]);
  ends.push(() => version.remove());
  say(`Version N is ${version.commit.slice(0, 8)}.`);
  const postgres = await startTestPostgres();
  ends.push(() => postgres.stop());
  // Without a table: version N makes its own schema, and the next one migrates it.
  const database = await createDatabase(postgres.place, 'nothing');
  const cluster = await startSecondCluster('--seed', 'bulk:40', '--controllers', 'off');
  ends.push(() => cluster.stop());
  const receiver = await startReceiver();
  ends.push(() => receiver.close());
  const roundRobin = await startRoundRobin();
  ends.push(() => roundRobin.close());
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    HOST: '127.0.0.1',
    DATABASE_URL: database.url,
    WHEELHOUSE_URL: roundRobin.url,
    WHEELHOUSE_SECRET_KEY: `upgrade:${randomBytes(32).toString('base64')}`,
    WHEELHOUSE_BILLING: 'off',
    WHEELHOUSE_ALLOW_CIDRS: '127.0.0.0/8',
    WHEELHOUSE_SETUP_EMAIL: owner.email,
    WHEELHOUSE_SETUP_PASSWORD: owner.password,
    WHEELHOUSE_WEBHOOK_ALLOW_PORTS: String(receiver.port),
    WHEELHOUSE_WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
  };
  const earlier = new SoakServer(await freePort(), env, version.folder);
  const next = new SoakServer(await freePort(), env);
  ends.push(() => Promise.all([earlier.kill(), next.kill()]));
  const changePod = async (reason: string) => {
    const [pod = ''] = await cluster.podNames('team-01', 'service-0001');
    return await cluster.call('PATCH', `/api/v1/namespaces/team-01/pods/${pod}/status`, {
      status: { reason },
    });
  };
  try {
    const { kubeconfig } = cluster;
    await upgrade({ earlier, next, roundRobin, receiver, kubeconfig, changePod });
  } catch (error) {
    say(`Version N:\n${earlier.output.slice(-3_000)}\nThis version:\n${next.output.slice(-3_000)}`);
    throw error;
  }
}

const ends: Ends = [];
try {
  await run(ends);
} finally {
  for (const end of ends.reverse()) await end();
}
